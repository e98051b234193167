#include <cli/mesh_report.hpp>

#include <ostream>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <cli/table.hpp>
#include <tact/files/mesh_io.hpp>

namespace tact::cli {
namespace {

using Json = nlohmann::ordered_json;

// ---- As a table -------------------------------------------------------------------------------

class Sheet {
 public:
  Sheet(std::string title, std::string kind) : table_({{std::move(title)}, {std::move(kind), true}})
  {
  }

  void add(std::string what, std::string value)
  {
    table_.add({{std::move(what)}, {std::move(value)}});
  }
  void add(std::string what, int value) { add(std::move(what), fmt::format("{}", value)); }

  void add(std::string what, const Spread& spread)
  {
    add(std::move(what),
        fmt::format("{:.4g} / {:.4g} / {:.4g}", spread.least, spread.mean, spread.greatest));
  }

  void print(const Console& console) const { table_.print(console); }

 private:
  Table table_;
};

std::string in_words(bool yes)
{
  return yes ? "yes" : "no";
}

void add_surface(Sheet& sheet, const SurfaceCheck& check)
{
  const Vector3d extent = check.box.extent();
  sheet.add("triangles", check.triangles);
  sheet.add("edges", check.edges);
  sheet.add("pieces", check.components);
  sheet.add("Euler characteristic", check.euler);
  sheet.add("closed", in_words(check.closed()));
  sheet.add("manifold", in_words(check.manifold()));
  sheet.add("facing one way", in_words(check.oriented()));
  sheet.add(
      "intersecting pairs",
      fmt::format("{}{}", check.intersections.complete ? "" : ">= ", check.intersections.count));
  sheet.add("box (m)", fmt::format("{:.6g} x {:.6g} x {:.6g}", extent[0], extent[1], extent[2]));
  sheet.add("area (m^2)", fmt::format("{:.6g}", check.area));
}

void print_table(const std::string& file, const SurfaceCheck& check, const Console& console)
{
  Sheet sheet(file, "surface");
  sheet.add("vertices", check.vertices);
  add_surface(sheet, check);
  if (check.closed() && check.oriented())
    sheet.add("volume (m^3)", fmt::format("{:.6g}", check.volume));
  sheet.add("edge length (m), least / mean / greatest", check.edge_length);
  sheet.add("aspect, 1 is regular", check.aspect);
  sheet.print(console);
}

void print_table(const std::string& file, const TetCheck& check, const Console& console)
{
  Sheet sheet(file, "tetrahedra");
  sheet.add("vertices", check.vertices);
  sheet.add("tetrahedra", check.tetrahedra);
  sheet.add("inverted", check.inverted.count);
  sheet.add("boundary vertices", check.surface.vertices);
  add_surface(sheet, check.surface);
  sheet.add("volume (m^3)", fmt::format("{:.6g}", check.volume));
  sheet.add("of a tetrahedron (m^3), least / mean / greatest", check.tetrahedron_volume);
  sheet.add("edge length (m)", check.edge_length);
  sheet.add("aspect, 1 is regular", check.aspect);
  sheet.print(console);
}

// ---- As JSON ----------------------------------------------------------------------------------

Json json_of(const Spread& spread)
{
  return {{"least", spread.least}, {"mean", spread.mean}, {"greatest", spread.greatest}};
}

Json json_of(const Vector3d& v)
{
  return {v[0], v[1], v[2]};
}

Json json_of(const SurfaceCheck& check)
{
  Json pairs = Json::array();
  for (const auto& [a, b] : check.intersections.pairs) pairs.push_back({a.triangle, b.triangle});
  return {{"vertices", check.vertices},
          {"triangles", check.triangles},
          {"edges", check.edges},
          {"components", check.components},
          {"euler", check.euler},
          {"closed", check.closed()},
          {"manifold", check.manifold()},
          {"oriented", check.oriented()},
          {"boundary_edges", check.boundary_edges.count},
          {"overfull_edges", check.overfull_edges.count},
          {"mismatched_edges", check.mismatched_edges.count},
          {"pinched_vertices", check.pinched_vertices.count},
          {"unused_vertices", check.unused_vertices.count},
          {"duplicate_vertices", check.duplicate_vertices.count},
          {"duplicate_triangles", check.duplicate_triangles.count},
          {"triangles_without_area", check.triangles_without_area.count},
          {"intersecting_pairs", check.intersections.count},
          {"first_intersecting_pairs", std::move(pairs)},
          {"box", {{"low", json_of(check.box.low)}, {"high", json_of(check.box.high)}}},
          {"area", check.area},
          {"volume", check.closed() && check.oriented() ? Json(check.volume) : Json()},
          {"edge_length", json_of(check.edge_length)},
          {"aspect", json_of(check.aspect)}};
}

Json json_of(const TetCheck& check)
{
  return {{"vertices", check.vertices},
          {"tetrahedra", check.tetrahedra},
          {"inverted", check.inverted.count},
          {"overfull_faces", check.overfull_faces.count},
          {"unused_vertices", check.unused_vertices.count},
          {"volume", check.volume},
          {"tetrahedron_volume", json_of(check.tetrahedron_volume)},
          {"edge_length", json_of(check.edge_length)},
          {"aspect", json_of(check.aspect)},
          {"surface", json_of(check.surface)}};
}

}  // namespace

MeshReport report_on_mesh(const std::string& file)
{
  const auto mesh = read_mesh(file);
  return std::visit(
      [&](const auto& elements) {
        const auto result = check(elements);
        return MeshReport{file, result, findings(result)};
      },
      mesh);
}

void print(const MeshReport& report, const Console& console)
{
  std::visit([&](const auto& check) { print_table(report.file, check, console); }, report.check);
  for (const auto& [severity, text] : report.findings) {
    const bool defect = severity == Severity::defect;
    console.out << console.paint(defect ? "defect" : "note", defect ? Tone::bad : Tone::faint)
                << ": " << text << '\n';
  }
  if (report.ok()) console.out << console.paint("fit for simulation", Tone::good) << '\n';
}

Json to_json(const MeshReport& report)
{
  Json json{{"file", report.file},
            {"ok", report.ok()},
            {"kind", report.check.index() == 0 ? "surface" : "tetrahedra"}};
  std::visit([&](const auto& check) { json.update(json_of(check)); }, report.check);
  json["findings"] = Json::array();
  for (const auto& [severity, text] : report.findings)
    json["findings"].push_back(
        {{"severity", severity == Severity::defect ? "defect" : "note"}, {"text", text}});
  return json;
}

ExitCode exit_code(const MeshReport& report)
{
  return report.ok() ? done : not_reached;
}

}  // namespace tact::cli
