// A soft letter that can be closed onto itself.
#include <algorithm>

#include <doctest/doctest.h>

#include <files/temporary_folder.hpp>
#include <tact/geometry/shapes.hpp>
#include <tact/run/verify.hpp>
#include <tact/samples/scene_parts.hpp>
#include <tact/scene/scene_file.hpp>
#include "scene_run.hpp"

using namespace tact;

namespace {

constexpr double letter_height = 0.1, pressed_to = letter_height / 3.0;  // m
constexpr double press_time = 1.0;                                       // s

struct PressedC {
  RunReport report;
  VerifyReport verdict;
  double height = 0.0;  // m: of the letter in the end
};

// A "C" upright on the ground, and a plate that comes down on it, so that its arms meet.
PressedC press_c(bool self_collision)
{
  SceneDescription scene =
      read_scene("drop-letters", {"/text=C", "/height=0.1", "/depth=0.06", "/drop=0.004",
                                  "/tetrahedra=400", "/time=1.2", "/dt=0.005"});
  auto& letter = std::get<SoftOptions>(scene.bodies.back().options);
  letter.self_collision = self_collision;
  const double top = bounding_box(start_surface(scene.bodies.back().options).positions).high.y();
  constexpr double thick = 0.02;
  const auto at = [](double t, double y) {
    return Keyframe{.t = t, .position = {0.05, y + 0.5 * thick, 0.0}};
  };
  scene.bodies.push_back(moving_obstacle("press", make_box({0.4, thick, 0.3}),
                                         {at(0.0, top + 0.004), at(press_time, pressed_to)}));
  const Scene built = build_scene(scene);
  const TemporaryFolder folder;
  PressedC made;
  made.report = run(built.world, run_settings(built, folder.path()));
  const Recording recording = Recording::open(folder.path());
  made.verdict = verify(recording);
  const Frame end = recording.frame(recording.frame_count() - 1);
  const RecordedBody& body = recording.header().bodies[built.world.find("C-0")];
  for (int i = 0; i < body.vertex_count; ++i)
    made.height = std::max(made.height, end.vertices[body.first_vertex + i].y());
  return made;
}

}  // namespace

TEST_CASE("a soft C pressed to a third of its height meets itself and nothing intersects")
{
  const PressedC made = press_c(true);
  CHECK(made.report.finished);
  CHECK(made.height < pressed_to);
  CHECK(made.report.totals.intersecting_pairs == 0);
  CHECK(made.report.totals.penetration_max == 0.0);
  CHECK(made.verdict.intersecting_pairs == 0);
  CHECK(made.verdict.ok());
}

TEST_CASE("the same C without contact with itself goes through itself, and the report says so")
{
  const PressedC made = press_c(false);
  CHECK(made.report.finished);
  CHECK(made.height < pressed_to);
  CHECK(made.report.totals.intersecting_pairs > 100);
  CHECK(made.report.totals.penetration_max > 1e-3);  // m
  CHECK(made.verdict.intersecting_pairs > 100);
}
