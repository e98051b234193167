#include <cmath>
#include <numbers>

#include <doctest/doctest.h>

#include <tact/geometry/shapes.hpp>
#include <tact/render/shadow_map.hpp>
#include <tact/render/sky_light.hpp>

#include "pictures.hpp"

namespace tact {
namespace {

using Eigen::Vector3f;
using Casters = std::vector<std::array<Vector3f, 3>>;

Casters casters_of(const TriMesh& mesh)
{
  Casters casters;
  for (int i = 0; i < mesh.triangle_count(); ++i) {
    const auto c = mesh.corners(i);
    casters.push_back({c[0].cast<float>(), c[1].cast<float>(), c[2].cast<float>()});
  }
  return casters;
}

TEST_CASE("the shadow of a plate lies where the light's rays through it meet the ground")
{
  const double height = 1.0;
  const Casters plate = casters_of(moved(make_cloth(1.0, 1.0, 2, 2), {0, height, 0}));
  const Vector3d towards = Vector3d(0.5, 1.0, 0.25).normalized();
  const DistantLight light{.direction = towards, .breadth = 0.02};
  const ShadowMap map(light, plate, 512);
  const Vector3f up = Vector3f::UnitY();
  // The plate's point (x, 1, z) shades (x, 0, z) - towards / towards.y. Half the penumbra is
  // breadth / 2 times the way to the plate, seen at a slant, and a few texels of 1/512 m.
  const double blur = 0.5 * light.breadth * height / towards.y() / towards.y() + 0.01;
  int in_shadow = 0, in_light = 0;
  for (double x = -2.0; x <= 2.0; x += 0.02)
    for (double z = -2.0; z <= 2.0; z += 0.02) {
      const double px = x + towards.x() / towards.y(), pz = z + towards.z() / towards.y();
      const double depth = 0.5 - std::max(std::abs(px), std::abs(pz));  // inside the plate's shadow
      const float lit = map.lit(Vector3d(x, 0.0, z).cast<float>(), up);
      if (depth > blur) {
        CHECK(lit == 0.0f);
        ++in_shadow;
      } else if (depth < -blur) {
        CHECK(lit == 1.0f);
        ++in_light;
      } else {
        CHECK((lit >= 0.0f && lit <= 1.0f));
      }
    }
  CHECK(in_shadow > 1000);
  CHECK(in_light > 10000);
}

TEST_CASE("half of a broad light is seen under the edge of what hides it")
{
  const Casters plate = casters_of(moved(make_cloth(1.0, 1.0, 2, 2), {0, 0.5, 0}));
  const ShadowMap map({.direction = Vector3d::UnitY(), .breadth = 0.02}, plate, 512);
  const Vector3f up = Vector3f::UnitY();
  const float edge = map.lit({0.5f, 0.0f, 0.0f}, up);
  CHECK(edge ==
        doctest::Approx(0.5).epsilon(0.2));  // the grid moves the edge by up to half a texel
  // Over the penumbra, 0.02 x 0.5 = 10 mm wide or 5 texels, light grows from nothing to all.
  float before = 0.0f;
  for (float x = 0.49f; x < 0.51f; x += 0.0005f) {
    const float lit = map.lit({x, 0.0f, 0.0f}, up);
    CHECK(lit >= before - 1e-6f);
    before = lit;
  }
  CHECK(map.lit({0.485f, 0.0f, 0.0f}, up) == 0.0f);
  CHECK(map.lit({0.515f, 0.0f, 0.0f}, up) == 1.0f);
}

TEST_CASE("a convex body throws no shadow on the side that faces the light")
{
  const TriMesh sphere = make_icosphere(1.0, 5);
  const Vector3d towards = Vector3d(1, 2, 1).normalized();
  const ShadowMap map({.direction = towards}, casters_of(sphere), 1024);
  for (int i = 0; i < sphere.triangle_count(); ++i) {
    const auto c = sphere.corners(i);
    const Vector3d centre = (c[0] + c[1] + c[2]) / 3.0;
    const Vector3d normal = centre.normalized();
    // Grazing light, below 10 degrees, is left to the penumbra.
    if (normal.dot(towards) > std::sin(10.0 * std::numbers::pi / 180.0))
      CHECK(map.lit(centre.cast<float>(), normal.cast<float>()) == 1.0f);
    if (normal.dot(towards) < -0.3)
      CHECK(map.lit(centre.cast<float>(), (-normal).cast<float>()) == 0.0f);
  }
}

TEST_CASE("nothing to cast shadows means light everywhere")
{
  const ShadowMap map({}, {}, 64);
  const SkyLight sky(Casters{});
  CHECK(map.lit({0, 0, 0}, Vector3f::UnitY()) == 1.0f);
  CHECK(map.lit({1e6f, -3, 0}, Vector3f::UnitX()) == 1.0f);
  CHECK(sky.seen({0, 0, 0}, Vector3f::UnitY()) == 1.0f);
}

TEST_CASE("a disk overhead hides the sine squared of its half angle")
{
  // Light of an even sky on a level plane: a disk of half angle a hides sin^2 a of it.
  const TriMesh disk = moved(make_cylinder(1.0, 0.02, 64), {0, 0.5, 0});
  SkyLight sky(casters_of(disk));
  const Vector3f up = Vector3f::UnitY();
  const double hidden = 1.0 / (1.0 + 0.5 * 0.5);
  // Eight directions and six distances, the last of which is 0.84 of the disk's radius.
  CHECK(1.0 - sky.seen({0, 0, 0}, up) == doctest::Approx(hidden).epsilon(0.15));
  CHECK(sky.seen({0, 0.7f, 0}, up) == 1.0f);  // on top of it
  // Farther from it more is seen; the table of the plane agrees with what it was made from.
  sky.prepare_plane(0.0f);
  float before = 0.0f;
  for (const float x : {0.0f, 1.0f, 1.2f, 1.5f, 1.8f}) {
    const float seen = sky.seen({x, 0, 0}, up);
    CHECK(seen >= before - 0.02f);
    CHECK(sky.seen_on_plane(x, 0.0f) == doctest::Approx(seen).epsilon(0.1));
    before = seen;
  }
  CHECK(before > 0.95f);
  CHECK(sky.seen_on_plane(100.0f, 0.0f) == 1.0f);
}

TEST_CASE("shadows darken the ground behind a body and nothing before it")
{
  const TriMesh box = moved(make_box({1, 1, 1}), {0, 0.5, 0});
  RenderScene scene;
  scene.meshes.push_back(view_of(box, Color::Constant(0.5f)));
  scene.ground = Ground{.height = 0.0, .centre = {0, 0, 0}, .radius = 5.0, .square = 100.0};
  const Camera camera{.eye = {0, 4, 6}, .target = {0, 0, 0}, .fov = 45.0};
  RenderOptions options = plain(320, 240);
  const Image bright = render(scene, camera, options);
  options.shadows = true;
  const Image shaded = render(scene, camera, options);
  // The light stands at the viewer's left, 52 degrees high, so the shadow falls to the right and
  // back: a box of height 1 shades (0.58, -0.52) / tan 52 beyond its right side.
  const auto dark = [&](double x, double z) {
    const double focal = 120.0 / std::tan(22.5 * std::numbers::pi / 180.0);
    const Matrix3d axes = view_axes(camera);
    const Vector3d seen = axes * (Vector3d(x, 0, z) - camera.eye);
    const int i = static_cast<int>(160 + focal * seen.x() / seen.z());
    const int j = static_cast<int>(120 + focal * seen.y() / seen.z());
    return shaded.at(i, j)[1] < 0.8 * bright.at(i, j)[1];
  };
  CHECK(dark(0.75, -0.2));
  CHECK_FALSE(dark(0.75, 0.9));
  CHECK_FALSE(dark(-1.2, 0.0));
  CHECK_FALSE(dark(0.0, 1.5));
}

}  // namespace
}  // namespace tact
