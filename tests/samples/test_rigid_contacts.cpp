#include <doctest/doctest.h>

#include <Eigen/Geometry>

#include <tact/core/random.hpp>
#include <tact/samples/rigid_contacts.hpp>

using namespace tact;

TEST_CASE("contact rows measure the relative velocity of the two material points")
{
  Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    RigidContactBuilder builder;
    const Vector3d centre_a = random.in_cube(1.0), centre_b = random.in_cube(1.0);
    builder.add_body({.centre = centre_a});
    builder.add_body({.centre = centre_b});
    const Vector3d point = random.in_cube(1.0), normal = random.in_cube(1.0).normalized();
    builder.add_contact(
        {.body_a = 0, .body_b = 1, .point = point, .normal = normal, .gap_rate = 0.25});
    VectorXd v(12);
    for (double& entry : v) entry = random.uniform(-1.0, 1.0);
    const auto velocity = [&](int body, const Vector3d& centre) -> Vector3d {
      const Vector3d w = v.segment<3>(6 * body + 3);
      return v.segment<3>(6 * body) + w.cross(point - centre);
    };
    const Vector3d relative = velocity(0, centre_a) - velocity(1, centre_b);
    const VectorXd u = contact_velocities(builder.build(), v);
    CHECK(u[0] == doctest::Approx(normal.dot(relative) + 0.25).epsilon(1e-12));
    // The tangents complete the normal to a frame.
    CHECK((u - Vector3d(0.25, 0, 0)).norm() == doctest::Approx(relative.norm()).epsilon(1e-12));
  }
}

TEST_CASE("the free velocity adds the external impulse to the velocity before")
{
  RigidContactBuilder builder;
  builder.add_body({.mass = 2.0,
                    .inertia = Vector3d(1, 2, 4).asDiagonal(),
                    .velocity = {1, 0, 0},
                    .impulse = {0, 4, 0},
                    .angular_impulse = {0, 0, 2}});
  const ContactProblem problem = builder.build();
  VectorXd expected(6);
  expected << 1, 2, 0, 0, 0, 0.5;
  CHECK((problem.v_star - expected).norm() < 1e-15);
}

TEST_CASE("inertias of simple bodies")
{
  CHECK(box_inertia(12.0, {1, 2, 3})(0, 0) == doctest::Approx(13.0));    // m (b^2 + c^2) / 12
  CHECK(cylinder_inertia(2.0, 3.0, 5.0)(2, 2) == doctest::Approx(9.0));  // m r^2 / 2
  CHECK(ball_inertia(5.0, 2.0)(1, 1) == doctest::Approx(8.0));           // 2/5 m r^2
}

TEST_CASE("tangents are unit vectors at right angles to the normal")
{
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const Vector3d n = random.in_cube(1.0).normalized();
    CHECK(tangent_of(n).norm() == doctest::Approx(1.0).epsilon(1e-14));
    CHECK(std::abs(tangent_of(n).dot(n)) < 1e-15);
  }
}
