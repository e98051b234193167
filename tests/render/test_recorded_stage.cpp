#include <algorithm>

#include <doctest/doctest.h>

#include <tact/render/recorded_stage.hpp>

#include "recorded_scene.hpp"

namespace tact {
namespace {

TEST_CASE("a slab under everything becomes the ground and does not move the camera")
{
  const TemporaryFolder folder;
  const Recording small = record(folder.path() / "small", {.slab = 20.0});
  const Recording large = record(folder.path() / "large", {.slab = 200.0});
  const RecordedStage stage(small, 16.0 / 9.0);
  const std::vector<Vector3d> vertices = small.vertices(0);
  const RenderScene scene = stage.scene(0, vertices);
  REQUIRE(scene.ground);
  CHECK(scene.ground->height == 0.0);
  CHECK(scene.meshes.size() == 2);  // ball and cloth
  CHECK(stage.camera().eye == RecordedStage(large, 16.0 / 9.0).camera().eye);
}

TEST_CASE("without a slab the floor is at the lowest point of the run")
{
  const TemporaryFolder folder;
  const Recording recording = record(folder.path() / "run", {.slab = 0.0});
  double lowest = 1e9;
  for (int k = 0; k < recording.frame_count(); ++k)
    for (const Vector3d& p : recording.vertices(k)) lowest = std::min(lowest, p.y());
  const std::vector<Vector3d> vertices = recording.vertices(0);
  CHECK(RecordedStage(recording, 1.0).scene(0, vertices).ground->height == lowest);
}

TEST_CASE("closed bodies show their outside only and kinds have their colours")
{
  const TemporaryFolder folder;
  const Recording recording = record(folder.path() / "run", {});
  const std::vector<Vector3d> vertices = recording.vertices(2);
  const RenderScene scene = RecordedStage(recording, 1.0).scene(2, vertices);
  CHECK_FALSE(scene.meshes[0].two_sided);                        // the ball
  CHECK(scene.meshes[1].two_sided);                              // the cloth
  CHECK(scene.meshes[0].color.z() > scene.meshes[0].color.x());  // rigid is blue
  CHECK(scene.meshes[1].color.x() > scene.meshes[1].color.z());  // cloth is red
  CHECK(scene.meshes[0].vertices.data() == vertices.data());
  CHECK(scene.caption.starts_with("drop   t = 0.200 s"));
}

TEST_CASE("a film plays in real time whatever the frames' distance")
{
  const std::vector<double> fine = {0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1};
  CHECK(film_frames(fine, 50.0, 1.0) == std::vector<int>{0, 2, 4, 6, 8, 10});
  CHECK(film_frames(fine, 50.0, 0.5) == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  CHECK(film_frames(fine, 50.0, 2.0) == std::vector<int>{0, 4, 8});
  const std::vector<double> coarse = {1.0, 1.1, 1.2};
  CHECK(film_frames(coarse, 30.0, 1.0) == std::vector<int>{0, 0, 1, 1, 1, 2, 2});
  CHECK(film_frames(std::vector<double>{3.0}, 30.0, 1.0) == std::vector<int>{0});
  CHECK(film_frames(std::vector<double>{}, 30.0, 1.0).empty());
}

}  // namespace
}  // namespace tact
