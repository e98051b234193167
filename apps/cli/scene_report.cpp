#include <cli/scene_report.hpp>

#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tact/scene/scene_file.hpp>

namespace tact::cli {

SceneReport report_on_scene(const std::string& scene)
{
  SceneDescription description = read_scene(scene);
  SceneReport report;
  report.scene = scene;
  report.name = description.name;
  report.size = size_of(description);
  report.steps = description.run.steps();
  report.dt = description.run.dt;
  report.delta = build_scene(std::move(description)).run.contact.delta;
  return report;
}

void print(const SceneReport& report, const Console& console)
{
  const SceneSize& size = report.size;
  console.out << fmt::format(
      "{}: scene \"{}\" of {} bodies, {} vertices, {} triangles, {} tetrahedra, {} freedoms; {} "
      "steps of {:g} ms, contact keeps {:.3g} mm\n",
      report.scene, report.name, size.bodies, size.vertices, size.triangles, size.tetrahedra,
      size.freedoms, report.steps, 1e3 * report.dt, 1e3 * report.delta);
}

nlohmann::ordered_json to_json(const SceneReport& report)
{
  const SceneSize& size = report.size;
  return {{"file", report.scene},
          {"ok", true},
          {"kind", "scene"},
          {"name", report.name},
          {"bodies", size.bodies},
          {"vertices", size.vertices},
          {"triangles", size.triangles},
          {"tetrahedra", size.tetrahedra},
          {"freedoms", size.freedoms},
          {"steps", report.steps},
          {"dt", report.dt},
          {"delta", report.delta}};
}

}  // namespace tact::cli
