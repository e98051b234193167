#include <numbers>

#include <doctest/doctest.h>

#include <tact/bodies/obstacle.hpp>
#include <tact/core/error.hpp>
#include <tact/geometry/shapes.hpp>

using namespace tact;

namespace {

constexpr double half_turn = std::numbers::pi;

Eigen::Quaterniond about_z(double angle)
{
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, Vector3d::UnitZ()));
}

ObstacleOptions still()
{
  return {.surface = make_box({1.0, 1.0, 1.0})};
}

ObstacleOptions swinging()
{
  ObstacleOptions options = still();
  options.motion = {{1.0, {0.0, 0.0, 0.0}, about_z(0.0)},
                    {2.0, {1.0, 2.0, 0.0}, about_z(0.5 * half_turn)},
                    {4.0, {1.0, 0.0, 3.0}, about_z(0.0)}};
  return options;
}

// A box that doubles in the second from 0 to 1 and shrinks to nothing in the next two.
ObstacleOptions breathing()
{
  ObstacleOptions options = still();
  options.cache.times = {0.0, 1.0, 3.0};
  for (const double size : {1.0, 2.0, 0.0}) {
    options.cache.vertices.emplace_back();
    for (const Vector3d& x : options.surface.positions)
      options.cache.vertices.back().push_back(size * x);
  }
  return options;
}

std::vector<Vector3d> surface_at(const Body& body, double t)
{
  std::vector<Vector3d> vertices(body.vertex_count());
  body.place_surface(t, VectorXd(), vertices);
  return vertices;
}

std::string obstacle_complaint(const ObstacleOptions& options)
{
  try {
    make_obstacle("wall", options);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("an obstacle has no freedom, no mass and no part in A")
{
  const auto body = make_obstacle("wall", swinging());
  CHECK(body->kind() == BodyKind::obstacle);
  CHECK(body->q_size() == 0);
  CHECK(body->v_size() == 0);
  CHECK(body->mass() == 0.0);
  CHECK(body->map(VectorXd(), {.vertex = 3}).count == 0);
  std::vector<std::array<int, 2>> couples;
  body->add_couples(0, couples);
  CHECK(couples.empty());
}

TEST_CASE("an obstacle without keyframes stays at the origin, and with one it stays there")
{
  const auto unmoved = make_obstacle("wall", still());
  CHECK(surface_at(*unmoved, -5.0) == still().surface.positions);
  CHECK(surface_at(*unmoved, 7.0) == still().surface.positions);

  ObstacleOptions options = still();
  options.motion = {{2.0, {1.0, 2.0, 3.0}, about_z(0.5 * half_turn)}};
  const auto put = make_obstacle("wall", options);
  for (const double t : {0.0, 2.0, 9.0}) {
    const Vector3d x = put->position(t, VectorXd(), {.local = {1.0, 0.0, 0.0}});
    CHECK((x - Vector3d(1.0, 3.0, 3.0)).norm() < 1e-15 * 4.0);
  }
}

TEST_CASE("positions run straight and orientations on the shortest arc from key to key")
{
  const auto body = make_obstacle("wall", swinging());
  const auto origin = [&](double t) { return body->position(t, VectorXd(), {}); };
  CHECK(origin(1.0) == Vector3d(0.0, 0.0, 0.0));
  CHECK(origin(2.0) == Vector3d(1.0, 2.0, 0.0));  // keys are met to the bit
  CHECK(origin(4.0) == Vector3d(1.0, 0.0, 3.0));
  CHECK(origin(1.25) == Vector3d(0.25, 0.5, 0.0));
  CHECK(origin(3.0) == Vector3d(1.0, 1.0, 1.5));
  CHECK(origin(-1.0) == origin(1.0));
  CHECK(origin(99.0) == origin(4.0));

  for (const double fraction : {0.1, 0.5, 0.9}) {
    const double angle = fraction * 0.5 * half_turn;
    const Vector3d arm = body->position(1.0 + fraction, VectorXd(), {.local = {1.0, 0.0, 0.0}}) -
                         origin(1.0 + fraction);
    CHECK((arm - Vector3d(std::cos(angle), std::sin(angle), 0.0)).norm() < 1e-15 * 4.0);
  }
}

TEST_CASE("a quaternion and its negative are the same key")
{
  ObstacleOptions options = swinging();
  options.motion[1].orientation.coeffs() *= -1.0;
  const auto body = make_obstacle("wall", swinging());
  const auto negated = make_obstacle("wall", options);
  for (const double t : {1.3, 2.0, 3.1})
    for (int i = 0; i < body->vertex_count(); ++i)
      CHECK((surface_at(*body, t)[i] - surface_at(*negated, t)[i]).norm() < 1e-15 * 8.0);
}

TEST_CASE("a cache of vertices is linear in time and rides on the keyframes")
{
  ObstacleOptions options = breathing();
  const auto body = make_obstacle("lung", options);
  const auto& rest = options.surface.positions;
  const auto times_and_sizes = {std::pair(-1.0, 1.0), {0.0, 1.0}, {0.5, 1.5}, {1.0, 2.0},
                                {2.0, 1.0},           {3.0, 0.0}, {8.0, 0.0}};
  for (const auto& time_and_size : times_and_sizes) {
    const std::vector<Vector3d> vertices = surface_at(*body, time_and_size.first);
    for (std::size_t i = 0; i < rest.size(); ++i)
      CHECK(vertices[i] == time_and_size.second * rest[i]);  // halves are exact
  }

  options.motion = {{0.0, {0.0, 5.0, 0.0}}};
  const auto lifted = make_obstacle("lung", options);
  for (std::size_t i = 0; i < rest.size(); ++i)
    CHECK(surface_at(*lifted, 0.5)[i] == Vector3d(0.0, 5.0, 0.0) + 1.5 * rest[i]);
}

TEST_CASE("place_surface and position agree to the bit")
{
  ObstacleOptions options = breathing();
  options.motion = swinging().motion;
  const auto body = make_obstacle("lung", options);
  for (const double t : {0.3, 1.0, 1.7, 2.9, 5.0}) {
    const std::vector<Vector3d> vertices = surface_at(*body, t);
    for (int i = 0; i < body->vertex_count(); ++i)
      CHECK(body->position(t, VectorXd(), {.vertex = i}) == vertices[i]);
  }
}

TEST_CASE("wrong obstacles are turned away with a reason")
{
  CHECK(obstacle_complaint(swinging()) == "none");

  ObstacleOptions backwards = swinging();
  backwards.motion[2].t = 2.0;
  CHECK(obstacle_complaint(backwards) ==
        "obstacle \"wall\": keyframe 2: its time is 2 s, expected one after the 2 s before it");

  ObstacleOptions stretched = swinging();
  stretched.motion[1].orientation.coeffs() *= 1.5;
  CHECK(obstacle_complaint(stretched) ==
        "obstacle \"wall\": keyframe 1: orientation is a quaternion of length 1.5, expected 1");

  ObstacleOptions short_list = breathing();
  short_list.cache.vertices[1].pop_back();
  CHECK(obstacle_complaint(short_list) ==
        "obstacle \"wall\": cache entry 1: found 7 vertices, expected the 8 of the surface");

  ObstacleOptions missing = breathing();
  missing.cache.times.pop_back();
  CHECK(obstacle_complaint(missing) ==
        "obstacle \"wall\": the cache has 2 times and 3 lists of vertices, expected one list a "
        "time");

  ObstacleOptions endless = swinging();
  endless.motion[2].t = std::numeric_limits<double>::infinity();
  CHECK(obstacle_complaint(endless) ==
        "obstacle \"wall\": keyframe 2: its time is inf s, expected a finite number");
}
