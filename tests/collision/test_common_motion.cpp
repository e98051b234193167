// What surfaces have in common, a flight or a turn, costs nothing and hides nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include <collision/scenes.hpp>
#include <tact/collision/broad_phase.hpp>
#include <tact/collision/crossings.hpp>
#include <tact/collision/proximity.hpp>
#include <tact/collision/spatial_hash.hpp>
#include <tact/core/error.hpp>
#include <threads.hpp>

using namespace tact;

namespace {

constexpr double flight_step = 5e-3;  // s

Eigen::Quaterniond flight_turn(double spin)
{
  return Eigen::Quaterniond(Eigen::AngleAxisd(spin * flight_step, Vector3d(2.0, 3.0, 6.0) / 7.0));
}

// A step at this common speed (m/s) and spin (rad/s).
CollisionScene flown(CollisionScene scene, double speed, double spin)
{
  scene.fly(speed * flight_step * Vector3d(2.0, -6.0, 3.0) / 7.0, flight_turn(spin));
  return scene;
}

FeaturePairs pairs_of(const CollisionScene& scene)
{
  BroadPhase broad_phase(scene.surfaces);
  return broad_phase.find_pairs(scene.vertices(), scene.tolerance);
}

// Eight spheres, 2 mm apart, askew: along the axes boxes would be lucky.
CollisionScene group_of_spheres(int subdivisions)
{
  CollisionScene scene{.name = "group of spheres", .tolerance = 4e-3};
  const Eigen::Quaterniond askew(Eigen::AngleAxisd(0.5, Vector3d(6.0, -2.0, 3.0) / 7.0));
  for (int i = 0; i < 8; ++i)
    scene.add(moved(make_icosphere(0.05, subdivisions),
                    askew * Vector3d(0.102 * Vector3d(i % 2, i / 2 % 2, i / 4))),
              {}, Vector3d::Zero());
  return scene;
}

std::vector<CollisionScene> flying_scenes()
{
  return {group_of_spheres(3), folded_cloth(3, 24), heap_of_bodies(3, 12)};
}

// Body i of the scene, moved as one.
void move_surface(const SurfaceSet& surfaces, int i, const Vector3d& way,
                  const Eigen::Quaterniond& turn, std::vector<Vector3d>& x)
{
  const auto [first, last] = surfaces.surfaces()[i].vertices;
  for (int v = first; v < last; ++v) x[v] = turn * x[v] + way;
}

Eigen::Quaterniond small_turn(Random& random, double most)
{
  const Vector3d axis = random.in_cube(most);
  return Eigen::Quaterniond(Eigen::AngleAxisd(axis.norm(), axis.normalized()));
}

// Contacts and crossings from a list are those that a look at everything finds.
void check_list(const CollisionScene& scene, const FeaturePairs& list)
{
  const std::vector<MovingVertex> vertices = scene.vertices();
  CHECK(find_crossings(scene.surfaces, vertices, list).pairs ==
        find_crossings(scene.surfaces, scene.start, scene.end).pairs);
  CHECK(find_close_pairs(scene.surfaces, vertices, list, scene.tolerance).size() ==
        find_close_pairs(scene.surfaces, scene.start, scene.tolerance).size());
}

}  // namespace

TEST_CASE("a group that flies together has the pairs that it has at rest, at any speed")
{
  for (const CollisionScene& scene : flying_scenes()) {
    CAPTURE(scene.name);
    const auto at_rest = static_cast<double>(pairs_of(scene).size());
    CHECK(at_rest > 100);
    for (const double speed : {5.0, 50.0, 5000.0}) {
      CAPTURE(speed);
      // Rounding decides about boxes that touch to 1e-15 m, and there are next to none.
      const auto flying = static_cast<double>(pairs_of(flown(scene, speed, 0.0)).size());
      CHECK(std::abs(flying - at_rest) <= 1e-2 * at_rest);
    }
  }
}

TEST_CASE("a group that turns together has about the pairs that it has before or after the turn")
{
  for (const CollisionScene& scene : flying_scenes()) {
    CAPTURE(scene.name);
    for (const double spin : {1.0, 10.0, 50.0}) {
      CAPTURE(spin);
      // Boxes of long triangles depend on how these lie to the axes, also at rest.
      const Eigen::Quaterniond turn = flight_turn(spin);
      CollisionScene turned_scene = scene;
      for (Vector3d& x : turned_scene.start) x = turn * x;
      for (Vector3d& x : turned_scene.end) x = turn * x;
      const auto at_rest =
          static_cast<double>(std::max(pairs_of(scene).size(), pairs_of(turned_scene).size()));
      CHECK(static_cast<double>(pairs_of(flown(scene, 0.0, spin)).size()) <= 1.5 * at_rest);
      CHECK(static_cast<double>(pairs_of(flown(scene, 50.0, spin)).size()) <= 1.5 * at_rest);
    }
  }
}

TEST_CASE("no pair that comes within the tolerance at a common time is missing, however all move")
{
  for (const CollisionScene& slow :
       {group_of_spheres(2), folded_cloth(4, 10), heap_of_bodies(4, 4)})
    for (const double speed : {0.0, 50.0})
      for (const double spin : {0.0, 50.0}) {
        const CollisionScene scene = flown(slow, speed, spin);
        CAPTURE(scene.name);
        CAPTURE(speed);
        CAPTURE(spin);
        const std::vector<MovingVertex> vertices = scene.vertices();
        const FeaturePairs found = pairs_of(scene);
        // More than enough: a look with ten times the tolerance, and each pair by itself.
        const FeaturePairs all =
            find_pairs_by_brute_force(scene.surfaces, vertices, 10.0 * scene.tolerance);
        long within = 0;
        const auto check = [&](CcdKind kind, const auto& pairs, const auto& list) {
          for (const auto& pair : pairs) {
            const VertexQuad quad = vertices_of(scene.surfaces, pair);
            const CcdQuery query = CcdBatch{kind, vertices, {&quad, 1}}.query(0);
            // `separation` may stop early, within 1e-3 of the distance it is asked for.
            if (separation(query, 0.99 * scene.tolerance).free) continue;
            ++within;
            CHECK(std::binary_search(list.begin(), list.end(), pair));
          }
        };
        check(CcdKind::vertex_face, all.vertex_face, found.vertex_face);
        check(CcdKind::edge_edge, all.edge_edge, found.edge_edge);
        CHECK(within > 5);
      }
}

TEST_CASE("a list holds when all fly and turn together, however far, each within its slack")
{
  Random random(21);
  for (CollisionScene scene : {heap_of_bodies(12, 12), folded_cloth(12, 14)}) {
    CAPTURE(scene.name);
    scene.tolerance = 0.02;
    std::vector<double> slack;
    for (std::size_t i = 0; i < scene.start.size(); ++i)
      slack.push_back(random.uniform(0.008, 0.01));
    BroadPhase broad_phase(scene.surfaces);
    const FeaturePairs list = broad_phase.find_pairs(scene.vertices(), scene.tolerance, slack);
    for (int round = 0; round < 10; ++round) {
      CollisionScene other = scene;
      const Eigen::Quaterniond turn = small_turn(random, 3.0);
      const Vector3d start = random.in_cube(100.0), end = random.in_cube(100.0);
      for (std::size_t i = 0; i < slack.size(); ++i) {
        other.start[i] = turn * other.start[i] + start + 0.3 * slack[i] * random.in_cube(1.0);
        other.end[i] = turn * other.end[i] + end + 0.3 * slack[i] * random.in_cube(1.0);
      }
      REQUIRE(broad_phase.pairs_hold_for(other.vertices()));
      check_list(other, list);
    }
  }
}

TEST_CASE("a list is renewed where surfaces moved against each other, and there only")
{
  CollisionScene scene = heap_of_bodies(14, 24);
  scene.end = scene.start;
  Random random(14);
  const int count = static_cast<int>(scene.surfaces.surfaces().size());
  const std::vector<double> slack(scene.start.size(), 0.01);
  const Eigen::Quaterniond common = small_turn(random, 0.2);
  const Vector3d way = random.in_cube(1.0);
  scene.fly(way, common);
  BroadPhase broad_phase(scene.surfaces);
  broad_phase.find_pairs(scene.vertices(), scene.tolerance, slack);
  const int all_pairs = broad_phase.counts().surface_pairs;
  int held = 0, renewed = 0, looked_at = 0;
  for (int step = 0; step < 60; ++step) {
    CAPTURE(step);
    scene.start = scene.end;
    for (int i = 0; i < count; ++i)  // all go together, and now and then one goes its own way
      move_surface(scene.surfaces, i, way, common, scene.end);
    if (step % 2 == 1) {
      const int one = 2 + random.below(count - 2);
      move_surface(scene.surfaces, one, random.in_cube(0.05), small_turn(random, 0.05), scene.end);
    }
    const std::vector<MovingVertex> vertices = scene.vertices();
    if (broad_phase.pairs_hold_for(vertices)) {
      ++held;
    } else {
      broad_phase.renew_pairs(vertices, slack);
      CHECK(broad_phase.pairs_hold_for(vertices));
      ++renewed;
      looked_at += broad_phase.counts().surface_pairs;
    }
    check_list(scene, broad_phase.pairs());
  }
  CHECK(held > 0);
  CHECK(renewed > 0);
  CHECK(looked_at < renewed * all_pairs / 2);
}

TEST_CASE("a list of what changes its shape is renewed in time")
{
  CollisionScene scene = folded_cloth(15, 14);
  Random random(15);
  scene.add(moved(make_icosphere(0.2, 2), {0.3, 0.0, 0.0}), {}, Vector3d::Zero());
  const std::vector<double> slack(scene.start.size(), 0.01);
  const Eigen::Quaterniond common = small_turn(random, 0.1);
  scene.fly(Vector3d(0.25, 0.0, 0.0), common);
  BroadPhase broad_phase(scene.surfaces);
  broad_phase.find_pairs(scene.vertices(), scene.tolerance, slack);
  int held = 0;
  for (int step = 0; step < 40; ++step) {
    CAPTURE(step);
    scene.start = scene.end;
    for (Vector3d& x : scene.end) x += random.in_cube(0.002);
    scene.fly(Vector3d(0.25, 0.0, 0.0), common);
    const std::vector<MovingVertex> vertices = scene.vertices();
    if (broad_phase.pairs_hold_for(vertices))
      ++held;
    else
      broad_phase.renew_pairs(vertices, slack);
    check_list(scene, broad_phase.pairs());
  }
  CHECK(held > 10);
  CHECK(held < 40);
}

TEST_CASE("1, 2 and 8 threads renew a list to the same pairs")
{
  const auto renewed_with = [](int threads) {
    FeaturePairs pairs;
    with_threads(threads, [&] {
      CollisionScene scene = heap_of_bodies(16, 30);
      Random random(16);
      const std::vector<double> slack(scene.start.size(), 0.01);
      BroadPhase broad_phase(scene.surfaces);
      broad_phase.find_pairs(scene.vertices(), scene.tolerance, slack);
      for (int step = 0; step < 5; ++step) {
        scene.start = scene.end;
        for (int i = 2; i < 12; ++i)
          move_surface(scene.surfaces, i, random.in_cube(0.05), small_turn(random, 0.1), scene.end);
        pairs = broad_phase.renew_pairs(scene.vertices(), slack);
      }
    });
    return pairs;
  };
  const FeaturePairs expected = renewed_with(1);
  CHECK(expected.size() > 1000);
  CHECK(renewed_with(2) == expected);
  CHECK(renewed_with(8) == expected);
}

TEST_CASE("there is nothing to renew where no list was made to last")
{
  const CollisionScene scene = heap_of_bodies(17, 2);
  const std::vector<double> slack(scene.start.size(), 0.01);
  BroadPhase broad_phase(scene.surfaces);
  broad_phase.find_pairs(scene.vertices(), 0.0);
  CHECK_THROWS_WITH_AS(broad_phase.renew_pairs(scene.vertices(), slack),
                       "broad phase: found no list with slack to renew, expected one", Error);
}
