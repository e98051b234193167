#include <limits>

#include <doctest/doctest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <tact/core/error.hpp>
#include <tact/core/random.hpp>
#include <tact/geometry/shapes.hpp>

#include "pictures.hpp"

namespace tact {
namespace {

const Camera from_above{.eye = {3, 2, 4}, .target = {0, 0.3, 0}, .fov = 30.0};

Image with_threads(int threads, const RenderScene& scene, const RenderOptions& options)
{
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, threads);
  Image image;
  tbb::task_arena(threads).execute([&] { image = render(scene, from_above, options); });
  return image;
}

TEST_CASE("the pixels are the same for 1 or 2 or 8 threads")
{
  const TriMesh ball = moved(make_icosphere(0.5, 4), {0, 0.5, 0});
  const TriMesh cloth = moved(make_cloth(1.5, 1.5, 40, 40), {0.2, 0.7, 0});
  RenderScene scene;
  scene.meshes = {view_of(ball, {0.2f, 0.3f, 0.6f}), view_of(cloth, {0.7f, 0.2f, 0.1f})};
  scene.lines.push_back({.from = {-1, 0, 0}, .to = {1, 1, 1}});
  scene.ground = Ground{};
  for (const int side : {1, 2, 3}) {
    const RenderOptions options{.width = 200, .height = 130, .supersampling = side};
    const Image one = with_threads(1, scene, options);
    CHECK(one == with_threads(2, scene, options));
    CHECK(one == with_threads(8, scene, options));
  }
}

TEST_CASE("a scene without bodies is background and ground")
{
  RenderScene scene;
  const Image empty = render(scene, from_above, plain(40, 30));
  for (int y = 0; y < 30; ++y)
    for (int x = 1; x < 40; ++x) CHECK(empty.at(x, y) == empty.at(0, y));  // a vertical gradient
  scene.meshes.emplace_back();  // a mesh without vertices
  CHECK(render(scene, from_above, plain(40, 30)) == empty);
  scene.ground = Ground{};
  CHECK(render(scene, from_above, {.width = 40, .height = 30}) != empty);
  // From below the ground cannot be seen.
  const Camera below{.eye = {3, -2, 4}, .target = {0, 0.3, 0}, .fov = 30.0};
  CHECK(render(scene, below, plain(40, 30)) == empty);
}

TEST_CASE("triangles without area change no pixel")
{
  TriMesh ball = make_icosphere(0.5, 3);
  RenderScene scene;
  scene.meshes.push_back(view_of(ball, {0.5f, 0.5f, 0.5f}));
  const RenderOptions options{.width = 120, .height = 90};
  const Image before = render(scene, from_above, options);
  TriMesh with_slivers = ball;
  const int n = ball.vertex_count();
  with_slivers.positions.push_back(ball.positions[0]);
  with_slivers.positions.push_back(0.5 * (ball.positions[0] + ball.positions[1]));
  with_slivers.triangles.push_back({0, 0, 0});
  with_slivers.triangles.push_back({0, n, 1});
  with_slivers.triangles.push_back({2, 2, 7});
  scene.meshes[0] = view_of(with_slivers, {0.5f, 0.5f, 0.5f});
  CHECK(render(scene, from_above, options) == before);
}

TEST_CASE("what cannot be drawn is refused with its place")
{
  TriMesh ball = make_icosphere(0.5, 1);
  RenderScene scene;
  scene.meshes.push_back(view_of(ball));
  const auto refused = [&](const char* words) {
    CHECK_THROWS_WITH_AS(render(scene, from_above, plain(32, 32)), doctest::Contains(words), Error);
  };
  ball.positions[7].y() = std::numeric_limits<double>::quiet_NaN();
  refused("mesh 0: vertex 7 is at");
  ball.positions[7].y() = 1e12;
  refused("mesh 0: vertex 7 is at");
  ball.positions[7].y() = 0.0;
  ball.triangles[3][1] = 1000;
  refused("mesh 0: triangle 3 names vertex 1000, there are 42");
  scene.meshes.clear();
  CHECK_THROWS_WITH_AS(render(scene, from_above, {.width = 0}),
                       "render: width is 0, expected 1 to 8192", Error);
  CHECK_THROWS_AS(render(scene, from_above, {.supersampling = 5}), Error);
  CHECK_THROWS_AS(render(scene, {.eye = {1, 1, 1}, .target = {1, 1, 1}}, {}), Error);
}

TEST_CASE("extreme triangles give finite colours and do not crash")
{
  Random random(5);
  TriMesh mesh;
  for (int i = 0; i < 3000; ++i) {
    const double size = std::pow(10.0, random.uniform(-9.0, 9.0));
    mesh.positions.push_back(random.in_cube(size));
  }
  for (int i = 0; i < 3000; ++i)
    mesh.triangles.push_back({random.below(3000), random.below(3000), random.below(3000)});
  RenderScene scene;
  scene.meshes.push_back(view_of(mesh, {0.4f, 0.4f, 0.4f}));
  scene.ground = Ground{.height = -1.0};
  const RenderOptions options{.width = 160, .height = 120};
  CHECK(render(scene, from_above, options) == render(scene, from_above, options));
}

TEST_CASE("a line is as wide as asked and is hidden by what stands before it")
{
  RenderScene scene;
  const Camera camera{.eye = {0, 0, 5}, .target = {0, 0, 0}, .fov = 30.0};
  scene.lines.push_back({.from = {-10, 0, 0}, .to = {10, 0, 0}, .width = 4.0});
  const auto black = black_pixels(render(scene, camera, plain(100, 80)));
  for (int y = 0; y < 80; ++y)
    for (int x = 0; x < 100; ++x) CHECK(bool(black[100 * y + x]) == (y >= 38 && y < 42));
  const TriMesh wall = moved(make_box({20, 20, 0.1}), {0, 0, 1});
  scene.meshes.push_back(view_of(wall, {1, 1, 1}));
  const auto hidden = black_pixels(render(scene, camera, plain(100, 80)));
  CHECK(std::count(hidden.begin(), hidden.end(), 1) == 0);
}

}  // namespace
}  // namespace tact
