#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include <collision/scenes.hpp>
#include <tact/collision/broad_phase.hpp>
#include <tact/collision/proximity.hpp>
#include <tact/collision/spatial_hash.hpp>
#include <threads.hpp>

using namespace tact;

namespace {

// Every pair of features, however far apart.
FeaturePairs all_pairs(const CollisionScene& scene)
{
  const double everything = 1e3;  // m; scenes are some metres wide
  return find_pairs_by_brute_force(scene.surfaces, vertices_at_rest(scene.start), everything);
}

struct FeatureDistance {
  Contact contact;
  bool nearly_parallel = false;
};

std::vector<FeatureDistance> all_distances(const CollisionScene& scene)
{
  const std::vector<MovingVertex> vertices = vertices_at_rest(scene.start);
  const FeaturePairs pairs = all_pairs(scene);
  std::vector<FeatureDistance> distances;
  for (const VertexFacePair& pair : pairs.vertex_face)
    distances.push_back({contact_at_start(scene.surfaces, vertices, pair)});
  for (const EdgeEdgePair& pair : pairs.edge_edge) {
    const VertexQuad q = vertices_of(scene.surfaces, pair);
    const Vector3d a = scene.start[q[1]] - scene.start[q[0]];
    const Vector3d b = scene.start[q[3]] - scene.start[q[2]];
    distances.push_back({contact_at_start(scene.surfaces, vertices, pair),
                         a.cross(b).norm() <= 1e-3 * a.norm() * b.norm()});
  }
  return distances;
}

double smallest_distance(const std::vector<Contact>& contacts)
{
  double smallest = std::numeric_limits<double>::infinity();
  for (const Contact& contact : contacts) smallest = std::min(smallest, contact.distance);
  return smallest;
}

// Two closed bodies side by side, each as it falls or lying square.
CollisionScene two_bodies(Random& random, bool square)
{
  CollisionScene scene{.name = "two bodies"};
  const auto body = [&](int kind) {
    const TriMesh mesh = kind == 0   ? make_box({1.0, 0.7, 0.4}, 1 + random.below(2))
                         : kind == 1 ? make_icosphere(0.5, random.below(2))
                                     : make_cylinder(0.4, 0.8, 6);
    return square ? mesh : turned(mesh, random);
  };
  scene.add(body(random.below(3)), {}, Vector3d::Zero());
  scene.add(moved(body(random.below(3)), random.in_cube(1.2)), {}, Vector3d::Zero());
  return scene;
}

// A floor of two triangles with its top at y = 0, and a unit cube above it.
CollisionScene box_above_floor(const Vector3d& centre)
{
  CollisionScene scene{.name = "box above floor"};
  TriMesh floor;
  floor.positions = {{-5.0, 0.0, -5.0}, {5.0, 0.0, -5.0}, {5.0, 0.0, 5.0}, {-5.0, 0.0, 5.0}};
  floor.triangles = {{0, 2, 1}, {0, 3, 2}};
  scene.add(floor, {.fixed = true}, Vector3d::Zero());
  scene.add(moved(make_box({1.0, 1.0, 1.0}), centre), {}, Vector3d::Zero());
  return scene;
}

}  // namespace

TEST_CASE("the smallest distance of all contacts is that of the surfaces")
{
  Random random(1);
  int close = 0;
  for (int i = 0; i < 600; ++i) {
    const CollisionScene scene = two_bodies(random, i % 3 == 0);
    double truth = std::numeric_limits<double>::infinity();
    bool by_nearly_parallel_edges = false;
    for (const FeatureDistance& d : all_distances(scene)) {
      if (d.contact.distance >= truth) continue;
      truth = d.contact.distance;
      by_nearly_parallel_edges = d.nearly_parallel;
    }
    const double tolerance = 0.1;
    const std::vector<Contact> contacts = find_close_pairs(scene.surfaces, scene.start, tolerance);
    CAPTURE(i);
    if (truth > tolerance) {
      CHECK(contacts.empty());
    } else {
      ++close;
      // Edges are at most 1.3 long. Distances of one place seen from several features differ by
      // rounding: 16 u L, L < 4.
      const double slack = by_nearly_parallel_edges ? 1.3e-3 : 1e-14;
      CHECK(smallest_distance(contacts) <= truth + slack);
      CHECK(smallest_distance(contacts) >= truth - 1e-14);
    }
  }
  CHECK(close > 100);
}

TEST_CASE("each close pair of features is covered by a contact")
{
  std::vector<CollisionScene> scenes = {heap_of_bodies(2, 6), folded_cloth(2, 12)};
  Random random(2);
  for (int i = 0; i < 20; ++i) scenes.push_back(two_bodies(random, i % 2 == 0));
  for (const CollisionScene& scene : scenes) {
    CAPTURE(scene.name);
    const double tolerance = 0.02;  // below the height of any triangle here
    const std::vector<Contact> contacts = find_close_pairs(scene.surfaces, scene.start, tolerance);
    for (const FeatureDistance& d : all_distances(scene)) {
      if (d.contact.distance > tolerance - 1e-14) continue;
      const bool face = d.contact.kind == CcdKind::vertex_face;
      const double limit = d.nearly_parallel ? tolerance : d.contact.distance + 1e-14;
      const bool covered = std::any_of(contacts.begin(), contacts.end(), [&](const Contact& c) {
        if (c.kind == d.contact.kind && c.a == d.contact.a && c.b == d.contact.b) return true;
        if (c.kind == CcdKind::edge_edge || c.distance > limit) return false;
        const auto& q = d.contact.vertices;
        return face ? c.a == d.contact.a : std::find(q.begin(), q.end(), c.a) != q.end();
      });
      CHECK(covered);
    }
  }
}

TEST_CASE("weights, normal and distance tell the same")
{
  for (const CollisionScene& scene : {heap_of_bodies(3, 10), folded_cloth(3, 14)}) {
    const std::vector<Contact> contacts = find_close_pairs(scene.surfaces, scene.start, 0.05);
    CHECK(contacts.size() > 20);
    for (const Contact& c : contacts) {
      const int on_a = c.kind == CcdKind::vertex_face ? 1 : 2;  // vertices of the first feature
      Vector3d difference = Vector3d::Zero();
      double sum_a = 0.0, sum_b = 0.0;
      for (int k = 0; k < 4; ++k) {
        difference += (k < on_a ? 1.0 : -1.0) * c.weights[k] * scene.start[c.vertices[k]];
        (k < on_a ? sum_a : sum_b) += c.weights[k];
      }
      CHECK(sum_a == doctest::Approx(1.0).epsilon(1e-15));
      CHECK(sum_b == doctest::Approx(1.0).epsilon(1e-15));
      CHECK(c.normal.norm() == doctest::Approx(1.0).epsilon(1e-15));
      CHECK(c.distance <= 0.05);
      CHECK((difference - c.distance * c.normal).norm() < 1e-13);  // coordinates of some metres
    }
  }
}

TEST_CASE("a box above a floor has a contact at each of its four corners, and no other")
{
  // To one side of the floor's diagonal: no edge of the box crosses it.
  const CollisionScene scene = box_above_floor({3.0, 0.51, -2.0});
  const std::vector<Contact> contacts = find_close_pairs(scene.surfaces, scene.start, 0.02);
  CHECK(contacts.size() == 4);
  for (const Contact& c : contacts) {
    CHECK(c.kind == CcdKind::vertex_face);
    CHECK(c.distance == doctest::Approx(0.01).epsilon(1e-12));
    CHECK((c.normal - Vector3d::UnitY()).norm() < 1e-15);
  }
}

TEST_CASE("a vertex above the edge of two faces has one contact, not two")
{
  // Two corners of the box stand on the floor's diagonal x = z.
  const CollisionScene scene = box_above_floor({2.0, 0.51, 2.0});
  const std::vector<Contact> contacts = find_close_pairs(scene.surfaces, scene.start, 0.02);
  std::vector<int> corners;
  for (const Contact& c : contacts)
    if (c.kind == CcdKind::vertex_face) corners.push_back(c.a);
  CHECK(corners.size() == 4);
  CHECK(std::adjacent_find(corners.begin(), corners.end()) == corners.end());
}

TEST_CASE("crossed edges touch in their middles")
{
  CollisionScene scene{.name = "crossed edges"};
  TriMesh lower, upper;
  lower.positions = {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}};
  lower.triangles = {{0, 1, 2}};
  upper.positions = {{0.0, 0.01, -1.0}, {0.0, 0.01, 1.0}, {0.0, 1.0, 0.0}};
  upper.triangles = {{0, 1, 2}};
  scene.add(lower, {}, Vector3d::Zero());
  scene.add(upper, {}, Vector3d::Zero());
  const std::vector<Contact> contacts = find_close_pairs(scene.surfaces, scene.start, 0.02);
  REQUIRE(contacts.size() == 1);
  CHECK(contacts[0].kind == CcdKind::edge_edge);
  CHECK(contacts[0].weights == std::array{0.5, 0.5, 0.5, 0.5});
  CHECK(contacts[0].distance == 0.01);
  CHECK(contacts[0].normal == Vector3d(0.0, -1.0, 0.0));  // from the upper edge to the lower
}

TEST_CASE("nearly parallel edges with far ends are not lost")
{
  // Crossing at an angle of 5e-4 in their middles, 1e-5 apart; their ends are 2.5e-4 apart.
  CollisionScene scene{.name = "nearly parallel"};
  TriMesh lower, upper;
  lower.positions = {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}};
  lower.triangles = {{0, 1, 2}};
  upper.positions = {{-1.0, 1e-5, -5e-4}, {1.0, 1e-5, 5e-4}, {0.0, 1.0, 0.0}};
  upper.triangles = {{0, 1, 2}};
  scene.add(lower, {}, Vector3d::Zero());
  scene.add(upper, {}, Vector3d::Zero());
  const std::vector<Contact> narrow = find_close_pairs(scene.surfaces, scene.start, 1e-4);
  REQUIRE(narrow.size() == 1);
  CHECK(narrow[0].kind == CcdKind::edge_edge);
  CHECK(narrow[0].distance == doctest::Approx(1e-5).epsilon(1e-9));
  const std::vector<Contact> wide = find_close_pairs(scene.surfaces, scene.start, 1e-3);
  CHECK(!wide.empty());
  for (const Contact& c : wide) CHECK(c.kind == CcdKind::vertex_face);
}

TEST_CASE("features that touch have the normal of the face, or across both edges")
{
  CollisionScene scene = box_above_floor({3.0, 0.5, -2.0});
  for (const Contact& c : find_close_pairs(scene.surfaces, scene.start, 0.01)) {
    CHECK(c.distance == 0.0);
    CHECK(c.normal == Vector3d::UnitY());
  }
}

TEST_CASE("1, 2 and 8 threads find the same contacts, bit for bit")
{
  const CollisionScene scene = folded_cloth(5, 60);
  const auto contacts_with = [&](int threads) {
    std::vector<Contact> contacts;
    with_threads(threads, [&] { contacts = find_close_pairs(scene.surfaces, scene.start, 0.01); });
    return contacts;
  };
  const std::vector<Contact> expected = contacts_with(1);
  CHECK(expected.size() > 500);
  for (const int threads : {2, 8}) {
    const std::vector<Contact> found = contacts_with(threads);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].vertices == expected[i].vertices);
      CHECK(found[i].weights == expected[i].weights);
      CHECK(found[i].normal == expected[i].normal);
      CHECK(found[i].distance == expected[i].distance);
    }
  }
}
