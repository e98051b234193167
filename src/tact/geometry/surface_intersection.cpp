#include <tact/geometry/surface_intersection.hpp>

#include <algorithm>
#include <limits>

#include <tact/geometry/box_tree.hpp>
#include <tact/geometry/predicates.hpp>
#include <tact/geometry/triangle_intersection.hpp>

namespace tact {
namespace {

// Which corners two triangles have in common, by index. Rotating each triangle so that the shared
// ones come first (or the one apex last) keeps the tests free of index juggling.
struct SharedCorners {
  int count = 0;
  int in_s = 0;  // places of shared corners added up: tells which one (count 1) or which apex (2)
  int in_t = 0;
};

SharedCorners shared_corners(const Triangle& s, const Triangle& t)
{
  SharedCorners shared;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (s[i] != t[j]) continue;
      ++shared.count;
      shared.in_s += i;
      shared.in_t += j;
    }
  }
  return shared;
}

TrianglePoints starting_with(int corner, const TrianglePoints& t)
{
  return {t[corner], t[(corner + 1) % 3], t[(corner + 2) % 3]};
}

bool triangles_of_surface_intersect(const TriMesh& mesh, int a, int b)
{
  const TrianglePoints s = mesh.corners(a), t = mesh.corners(b);
  const SharedCorners shared = shared_corners(mesh.triangles[a], mesh.triangles[b]);
  if (shared.count == 0) return triangles_intersect(s, t);
  if (shared.count == 1)
    return triangles_intersect_beyond_vertex(starting_with(shared.in_s, s),
                                             starting_with(shared.in_t, t));
  if (shared.count > 2) return true;                                   // the same triangle twice
  const TrianglePoints from_apex = starting_with(3 - shared.in_s, s);  // places add up to 3
  return triangles_intersect_beyond_edge(from_apex[1], from_apex[2], from_apex[0],
                                         t[3 - shared.in_t]);
}

struct Limits {
  std::size_t kept = std::numeric_limits<std::size_t>::max();
  long counted = std::numeric_limits<long>::max();
};

// The smallest `kept` pairs stay, as a heap with the largest in front until the end.
void keep(const IntersectingPair& pair, std::size_t kept, std::vector<IntersectingPair>& pairs)
{
  if (pairs.size() == kept) {
    if (!(pair < pairs.front())) return;
    std::pop_heap(pairs.begin(), pairs.end());
    pairs.pop_back();
  }
  pairs.push_back(pair);
  std::push_heap(pairs.begin(), pairs.end());
}

IntersectionReport find_pairs(std::span<const TriMesh> surfaces, const Limits& limits)
{
  IntersectionReport report;
  std::vector<TriangleOfSurface> triangles;
  std::vector<Aabb> boxes;
  for (std::size_t k = 0; k < surfaces.size(); ++k) {
    for (int t = 0; t < surfaces[k].triangle_count(); ++t) {
      const auto [a, b, c] = surfaces[k].corners(t);
      const TriangleOfSurface triangle{static_cast<int>(k), t};
      if (collinear(a, b, c)) {
        report.without_area.push_back(triangle);
        continue;
      }
      triangles.push_back(triangle);
      boxes.push_back(box_of(a, b, c));
    }
  }

  BoxTree(boxes).for_each_overlap([&](int i, int j) {
    if (!report.complete) return;
    const TriangleOfSurface a = triangles[i], b = triangles[j];
    const TriMesh& surface_a = surfaces[a.surface];
    const bool intersect = a.surface == b.surface
                               ? triangles_of_surface_intersect(surface_a, a.triangle, b.triangle)
                               : triangles_intersect(surface_a.corners(a.triangle),
                                                     surfaces[b.surface].corners(b.triangle));
    ++report.candidates;
    if (!intersect) return;
    keep({a, b}, limits.kept, report.pairs);
    report.complete = ++report.count < limits.counted;
  });
  std::sort_heap(report.pairs.begin(), report.pairs.end());
  return report;
}

}  // namespace

IntersectionReport intersecting_pairs(std::span<const TriMesh> surfaces)
{
  return find_pairs(surfaces, {});
}

IntersectionReport intersecting_pairs(const TriMesh& surface)
{
  return intersecting_pairs(std::span(&surface, 1));
}

IntersectionReport first_intersecting_pairs(const TriMesh& surface)
{
  return find_pairs(std::span(&surface, 1), {.kept = 100, .counted = 1'000'000});
}

}  // namespace tact
