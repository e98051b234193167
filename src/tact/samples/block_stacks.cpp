// Stacks and walls of blocks for samples/contact_families.hpp.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/samples/contact_families.hpp>
#include <tact/samples/rigid_contacts.hpp>

namespace tact {
namespace {

constexpr double gravity_step = 9.81 * 0.1;  // m/s: g x a step of 0.1 s
constexpr double height = 0.5;               // m, of a block with a square base of 1 m

using Polygon = std::vector<Vector2d>;

Polygon square(const Vector2d& centre, double angle)
{
  Polygon corners;
  for (int i = 0; i < 4; ++i) {
    const double a = angle + std::numbers::pi * (0.25 + 0.5 * i);
    corners.push_back(centre + std::sqrt(0.5) * Vector2d(std::cos(a), std::sin(a)));
  }
  return corners;
}

double cross(const Vector2d& a, const Vector2d& b)
{
  return a.x() * b.y() - a.y() * b.x();
}

// Sutherland-Hodgman: the part of a convex polygon left of the line from a to b.
Polygon clip(const Polygon& polygon, const Vector2d& a, const Vector2d& b)
{
  Polygon kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vector2d& p = polygon[i];
    const Vector2d& q = polygon[(i + 1) % polygon.size()];
    const double side_p = cross(b - a, p - a), side_q = cross(b - a, q - a);
    if (side_p >= 0.0) kept.push_back(p);
    if ((side_p > 0.0 && side_q < 0.0) || (side_p < 0.0 && side_q > 0.0)) {
      kept.push_back(p + side_p / (side_p - side_q) * (q - p));
    }
  }
  return kept;
}

Polygon intersection(Polygon polygon, const Polygon& with)
{
  for (std::size_t i = 0; i < with.size(); ++i) {
    polygon = clip(polygon, with[i], with[(i + 1) % with.size()]);
  }
  return polygon;
}

}  // namespace

ContactProblem block_stack(int bodies, int contacts, Random& random, MuRange mu)
{
  const int turned = (contacts - 4 * bodies) / 4;  // interfaces with 8 points instead of 4
  if (bodies < 1 || contacts != 4 * (bodies + turned) || turned < 0 || turned >= bodies) {
    throw Error(
        fmt::format("block stack: {} bodies with {} contacts; expected 4 a body, and 4 more "
                    "for each block above the lowest that is turned",
                    bodies, contacts));
  }
  RigidContactBuilder builder;
  Polygon below;
  double angle = 0.0;
  for (int k = 0; k < bodies; ++k) {
    const bool turn = k >= bodies - turned;
    if (turn)
      angle += random.uniform(0.6, 0.95);  // rad: near 45 degrees, so that all corners overhang
    const Vector2d centre(random.uniform(-0.04, 0.04), random.uniform(-0.04, 0.04));
    const Polygon base = square(centre, angle);
    const bool top = k == bodies - 1;
    const Vector3d push = top ? random.in_cube(0.5 * gravity_step) : Vector3d::Zero();
    const Vector3d twist = top ? random.in_cube(0.15 * gravity_step) : Vector3d::Zero();
    const int body = builder.add_body({.inertia = box_inertia(1.0, {1.0, 1.0, height}),
                                       .centre = {centre.x(), centre.y(), height * (k + 0.5)},
                                       .impulse = push - Vector3d(0.0, 0.0, gravity_step),
                                       .angular_impulse = twist});
    for (const Vector2d& p : k == 0 ? base : intersection(base, below)) {
      builder.add_contact({.body_a = body,
                           .body_b = body - 1,  // the world below the lowest
                           .point = {p.x(), p.y(), height * k},
                           .mu = mu.draw(random)});
    }
    below = base;
  }
  ContactProblem problem = builder.build();
  if (problem.size() != contacts) {
    throw Error(
        fmt::format("block stack: built {} contacts instead of {}", problem.size(), contacts));
  }
  return problem;
}

}  // namespace tact
