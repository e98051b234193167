#include <cli/mesh_report.hpp>

#include <sstream>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <tact/core/error.hpp>
#include <tact/files/mesh_io.hpp>
#include <tact/geometry/shapes.hpp>

#include <files/temporary_folder.hpp>

namespace tact::cli {
namespace {

std::string printed(const MeshReport& report)
{
  std::ostringstream out, err;
  print(report, Console{out, err});
  CHECK(err.str().empty());
  return out.str();
}

bool contains(const std::string& text, const std::string& part)
{
  return text.find(part) != std::string::npos;
}

std::string obj_of(const TriMesh& mesh)
{
  const std::vector<NamedSurface> one{{"shape", &mesh}};
  return obj_text(one);
}

TEST_CASE("A sound mesh: a table, exit code 0, and ok in the JSON")
{
  const TemporaryFolder folder;
  const auto file = folder.file("torus.obj", obj_of(make_torus(1, 0.25, 20, 10)));
  const MeshReport report = report_on_mesh(file.string());
  CHECK(exit_code(report) == done);
  const std::string text = printed(report);
  CHECK(contains(text, "fit for simulation"));
  CHECK_FALSE(contains(text, "defect"));
  const auto json = to_json(report);
  CHECK(json["ok"] == true);
  CHECK(json["kind"] == "surface");
  CHECK(json["euler"] == 0);
  CHECK(json["triangles"] == 400);
  CHECK(json["intersecting_pairs"] == 0);
  CHECK(json["findings"].empty());
}

TEST_CASE("A mesh that is cut open and crosses itself: each defect told once, exit code 3")
{
  const TemporaryFolder folder;
  TriMesh mesh = make_box({1, 1, 1});
  mesh.triangles.pop_back();
  for (Vector3d& p : mesh.positions)
    if (p == Vector3d(-0.5, -0.5, -0.5)) p = {0.1, 0.2, 3.0};  // through the top
  const MeshReport report = report_on_mesh(folder.file("bad.obj", obj_of(mesh)).string());
  CHECK(exit_code(report) == not_reached);
  CHECK(contains(printed(report), "defect: "));
  const auto json = to_json(report);
  CHECK(json["ok"] == false);
  CHECK(json["closed"] == false);
  CHECK(json["volume"].is_null());
  CHECK(json["boundary_edges"] == 3);
  CHECK(json["intersecting_pairs"] > 0);
  CHECK(json["findings"][0]["severity"] == "defect");
}

TEST_CASE("Tetrahedra: inverted ones are a defect, and the surface has its own part")
{
  const TemporaryFolder folder;
  const std::string nodes =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
      "$EndNodes\n$Elements\n1\n1 4 0 ";
  const auto good = folder.file("good.msh", nodes + "1 2 3 4\n$EndElements\n");
  const auto bad = folder.file("bad.msh", nodes + "1 3 2 4\n$EndElements\n");
  CHECK(exit_code(report_on_mesh(good.string())) == done);
  const MeshReport report = report_on_mesh(bad.string());
  CHECK(exit_code(report) == not_reached);
  CHECK(contains(printed(report), "inverted or flat tetrahedra: 1 (the first: number 0)"));
  const auto json = to_json(report);
  CHECK(json["kind"] == "tetrahedra");
  CHECK(json["inverted"] == 1);
  CHECK(json["surface"]["triangles"] == 4);
}

TEST_CASE("A file that is no mesh throws one Error, which the command turns into exit code 2")
{
  const TemporaryFolder folder;
  CHECK_THROWS_AS(report_on_mesh(folder.file("a.obj", "hello\n").string()), Error);
  CHECK_THROWS_AS(report_on_mesh("not-there.stl"), Error);
}

}  // namespace
}  // namespace tact::cli
