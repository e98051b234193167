#include <algorithm>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include <tact/core/error.hpp>
#include <tact/core/random.hpp>
#include <tact/render/projection.hpp>

namespace tact {
namespace {

TEST_CASE("the automatic camera sees every point and stands no farther than it must")
{
  Random random(21);
  for (int trial = 0; trial < 50; ++trial) {
    const double aspect = random.uniform(0.4, 2.5);
    const Vector3d size(std::exp(random.uniform(-4, 4)), std::exp(random.uniform(-4, 4)),
                        std::exp(random.uniform(-4, 4)));
    const Vector3d place = random.in_cube(10.0);
    CameraFit fit(aspect);
    std::vector<Vector3d> points;
    for (int i = 0; i < 100; ++i) {
      points.push_back(place + random.in_cube(1.0).cwiseProduct(size));
      fit.add(points.back());
    }
    const Camera camera = fit.camera();
    const Projection projection(camera, 1000, static_cast<int>(1000 / aspect));
    double across = 0.0, upright = 0.0;  // largest distance from the middle, as part of the half
    for (const Vector3d& p : points) {
      const Vector3d seen = projection.view(p);
      CHECK(seen.z() > 0.0);
      const ScreenCorner c = projection.screen(seen);
      across = std::max(across, std::abs(c.x / projection.centre.x() - 1.0));
      upright = std::max(upright, std::abs(c.y / projection.centre.y() - 1.0));
    }
    CHECK(across < 0.87);
    CHECK(upright < 0.87);
    CHECK(std::max(across, upright) > 0.85);  // 0.86, but for the rounding of the picture's height
  }
}

TEST_CASE("nothing and one point can be looked at too")
{
  CHECK_NOTHROW(validate(CameraFit(1.5).camera()));
  CameraFit fit(1.5);
  fit.add({3, 4, 5});
  const Camera camera = fit.camera();
  CHECK_NOTHROW(validate(camera));
  CHECK((camera.target - Vector3d(3, 4, 5)).norm() < 1e-9);
}

TEST_CASE("the axes of the view are a rotation that keeps y upright")
{
  Random random(22);
  for (int trial = 0; trial < 100; ++trial) {
    const Camera camera{.eye = random.in_cube(3.0), .target = random.in_cube(3.0)};
    const Matrix3d axes = view_axes(camera);
    CHECK((axes * axes.transpose() - Matrix3d::Identity()).norm() < 1e-12);
    CHECK(axes.determinant() == doctest::Approx(1.0));
    CHECK(std::abs(axes(0, 1)) < 1e-12);  // right is level
    CHECK(axes(1, 1) < 0.0);              // down is down
  }
  for (const double y : {-1.0, 1.0}) {  // straight up and down
    const Matrix3d axes = view_axes({.eye = {0, 0, 0}, .target = {0, y, 0}});
    CHECK((axes * axes.transpose() - Matrix3d::Identity()).norm() < 1e-12);
    CHECK(axes.row(1).isApprox(Vector3d(0, 0, 1).transpose()));
  }
}

TEST_CASE("a camera is read from its numbers")
{
  const Camera camera = parse_camera(" 1,2.5,-3   0 0 1e-1  45 ", "--camera");
  CHECK(camera.eye == Vector3d(1, 2.5, -3));
  CHECK(camera.target == Vector3d(0, 0, 0.1));
  CHECK(camera.fov == 45.0);
  CHECK(parse_camera("1 2 3 4 5 6", "--camera").fov == 30.0);
  const auto refused = [](const char* text, const char* words) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(parse_camera(text, "--camera"), doctest::Contains(words), Error);
  };
  refused("", "found 0 numbers, expected 6 or 7");
  refused("1 2 3", "found 3 numbers");
  refused("1 2 3 4 5 6 7 8", "found 8 numbers");
  refused("1 2 3 a 5 6", "expected numbers");
  refused("1 2 3x 4 5 6", "expected numbers");
  refused("1 2 3 1 2 3", "the same point");
  refused("1 2 3 4 5 6 180", "fov is 180 degrees");
  refused("nan 2 3 4 5 6", "not finite");
}

}  // namespace
}  // namespace tact
