#include <cli/scene_report.hpp>

#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tact/core/printable.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/step_options.hpp>

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
  const Scene built = build_scene(std::move(description));
  report.delta = built.run.contact.delta;
  (void)step_options(built.run);  // refuses settings that contradict each other
  report.not_taken = not_taken(built);
  return report;
}

void print(const SceneReport& report, const Console& console)
{
  const SceneSize& size = report.size;
  console.out << fmt::format(
      "{}: scene \"{}\" of {} bodies, {} vertices, {} triangles, {} tetrahedra, {} freedoms; {} "
      "steps of {:g} ms, contact keeps {:.3g} mm\n",
      report.scene, printable(report.name), size.bodies, size.vertices, size.triangles,
      size.tetrahedra, size.freedoms, report.steps, 1e3 * report.dt, 1e3 * report.delta);
  if (!report.not_taken.empty()) console.out << report.not_taken << '\n';
}

nlohmann::ordered_json to_json(const SceneReport& report)
{
  const SceneSize& size = report.size;
  nlohmann::ordered_json json = {{"file", report.scene},
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
  if (!report.not_taken.empty()) json["not_taken"] = report.not_taken;
  return json;
}

}  // namespace tact::cli
