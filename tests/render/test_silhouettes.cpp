#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <tact/geometry/shapes.hpp>
#include <tact/render/projection.hpp>

#include "pictures.hpp"

namespace tact {
namespace {

constexpr int width = 320, height = 240;

std::vector<char> silhouette(const TriMesh& mesh, const Camera& camera)
{
  RenderScene scene;
  scene.meshes.push_back(view_of(mesh));
  return black_pixels(render(scene, camera, plain(width, height)));
}

TEST_CASE("a sphere's outline is the cone of rays that touch it")
{
  // With 20 x 4^6 triangles the mesh is within 4e-5 of its radius, a hundredth of a pixel.
  const double radius = 1.0;
  const TriMesh sphere = make_icosphere(radius, 6);
  for (const Vector3d& target : {Vector3d(0, 0, 0), Vector3d(0.9, -0.5, 0.0)}) {
    const Camera camera{.eye = {2.0, 1.5, 4.0}, .target = target, .fov = 40.0};
    const Projection projection(camera, width, height);
    const double distance = camera.eye.norm();
    const double half_angle = std::asin(radius / distance);
    const auto inside = [&](double x, double y) {
      const Vector3d ray = projection.ray(x, y).normalized();
      return std::acos(std::clamp(-ray.dot(camera.eye) / distance, -1.0, 1.0)) < half_angle;
    };
    const std::vector<char> black = silhouette(sphere, camera);
    int wrong = 0;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        int neighbours = 0;  // places half a pixel around the sample that lie inside
        for (const double dx : {0.0, 1.0})
          for (const double dy : {0.0, 1.0}) neighbours += inside(x + dx, y + dy);
        if (neighbours == 4) wrong += !black[width * y + x];
        if (neighbours == 0) wrong += black[width * y + x];
      }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a sphere in the middle covers pi r^2 pixels with r = f R / sqrt(d^2 - R^2)")
{
  const Camera camera{.eye = {0, 0, 5.0}, .target = {0, 0, 0}, .fov = 30.0};
  const double focal = 0.5 * height / std::tan(15.0 * std::numbers::pi / 180.0);
  const double r = focal / std::sqrt(25.0 - 1.0);  // 91.4 pixels
  const std::vector<char> black = silhouette(make_icosphere(1.0, 6), camera);
  // Points of a grid in a circle: the error of the count grows like r^(2/3), some 40 of 26,000.
  CHECK(std::ranges::count(black, 1) == doctest::Approx(std::numbers::pi * r * r).epsilon(0.002));
}

TEST_CASE("a box seen from a corner is the hexagon of its projected corners")
{
  const TriMesh box = make_box({1.0, 0.7, 1.3});
  const Camera camera{.eye = {2.0, 1.6, 2.4}, .target = {0.1, 0, 0}, .fov = 35.0};
  const Projection projection(camera, width, height);
  std::vector<Vector2d> corners;
  for (const Vector3d& p : box.positions) {
    const ScreenCorner c = projection.screen(projection.view(p));
    corners.emplace_back(c.x, c.y);
  }
  // Distance to the convex hull's edges: a line through two corners that has all others on its
  // left.
  const auto depth_inside = [&](const Vector2d& p) {
    double least = 1e9;
    for (const Vector2d& a : corners)
      for (const Vector2d& b : corners) {
        const Vector2d along = b - a;
        if (along.norm() < 1e-9) continue;
        const Vector2d left = Vector2d(-along.y(), along.x()).normalized();
        const bool edge = std::ranges::all_of(
            corners, [&](const Vector2d& c) { return left.dot(c - a) > -1e-9; });
        if (edge) least = std::min(least, left.dot(p - a));
      }
    return least;
  };
  const std::vector<char> black = silhouette(box, camera);
  int wrong = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double depth = depth_inside({x + 0.5, y + 0.5});
      // Corners are rounded to 1/256 pixel; nearer to the outline than that nothing is promised.
      if (std::abs(depth) > 0.01) wrong += black[width * y + x] != (depth > 0.0);
    }
  CHECK(wrong == 0);
}

TEST_CASE("the nearer of two crossing faces is seen")
{
  // Two squares that cross along the axis y, seen along -z.
  TriMesh left = make_cloth(2.0, 2.0, 2, 2), right = left;
  const Eigen::AngleAxisd upright(0.5 * std::numbers::pi, Vector3d::UnitX());
  for (Vector3d& p : left.positions) p = Eigen::AngleAxisd(0.6, Vector3d::UnitY()) * upright * p;
  for (Vector3d& p : right.positions) p = Eigen::AngleAxisd(-0.6, Vector3d::UnitY()) * upright * p;
  RenderScene scene;
  scene.meshes = {view_of(left, {1, 0, 0}), view_of(right, {0, 0, 1})};
  const Camera camera{.eye = {0, 0, 4}, .target = {0, 0, 0}, .fov = 30.0};
  const Image image = render(scene, camera, plain(width, height));
  // The first is turned so that its left half (x < 0) comes forward.
  int wrong = 0;
  for (int y = 60; y < 180; ++y)
    for (int x = 90; x < 230; ++x) {
      const auto pixel = image.at(x, y);
      if (x != 159 && x != 160) wrong += (pixel[0] > pixel[2]) != (x < 160);
    }
  CHECK(wrong == 0);
}

TEST_CASE("a triangle that passes beside and behind the eye is cut at the near plane")
{
  // A floor one below the eye, far larger than anything: all below the horizon is covered.
  TriMesh floor;
  const double far = 1e5;
  floor.positions = {{-far, 0, -far}, {0, 0, 2 * far}, {far, 0, -far}};
  floor.triangles = {{0, 1, 2}};
  const Camera camera{.eye = {0, 1, 0}, .target = {0, 1, -10}, .fov = 60.0};
  const std::vector<char> black = silhouette(floor, camera);
  // The floor ends at z = -1e5, which is 1e-5 of the focal length under the horizon.
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) CHECK(bool(black[width * y + x]) == (y >= height / 2));

  // Inside a closed box every pixel sees a wall.
  const std::vector<char> walls =
      silhouette(make_box({10, 10, 10}), {.eye = {1, 2, 3}, .target = {-4, 1, 0}, .fov = 100.0});
  CHECK(std::ranges::count(walls, 1) == width * height);
}

TEST_CASE("without two sides, faces that turn their back are left out")
{
  const TriMesh box = make_box({10, 10, 10});
  RenderScene scene;
  scene.meshes.push_back(view_of(box));
  scene.meshes[0].two_sided = false;
  const Camera within{.eye = {0, 0, 0}, .target = {1, 0.2, 0}};
  CHECK(std::ranges::count(black_pixels(render(scene, within, plain(64, 48))), 1) == 0);
  const Camera outside{.eye = {30, 20, 30}, .target = {0, 0, 0}};
  const auto one_sided = black_pixels(render(scene, outside, plain(64, 48)));
  scene.meshes[0].two_sided = true;
  CHECK(one_sided == black_pixels(render(scene, outside, plain(64, 48))));
}

}  // namespace
}  // namespace tact
