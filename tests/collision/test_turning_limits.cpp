// Surfaces that turn about each other, against a look at many times of the way.
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <tact/collision/turning_limits.hpp>
#include <tact/geometry/shapes.hpp>

using namespace tact;

namespace {

using std::numbers::pi;

Contour regular(double radius, int sides)
{
  Contour corners;
  for (int k = 0; k < sides; ++k) {
    const double angle = 2.0 * pi * (k + 0.5) / sides;
    corners.push_back(radius * Vector2d(std::cos(angle), std::sin(angle)));
  }
  return corners;
}

// A ring about a pin, both of `sides`, with a clearance in parts of the radius, 1 m; and how the
// ring moves.
struct RingOnPin {
  SurfaceSet surfaces;
  std::vector<Vector3d> x0, x1;

  RingOnPin(int sides, double clearance, const Eigen::Isometry3d& motion,
            const Eigen::Isometry3d& common = Eigen::Isometry3d::Identity())
  {
    const TriMesh ring =
        make_extrusion(std::array{regular(1.5, sides), regular(1.0 + clearance, sides)}, 0.5);
    const TriMesh pin = make_extrusion(std::array{regular(1.0, sides)}, 2.0);
    for (const TriMesh* mesh : {&ring, &pin}) {
      surfaces.add(*mesh);
      for (const Vector3d& x : mesh->positions) {
        x0.push_back(x);
        x1.push_back(common * (mesh == &ring ? motion * x : x));
      }
    }
  }

  double least_distance(const Screw& way, const IndexRange& moving, double share) const
  {
    std::vector<Vector3d> x = x0;
    for (int i = moving.first; i < moving.last; ++i) x[i] = way.part(share) * x0[i];
    double least = std::numeric_limits<double>::infinity();
    for (const Contact& contact : find_close_pairs(surfaces, x, 0.2))
      least = std::min(least, contact.distance);
    return least;
  }
};

Eigen::Isometry3d turn_by(double angle, const Vector3d& way = Vector3d::Zero())
{
  Eigen::Isometry3d motion = Eigen::Isometry3d::Identity();
  motion.linear() = Eigen::AngleAxisd(angle, Vector3d::UnitZ()).toRotationMatrix();
  motion.translation() = way;
  return motion;
}

std::size_t limits_on_lines(const RingOnPin& pair, double distance)
{
  const auto vertices = moving_vertices(pair.x0, pair.x1);
  BroadPhase broad_phase(pair.surfaces);
  return find_limits(pair.surfaces, vertices, broad_phase.find_pairs(vertices, distance), distance)
      .size();
}

}  // namespace

TEST_CASE("a ring that turns on a pin meets nothing along arcs, where it does on straight lines")
{
  // Lines cut inwards by 1 - cos(0.2) = 2 %, and facets of 64 take 0.12 %.
  const RingOnPin pair(64, 0.01, turn_by(0.4));
  const double distance = 1e-3;
  CHECK(limits_on_lines(pair, distance) > 0);
  TurningLimits arcs(pair.surfaces);
  const auto turn = arcs.turn({0, 1}, pair.x0, pair.x1, distance);
  REQUIRE(turn);
  CHECK(turn->way.angle == doctest::Approx(0.4));
  CHECK(arcs.find(*turn, pair.x0, distance).empty());
}

TEST_CASE("limits along arcs come when the distance is reached, seen at many times of the way")
{
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  int met = 0, free = 0;
  for (int k = 0; k < 40; ++k) {
    CAPTURE(k);
    const Vector3d way = 0.015 * Vector3d(number(random), number(random), 0.0);
    const Eigen::Isometry3d common =
        turn_by(number(random), Vector3d(number(random), number(random), number(random)));
    const RingOnPin pair(16, 0.03, turn_by(0.5 * number(random), way), common);
    const double distance = 2e-3;
    TurningLimits arcs(pair.surfaces);
    const auto turn = arcs.turn({0, 1}, pair.x0, pair.x1, distance);
    if (!turn) continue;  // it hardly turns
    // The ends of the way are those of the motion, as the other one sees them.
    const Eigen::Isometry3d end = common * turn->way.part(1.0);
    if (turn->moving == 0)
      for (int i = turn->vertices.first; i < turn->vertices.last; ++i)
        CHECK((end * pair.x0[i] - pair.x1[i]).norm() < 1e-12);
    const std::vector<Limit> limits = arcs.find(*turn, pair.x0, distance);
    double first = 1.0;
    for (const Limit& limit : limits) {
      CHECK(limit.on_arc);
      CHECK(limit.safe.decided);
      first = std::min(first, limit.safe.time);
    }
    for (int i = 0; i <= 100; ++i)
      if (const double t = 0.01 * i; t <= first)
        CHECK(pair.least_distance(turn->way, turn->vertices, t) >= distance);
    (limits.empty() ? free : met) += 1;
    if (limits.empty()) continue;
    // A quarter of it is for what is left between lines and arcs.
    CHECK(pair.least_distance(turn->way, turn->vertices, first) < 1.5 * distance);
  }
  CHECK(met >= 5);
  CHECK(free >= 5);
}

TEST_CASE("what only passes, and what hardly turns, stays on straight lines")
{
  const RingOnPin slow(16, 0.03, turn_by(0.01));
  CHECK_FALSE(TurningLimits(slow.surfaces).turn({0, 1}, slow.x0, slow.x1, 1e-3));
  const RingOnPin passing(16, 0.03, turn_by(0.2, Vector3d(1.0, 0.0, 0.0)));
  CHECK_FALSE(TurningLimits(passing.surfaces).turn({0, 1}, passing.x0, passing.x1, 1e-3));
}
