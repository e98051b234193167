#include <doctest/doctest.h>

#include <tact/contact/lorentz_cone.hpp>
#include <tact/core/random.hpp>

using namespace tact;

namespace {

Vector3d inside(Random& random)
{
  const Vector2d t(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
  return {t.norm() + random.uniform(0.01, 1.0), t[0], t[1]};
}

}  // namespace

TEST_CASE("the scaling maps z and y to the same point, N z = N^-1 y")
{
  Random random(9);
  for (int trial = 0; trial < 100; ++trial) {
    const Vector3d y = inside(random);
    const Vector3d z = inside(random);
    const auto s = lorentz::scaling<3>(y, z);
    CHECK((s.N * z - s.inverse * y).norm() < 1e-12 * (s.l.norm() + y.norm() * s.inverse.norm()));
    CHECK((s.N * s.inverse - Matrix3d::Identity()).norm() < 1e-11 * s.N.norm() * s.inverse.norm());
    CHECK((s.N - s.N.transpose()).norm() == 0.0);
  }
}

TEST_CASE("the quotient undoes the product")
{
  Random random(11);
  for (int trial = 0; trial < 100; ++trial) {
    const Vector3d l = inside(random);
    const Vector3d x(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), 0.3);
    CHECK((lorentz::quotient<3>(l, lorentz::product<3>(l, x)) - x).norm() <
          1e-13 * l.squaredNorm() / lorentz::determinant<3>(l));
  }
}

TEST_CASE("the longest step ends on the boundary of the cone")
{
  Random random(13);
  int ended = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Vector3d x = inside(random);
    const Vector3d d(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0),
                     random.uniform(-1.0, 1.0));
    const double step = lorentz::longest_step<3>(x, d);
    const double far = std::min(step, 1e3);
    const auto gap = [&](double a) {
      const Vector3d at = x + a * d;
      return at[0] - at.tail<2>().norm();
    };
    CHECK(gap(0.999 * far) > -1e-12 * far);
    if (std::isinf(step)) continue;
    ++ended;
    CHECK(std::abs(gap(step)) < 1e-9 * (1.0 + step));
  }
  CHECK(ended > 300);
}
