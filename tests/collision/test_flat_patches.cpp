#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include <collision/bent_sheets.hpp>
#include <tact/collision/broad_phase.hpp>
#include <tact/collision/crossings.hpp>
#include <tact/collision/proximity.hpp>
#include <tact/collision/spatial_hash.hpp>
#include <threads.hpp>

using namespace tact;

namespace {

// Checks that triangles form a disc with this outline: one piece, V - E + F = 1, and the edges of
// one triangle only are the outline's, each passed in the triangle's own direction.
void check_disc(const SurfaceSet& surfaces, std::vector<int> triangles,
                const std::vector<int>& outline)
{
  std::set<int> vertices;
  std::map<Edge, int> directed;
  for (const int t : triangles) {
    const Triangle& c = surfaces.triangles()[t];
    vertices.insert(c.begin(), c.end());
    for (int k = 0; k < 3; ++k) ++directed[{c[k], c[(k + 1) % 3]}];
  }
  std::set<Edge> border;
  long edges = 0;
  for (const auto& [edge, count] : directed) {
    CHECK(count == 1);
    const bool inner = directed.contains({edge[1], edge[0]});
    edges += inner ? 1 : 2;  // halves
    if (!inner) border.insert(edge);
  }
  CHECK(2 * static_cast<long>(vertices.size() + triangles.size()) - edges == 2);
  std::set<Edge> passed;
  for (std::size_t i = 0; i < outline.size(); ++i)
    passed.insert({outline[i], outline[(i + 1) % outline.size()]});
  CHECK(passed == border);
  CHECK(std::set<int>(outline.begin(), outline.end()).size() == outline.size());
}

// Pairs of features that overlap and that the broad phase leaves out.
FeaturePairs left_out(const CollisionScene& scene, double tolerance)
{
  const std::vector<MovingVertex> vertices = scene.vertices();
  const FeaturePairs all = find_pairs_by_brute_force(scene.surfaces, vertices, tolerance);
  BroadPhase broad_phase(scene.surfaces);
  const FeaturePairs& kept = broad_phase.find_pairs(vertices, tolerance);
  FeaturePairs out;
  const auto subtract = [](const auto& from, const auto& what, auto& result) {
    CHECK(std::includes(from.begin(), from.end(), what.begin(), what.end()));
    std::set_difference(from.begin(), from.end(), what.begin(), what.end(),
                        std::back_inserter(result));
  };
  subtract(all.vertex_face, kept.vertex_face, out.vertex_face);
  subtract(all.edge_edge, kept.edge_edge, out.edge_edge);
  return out;
}

// A patch of all the triangles, in the state of a scene.
bool keeps_clear(const CollisionScene& scene, double tolerance)
{
  const DiscPatches discs = divide_into_discs(scene.surfaces, 100000);
  REQUIRE(discs.patches.size() == 1);
  FlatPatches flat(discs);
  flat.update(scene.surfaces, scene.vertices(), tolerance);
  return flat.keep_apart(0, 0);
}

CollisionScene scene_of(const TriMesh& mesh)
{
  CollisionScene scene{.name = "sheet"};
  scene.add(mesh, {.self = true}, Vector3d::Zero());
  return scene;
}

bool same_contacts(const std::vector<Contact>& x, const std::vector<Contact>& y)
{
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Contact& a, const Contact& b) {
    return a.kind == b.kind && a.a == b.a && a.b == b.b && a.distance == b.distance &&
           a.normal == b.normal;
  });
}

}  // namespace

TEST_CASE("patches and unions of patches are discs, and each triangle is in at most one patch")
{
  std::vector<CollisionScene> scenes = self_collision_scenes();
  scenes.push_back(triangle_soup(1));  // edges with many triangles, vertices that only touch
  scenes.push_back(heap_of_bodies(1, 9));
  for (const CollisionScene& scene : scenes) {
    CAPTURE(scene.name);
    for (const int size : {1, 12, 48, 100000}) {
      CAPTURE(size);
      const DiscPatches discs = divide_into_discs(scene.surfaces, size);
      std::vector<int> patch_of(scene.surfaces.triangle_count(), DiscPatches::none);
      for (std::size_t p = 0; p < discs.patches.size(); ++p) {
        const DiscPatch& patch = discs.patches[p];
        check_disc(scene.surfaces, patch.triangles, patch.outline);
        for (const int t : patch.triangles) {
          CHECK(patch_of[t] == DiscPatches::none);
          patch_of[t] = static_cast<int>(p);
        }
      }
      CHECK(patch_of == discs.patch_of);
      for (const DiscUnion& both : discs.unions) {
        std::vector<int> triangles = discs.patches[both.a].triangles;
        const std::vector<int>& more = discs.patches[both.b].triangles;
        triangles.insert(triangles.end(), more.begin(), more.end());
        check_disc(scene.surfaces, triangles, both.outline);
      }
    }
  }
}

TEST_CASE("a sheet is divided into patches of about the size asked for")
{
  const CollisionScene scene = scene_of(make_cloth(1.0, 1.0, 41, 41));
  const DiscPatches discs = divide_into_discs(scene.surfaces, 50);  // of 3200 triangles
  CHECK(discs.patches.size() >= 64 / 2);
  CHECK(discs.patches.size() <= 64 * 2);
  CHECK(discs.unions.size() >= 2 * discs.patches.size());  // most have four neighbours and more
}

TEST_CASE("pairs that are left out keep their distance during all of the motion" *
          doctest::test_suite("slow"))
{
  for (const CollisionScene& scene : self_collision_scenes()) {
    CAPTURE(scene.name);
    const std::vector<MovingVertex> vertices = scene.vertices();
    for (const double tolerance : {0.0, scene.tolerance}) {
      const FeaturePairs out = left_out(scene, tolerance);
      const auto check = [&](CcdKind kind, const VertexQuad& quad) {
        const CcdQuery query = CcdBatch{kind, vertices, {&quad, 1}}.query(0);
        CHECK_FALSE(contact(query).contact);
        // `separation` stops within 1e-3 of the distance: with that much less it must not stop.
        if (tolerance > 0.0) CHECK(separation(query, 0.998 * tolerance).free);
      };
      for (const auto& p : out.vertex_face)
        check(CcdKind::vertex_face, vertices_of(scene.surfaces, p));
      for (const auto& p : out.edge_edge) check(CcdKind::edge_edge, vertices_of(scene.surfaces, p));
    }
  }
}

TEST_CASE("leaving out flat patches changes no crossing and no contact, with 1, 2 and 8 threads")
{
  for (const CollisionScene& scene : self_collision_scenes()) {
    CAPTURE(scene.name);
    const std::vector<MovingVertex> vertices = scene.vertices();
    BroadPhase all(scene.surfaces, {.skip_flat = false});
    const FeaturePairs& pairs = all.find_pairs(vertices, scene.tolerance);
    const std::vector<Crossing> crossings = find_crossings(scene.surfaces, vertices, pairs).pairs;
    const std::vector<Contact> contacts =
        find_close_pairs(scene.surfaces, vertices, pairs, scene.tolerance);
    for (const int threads : {1, 2, 8}) {
      CAPTURE(threads);
      with_threads(threads, [&] {
        BroadPhase some(scene.surfaces);
        const FeaturePairs& fewer = some.find_pairs(vertices, scene.tolerance);
        CHECK(find_crossings(scene.surfaces, vertices, fewer).pairs == crossings);
        CHECK(same_contacts(find_close_pairs(scene.surfaces, vertices, fewer, scene.tolerance),
                            contacts));
      });
    }
  }
}

TEST_CASE("a flat sheet has no pairs but around the corners of four patches")
{
  const CollisionScene scene = scene_of(make_cloth(1.0, 1.0, 61, 61));
  const std::vector<MovingVertex> vertices = scene.vertices();
  BroadPhase some(scene.surfaces), all(scene.surfaces, {.skip_flat = false});
  const double tolerance = 0.003;  // edges are 0.017
  CHECK(some.find_pairs(vertices, tolerance).size() * 20 <
        all.find_pairs(vertices, tolerance).size());
}

TEST_CASE("an open ring is not clear of itself when its ends are within the tolerance")
{
  // Normals are all the same: it is the outline that tells. The ends are 0.3 gap apart inside.
  for (const double gap : {0.2, 0.1, 0.05}) {
    const CollisionScene scene = scene_of(open_ring(60, gap));
    const double nearest = 2.0 * 0.3 * std::sin(gap / 2.0);
    CHECK(keeps_clear(scene, 0.0));
    // Boxes of slanted edges are wide, and triangles are only 0.018 high.
    CHECK(keeps_clear(scene, std::min(0.2 * nearest, 0.005)));
    CHECK_FALSE(keeps_clear(scene, 1.001 * nearest));
  }
}

TEST_CASE("an open ring whose ends move through each other is not clear of itself")
{
  CollisionScene scene = scene_of(open_ring(60, 0.1));
  CHECK(keeps_clear(scene, 0.0));
  const CollisionScene overlapping = scene_of(open_ring(60, -0.1));
  scene.end = overlapping.start;
  CHECK_FALSE(keeps_clear(scene, 0.0));
  // Clear at both ends of the motion, but not between: the ends change places twice.
  scene.start = overlapping.start;
  scene.end = scene_of(open_ring(60, 0.1)).start;
  CHECK_FALSE(keeps_clear(scene, 0.0));
}

TEST_CASE("a spiral ramp of more than one turn is not clear of itself, however level it is")
{
  CHECK(keeps_clear(scene_of(spiral_ramp(90, 0.9, 0.01)), 0.0));
  CHECK_FALSE(keeps_clear(scene_of(spiral_ramp(90, 1.1, 0.01)), 0.0));
  CHECK_FALSE(keeps_clear(scene_of(spiral_ramp(90, 2.5, 1e-6)), 0.0));
}

TEST_CASE("a patch is not clear of itself when its own triangles are lower than the tolerance")
{
  const CollisionScene scene = scene_of(wavy_sheet(8, 0.0));  // heights of 0.1
  CHECK(keeps_clear(scene, 0.03));
  CHECK_FALSE(keeps_clear(scene, 0.11));
}

TEST_CASE("a sheet that turns over during the step is not clear of itself on its way")
{
  // Half a turn by straight lines: in the middle all vertices are on one line.
  CollisionScene scene = scene_of(wavy_sheet(8, 0.0));
  for (Vector3d& x : scene.end) x = Vector3d(1.0 - x[0], x[1], x[2]);
  CHECK_FALSE(keeps_clear(scene, 0.0));
}

TEST_CASE("with slack, what is clear stays clear wherever vertices go within it")
{
  Random random(32);
  const CollisionScene sheet = scene_of(wavy_sheet(8, 0.05));
  const double reach = 0.012;
  const std::vector<double> slack(sheet.start.size(), reach);
  const DiscPatches discs = divide_into_discs(sheet.surfaces, 100000);
  FlatPatches flat(discs);
  flat.update(sheet.surfaces, sheet.vertices(), 0.005, slack);
  CHECK(flat.keep_apart(0, 0));
  for (int round = 0; round < 50; ++round) {
    CollisionScene moved_sheet = sheet;
    for (Vector3d& x : moved_sheet.start) x += reach * random.in_cube(1.0).normalized();
    for (Vector3d& x : moved_sheet.end) x += reach * random.in_cube(1.0).normalized();
    CHECK(find_crossings(moved_sheet.surfaces, moved_sheet.start, moved_sheet.end).empty());
    CHECK(find_close_pairs(moved_sheet.surfaces, moved_sheet.start, 0.005).empty());
  }
  // Triangles are 0.1 high, and four times as much slack could fold one over.
  const std::vector<double> too_much(sheet.start.size(), 0.03);
  flat.update(sheet.surfaces, sheet.vertices(), 0.005, too_much);
  CHECK_FALSE(flat.keep_apart(0, 0));
}
