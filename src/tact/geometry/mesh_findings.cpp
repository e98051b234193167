#include <tact/geometry/mesh_findings.hpp>

#include <algorithm>
#include <string_view>

#include <fmt/core.h>

namespace tact {
namespace {

constexpr double bad_aspect = 100.0;  // such an element bends or strains far more easily one way

std::string where(const Edge& e)
{
  return fmt::format("vertices {} and {}", e[0], e[1]);
}

std::string where(const Triangle& t)
{
  return fmt::format("vertices {}, {} and {}", t[0], t[1], t[2]);
}

class FindingList {
 public:
  void add(Severity severity, std::string text) { list_.push_back({severity, std::move(text)}); }

  // "edges of more than two triangles: 3 (the first: vertices 0 and 7)"
  template <class Where>
  void add(Severity severity, const Offenders<Where>& offenders, std::string_view what)
  {
    if (offenders.count == 0) return;
    std::string place;
    if constexpr (std::is_same_v<Where, int>)
      place = fmt::format("number {}", offenders.first);
    else
      place = where(offenders.first);
    add(severity, fmt::format("{}: {} (the first: {})", what, offenders.count, place));
  }

  void append(const FindingList& others, std::string_view prefix)
  {
    for (const Finding& f : others.list_) add(f.severity, fmt::format("{}{}", prefix, f.text));
  }

  std::vector<Finding> defects_first() &&
  {
    std::stable_partition(list_.begin(), list_.end(),
                          [](const Finding& f) { return f.severity == Severity::defect; });
    return std::move(list_);
  }

 private:
  std::vector<Finding> list_;
};

void add_intersections(const IntersectionReport& intersections, FindingList& list)
{
  if (intersections.pairs.empty()) return;
  const auto& [a, b] = intersections.pairs.front();
  list.add(Severity::defect,
           fmt::format("pairs of triangles that intersect or touch: {}{} (the first: {} and {})",
                       intersections.complete ? "" : "at least ", intersections.count, a.triangle,
                       b.triangle));
}

FindingList surface_findings(const SurfaceCheck& check)
{
  using enum Severity;
  FindingList list;
  if (check.triangles == 0) list.add(defect, "no triangles");
  list.add(defect, check.overfull_edges, "edges of more than two triangles");
  list.add(defect, check.mismatched_edges, "edges between triangles that face opposite ways");
  list.add(defect, check.pinched_vertices, "vertices that alone hold parts together");
  list.add(defect, check.duplicate_triangles, "triangles that repeat an earlier one");
  list.add(defect, check.triangles_without_area, "triangles without area");
  list.add(defect, check.duplicate_vertices,
           "vertices exactly at the place of an earlier one (weld them)");
  add_intersections(check.intersections, list);
  const bool solid = check.triangles > 0 && check.closed() && check.oriented();
  if (solid && !(check.volume > 0.0))
    list.add(defect,
             fmt::format("closed, but inside out or flat: its volume is {:.6g} m^3", check.volume));
  list.add(note, check.boundary_edges, "open edges, fit for cloth but not for a solid");
  list.add(note, check.unused_vertices, "vertices of no triangle");
  if (check.components > 1) list.add(note, fmt::format("separate pieces: {}", check.components));
  if (check.aspect.greatest > bad_aspect)
    list.add(note, fmt::format("needle triangles: aspect up to {:.3g}", check.aspect.greatest));
  return list;
}

}  // namespace

std::vector<Finding> findings(const SurfaceCheck& check)
{
  return surface_findings(check).defects_first();
}

std::vector<Finding> findings(const TetCheck& check)
{
  using enum Severity;
  FindingList list;
  if (check.tetrahedra == 0) list.add(defect, "no tetrahedra");
  list.add(defect, check.inverted, "inverted or flat tetrahedra");
  list.add(defect, check.overfull_faces, "faces of more than two tetrahedra");
  list.add(defect, check.unused_vertices, "vertices of no tetrahedron, which would have no mass");
  if (check.tetrahedra > 0) list.append(surface_findings(check.surface), "boundary surface: ");
  if (check.aspect.greatest > bad_aspect)
    list.add(note, fmt::format("flat tetrahedra: aspect up to {:.3g}", check.aspect.greatest));
  return std::move(list).defects_first();
}

bool has_defects(const std::vector<Finding>& findings)
{
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& f) { return f.severity == Severity::defect; });
}

}  // namespace tact
