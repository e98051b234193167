#include <doctest/doctest.h>

#include <algorithm>

#include <collision/scenes.hpp>
#include <tact/collision/crossings.hpp>
#include <tact/collision/spatial_hash.hpp>
#include <threads.hpp>

using namespace tact;

namespace {

// `contact`, asked for each pair of features of all surfaces that are tested, however far apart.
std::vector<Crossing> crossings_one_by_one(const CollisionScene& scene)
{
  const std::vector<MovingVertex> vertices = scene.vertices();
  const double everything = 1e3;  // m
  const FeaturePairs pairs = find_pairs_by_brute_force(scene.surfaces, vertices, everything);
  std::vector<Crossing> crossings;
  const auto ask = [&](CcdKind kind, int a, int b, const VertexQuad& quad) {
    const ContactTime answer = contact(CcdBatch{kind, vertices, {&quad, 1}}.query(0));
    if (answer.contact) crossings.push_back({kind, a, b, quad, answer.time});
  };
  for (const VertexFacePair& p : pairs.vertex_face)
    ask(CcdKind::vertex_face, p.vertex, p.triangle, vertices_of(scene.surfaces, p));
  for (const EdgeEdgePair& p : pairs.edge_edge)
    ask(CcdKind::edge_edge, p.edge_a, p.edge_b, vertices_of(scene.surfaces, p));
  return crossings;
}

}  // namespace

TEST_CASE("crossings are those of all pairs of features asked one by one")
{
  for (const CollisionScene& scene : {heap_of_bodies(1, 8), folded_cloth(1, 10), flat_sheets(1, 5),
                                      triangle_soup(1), triangle_soup(2)}) {
    CAPTURE(scene.name);
    const std::vector<Crossing> expected = crossings_one_by_one(scene);
    const Crossings found = find_crossings(scene.surfaces, scene.start, scene.end);
    CHECK(found.pairs == expected);
    CHECK(!found.empty());
    double first = 1.0;
    for (const Crossing& c : expected) first = std::min(first, c.time);
    CHECK(found.first_time == first);
  }
}

TEST_CASE("a sphere that falls on a floor crosses it at gap over speed")
{
  CollisionScene scene{.name = "falling sphere"};
  const TriMesh sphere = make_icosphere(0.5, 2);
  const double bottom = bounding_box(sphere.positions).low[1];
  scene.add(moved(make_box({4.0, 1.0, 4.0}), {0.1, -0.5, 0.2}), {.fixed = true}, Vector3d::Zero());
  const double gap = 0.125, speed = 0.5;
  scene.add(moved(sphere, {0.0, gap - bottom, 0.0}), {}, Vector3d(0.0, -speed, 0.0));
  const Crossings crossings = find_crossings(scene.surfaces, scene.start, scene.end);
  REQUIRE(!crossings.empty());
  // Positions are rounded to 1e-16, times come at most 1e-9 early.
  CHECK(crossings.first_time <= gap / speed + 1e-15);
  CHECK(crossings.first_time >= gap / speed - 1e-9 - 1e-15);
}

TEST_CASE("what keeps apart does not cross, however near it glides")
{
  CollisionScene scene{.name = "gliding"};
  const TriMesh cloth = make_cloth(1.0, 1.0, 12, 12);
  const double gap = 1e-12;
  scene.add(cloth, {.self = true}, Vector3d::Zero());
  scene.add(moved(cloth, {0.0, gap, 0.0}), {.self = true}, Vector3d(0.3, 0.0, 0.1));
  const Crossings crossings = find_crossings(scene.surfaces, scene.start, scene.end);
  CHECK(crossings.empty());
  CHECK(crossings.first_time == 1.0);
}

TEST_CASE("a sheet that folds over at an edge crosses itself there")
{
  // One triangle turns about the edge that it shares with the other, through it and beyond.
  CollisionScene scene{.name = "hinge"};
  TriMesh hinge;
  hinge.positions = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.5, 1.0, 0.0}, {0.5, 0.8, 0.1}};
  hinge.triangles = {{0, 1, 2}, {1, 0, 3}};
  scene.add(hinge, {.self = true}, Vector3d::Zero());
  scene.end[3] = {0.5, 0.8, -0.3};
  const Crossings crossings = find_crossings(scene.surfaces, scene.start, scene.end);
  REQUIRE(crossings.pairs.size() == 1);
  CHECK(crossings.pairs[0].kind == CcdKind::vertex_face);
  CHECK(crossings.pairs[0].a == 3);
  CHECK(crossings.pairs[0].b == 0);
  CHECK(crossings.first_time == doctest::Approx(0.25).epsilon(1e-9));
}

TEST_CASE("1, 2 and 8 threads find the same crossings, bit for bit")
{
  const CollisionScene scene = folded_cloth(5, 50);
  const auto crossings_with = [&](int threads) {
    std::vector<Crossing> pairs;
    with_threads(threads,
                 [&] { pairs = find_crossings(scene.surfaces, scene.start, scene.end).pairs; });
    return pairs;
  };
  const std::vector<Crossing> expected = crossings_with(1);
  CHECK(expected.size() > 100);
  CHECK(crossings_with(2) == expected);
  CHECK(crossings_with(8) == expected);
}
