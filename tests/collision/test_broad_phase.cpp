#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include <collision/scenes.hpp>
#include <tact/collision/broad_phase.hpp>
#include <tact/collision/crossings.hpp>
#include <tact/collision/proximity.hpp>
#include <tact/collision/spatial_hash.hpp>
#include <tact/core/error.hpp>
#include <threads.hpp>

using namespace tact;

namespace {

// The next step of a scene: what was the end is the start, and all go on unevenly.
void advance(CollisionScene& scene, Random& random, double size)
{
  scene.start = scene.end;
  for (Vector3d& x : scene.end) x += random.in_cube(size);
}

FeaturePairs pairs_with_threads(const CollisionScene& scene, int threads, int steps)
{
  FeaturePairs last;
  with_threads(threads, [&] {
    BroadPhase broad_phase(scene.surfaces);
    const std::vector<MovingVertex> vertices = scene.vertices();
    for (int step = 0; step < steps; ++step)
      last = broad_phase.find_pairs(vertices, scene.tolerance);
  });
  return last;
}

}  // namespace

TEST_CASE("trees and hash find the pairs that brute force finds, no more and no fewer")
{
  for (const CollisionScene& scene : detection_scenes()) {
    CAPTURE(scene.name);
    const std::vector<MovingVertex> vertices = scene.vertices();
    for (const double tolerance : {0.0, scene.tolerance}) {
      const FeaturePairs expected = find_pairs_by_brute_force(scene.surfaces, vertices, tolerance);
      CHECK(expected.size() > 0);
      BroadPhase trees(scene.surfaces, {.skip_flat = false});
      CHECK(trees.find_pairs(vertices, tolerance) == expected);
      CHECK(find_pairs_by_hash(scene.surfaces, vertices, tolerance) == expected);
    }
  }
}

TEST_CASE("pairs are ascending, each once, and never share a vertex")
{
  for (const CollisionScene& scene : detection_scenes()) {
    CAPTURE(scene.name);
    BroadPhase broad_phase(scene.surfaces);
    const FeaturePairs& pairs = broad_phase.find_pairs(scene.vertices(), scene.tolerance);
    const auto strictly_ascending = [](const auto& list) {
      return std::adjacent_find(list.begin(), list.end(), std::greater_equal{}) == list.end();
    };
    CHECK(strictly_ascending(pairs.vertex_face));
    CHECK(strictly_ascending(pairs.edge_edge));
    for (const EdgeEdgePair& pair : pairs.edge_edge) {
      const VertexQuad q = vertices_of(scene.surfaces, pair);
      CHECK(std::set<int>(q.begin(), q.end()).size() == 4);
    }
  }
}

TEST_CASE("1, 2 and 8 threads find the same pairs, bit for bit")
{
  for (const CollisionScene& scene : {heap_of_bodies(7, 60), folded_cloth(7, 60)}) {
    CAPTURE(scene.name);
    for (const int steps : {1, 2}) {
      const FeaturePairs expected = pairs_with_threads(scene, 1, steps);
      CHECK(expected.size() > 1000);
      CHECK(pairs_with_threads(scene, 2, steps) == expected);
      CHECK(pairs_with_threads(scene, 8, steps) == expected);
    }
  }
}

TEST_CASE("what was found before does not change what is found")
{
  for (CollisionScene scene : {heap_of_bodies(8, 20), folded_cloth(8, 20)}) {
    CAPTURE(scene.name);
    Random random(8);
    BroadPhase kept(scene.surfaces);
    for (int step = 0; step < 20; ++step) {
      CAPTURE(step);
      const std::vector<MovingVertex> vertices = scene.vertices();
      BroadPhase fresh(scene.surfaces);
      CHECK(kept.find_pairs(vertices, scene.tolerance) ==
            fresh.find_pairs(vertices, scene.tolerance));
      advance(scene, random, step % 7 == 6 ? 0.5 : 0.01);  // now and then a great leap
    }
  }
}

TEST_CASE("surfaces that part have no pairs until they meet again")
{
  CollisionScene scene{.name = "two spheres"};
  scene.add(make_icosphere(0.5, 2), {}, Vector3d::Zero());
  scene.add(moved(make_icosphere(0.5, 2), {0.9, 0.0, 0.0}), {}, Vector3d::Zero());
  BroadPhase broad_phase(scene.surfaces);
  const auto pairs_at = [&](double x) {
    std::vector<Vector3d> positions = scene.start;
    for (int i = scene.surfaces.surfaces()[1].vertices.first; i < scene.surfaces.vertex_count();
         ++i)
      positions[i][0] += x;
    const std::vector<MovingVertex> vertices = vertices_at_rest(positions);
    const FeaturePairs found = broad_phase.find_pairs(vertices, 0.01);
    CHECK(found == find_pairs_by_brute_force(scene.surfaces, vertices, 0.01));
    return found.size();
  };
  CHECK(pairs_at(0.0) > 0);
  CHECK(broad_phase.counts().surface_pairs == 1);
  CHECK(pairs_at(5.0) == 0);
  CHECK(broad_phase.counts().surface_pairs == 0);
  CHECK(pairs_at(-0.1) > 0);
}

TEST_CASE("subtrees whose boxes grow are rebuilt, and the pairs stay right")
{
  CollisionScene scene = folded_cloth(9, 16);
  Random random(9);
  BroadPhase broad_phase(scene.surfaces, {.skip_flat = false});
  broad_phase.find_pairs(scene.vertices(), 0.0);
  CHECK(broad_phase.counts().rebuilt_triangles == 0);
  for (int step = 0; step < 4; ++step) {
    advance(scene, random, 0.2);  // crumples beyond recognition: edges are 0.07 long
    const std::vector<MovingVertex> vertices = scene.vertices();
    CHECK(broad_phase.find_pairs(vertices, 0.0) ==
          find_pairs_by_brute_force(scene.surfaces, vertices, 0.0));
  }
  CHECK(broad_phase.counts().rebuilt_triangles > 0);
}

TEST_CASE("a list with slack has the contacts and crossings of every motion within the slack")
{
  Random random(12);
  for (const CollisionScene& scene : {heap_of_bodies(12, 12), folded_cloth(12, 14)}) {
    CAPTURE(scene.name);
    std::vector<double> slack;
    for (std::size_t i = 0; i < scene.start.size(); ++i) slack.push_back(random.uniform(0.0, 0.01));
    BroadPhase broad_phase(scene.surfaces);
    const FeaturePairs& list = broad_phase.find_pairs(scene.vertices(), scene.tolerance, slack);
    for (int round = 0; round < 10; ++round) {
      CollisionScene other = scene;
      for (std::size_t i = 0; i < slack.size(); ++i) {
        other.start[i] += 0.999 * slack[i] * random.in_cube(1.0).normalized();
        other.end[i] += 0.999 * slack[i] * random.in_cube(1.0).normalized();
      }
      const std::vector<MovingVertex> vertices = other.vertices();
      REQUIRE(broad_phase.pairs_hold_for(vertices));
      CHECK(find_crossings(other.surfaces, vertices, list).pairs ==
            find_crossings(other.surfaces, other.start, other.end).pairs);
      CHECK(find_close_pairs(other.surfaces, vertices, list, other.tolerance).size() ==
            find_close_pairs(other.surfaces, other.start, other.tolerance).size());
    }
  }
}

TEST_CASE("a list holds where all vertices start and end within their slack, and not much beyond")
{
  const CollisionScene scene = heap_of_bodies(13, 4);
  const std::vector<double> slack(scene.start.size(), 0.01);
  BroadPhase broad_phase(scene.surfaces);
  CHECK_FALSE(broad_phase.pairs_hold_for(scene.vertices()));  // no list yet
  broad_phase.find_pairs(scene.vertices(), 0.0, slack);
  CHECK(broad_phase.pairs_hold_for(scene.vertices()));
  for (const double moved_by : {0.0099, 0.03}) {
    const bool holds = moved_by < 0.01;
    CollisionScene start = scene, end = scene;
    start.start[17] += Vector3d(0.0, moved_by, 0.0);
    end.end.back() -= Vector3d(moved_by, 0.0, 0.0);
    CHECK(broad_phase.pairs_hold_for(start.vertices()) == holds);
    CHECK(broad_phase.pairs_hold_for(end.vertices()) == holds);
  }
  broad_phase.find_pairs(scene.vertices(), 0.0);
  CHECK_FALSE(broad_phase.pairs_hold_for(scene.vertices()));  // made without slack
}

TEST_CASE("sort-and-sweep finds the boxes that meet, at rest and when all move alike")
{
  Random random(11);
  for (const Vector3d& common : {Vector3d(0.0, 0.0, 0.0), Vector3d(3.0, -2.0, 7.0)}) {
    CAPTURE(common);
    std::vector<Vector3d> centres;
    for (int i = 0; i < 100; ++i) centres.push_back(random.in_cube(1.0));
    SweepAndPrune sweep;
    for (int step = 0; step < 10; ++step) {
      std::vector<MovingBox> boxes;
      for (Vector3d& x : centres) {
        const Vector3d x0 = x;
        x += common + random.in_cube(0.02);
        if (step == 5) x[0] *= 0.01;  // the widest axis changes
        boxes.push_back(moving_box(MovingVertex(x0, x), 0.4));
      }
      boxes[3] = no_moving_box();
      std::vector<std::array<int, 2>> expected;
      for (int i = 0; i < 100; ++i)
        for (int j = i + 1; j < 100; ++j)
          if (meet(boxes[i], boxes[j])) expected.push_back({i, j});
      const auto found = sweep.find_meetings(boxes);
      CHECK(std::vector(found.begin(), found.end()) == expected);
    }
  }
}

TEST_CASE("every vertex and edge has one representative among its triangles")
{
  for (const CollisionScene& scene : detection_scenes()) {
    std::vector<int> vertex(scene.surfaces.vertex_count(), 0), edge(scene.surfaces.edge_count(), 0);
    std::set<int> used;
    for (int t = 0; t < scene.surfaces.triangle_count(); ++t) {
      for (int k = 0; k < 3; ++k) {
        vertex[scene.surfaces.triangles()[t][k]] += scene.surfaces.represented(t) >> k & 1;
        edge[scene.surfaces.edges_of(t)[k]] += scene.surfaces.represented(t) >> (3 + k) & 1;
        used.insert(scene.surfaces.triangles()[t][k]);
      }
    }
    for (const int v : used) CHECK(vertex[v] == 1);
    CHECK(std::all_of(edge.begin(), edge.end(), [](int count) { return count == 1; }));
  }
}

TEST_CASE("wrong input is refused in one line")
{
  SurfaceSet surfaces;
  const std::vector<Triangle> beyond = {{0, 1, 3}}, twice = {{0, 1, 1}};
  CHECK_THROWS_WITH_AS(surfaces.add(beyond, 3),
                       "collision surface: triangle 0: found vertex 3, expected 0 to 2", Error);
  CHECK_THROWS_WITH_AS(
      surfaces.add(twice, 3),
      "collision surface: triangle 0: found corners 0, 1, 1, expected three vertices", Error);
  surfaces.add(make_icosphere(1.0, 0));
  BroadPhase broad_phase(surfaces);
  CHECK_THROWS_WITH_AS(broad_phase.find_pairs({}, 0.0),
                       "broad phase: found 0 vertices, expected the 12 of the surfaces", Error);
  const std::vector<MovingVertex> vertices(12);
  CHECK_THROWS_WITH_AS(broad_phase.find_pairs(vertices, -1.0),
                       "broad phase: tolerance is -1 m, expected a number >= 0", Error);
  const std::vector<double> short_slack(3, 0.1), negative_slack(12, -0.1);
  CHECK_THROWS_WITH_AS(broad_phase.find_pairs(vertices, 0.0, short_slack),
                       "broad phase: found slack for 3 vertices, expected 12 or none", Error);
  CHECK_THROWS_WITH_AS(broad_phase.find_pairs(vertices, 0.0, negative_slack),
                       "broad phase: slack of vertex 0 is -0.1 m, expected a number >= 0", Error);
  const std::vector<Vector3d> one(1, Vector3d::Zero()), none;
  CHECK_THROWS_WITH_AS(moving_vertices(one, none),
                       "collision: 1 vertices at the start of the step, but 0 at its end", Error);
  const std::vector<Vector3d> broken(1, Vector3d(0.0, std::nan(""), 0.0));
  CHECK_THROWS_WITH_AS(vertices_at_rest(broken),
                       "collision: vertex 0 has a coordinate that is not finite", Error);
}
