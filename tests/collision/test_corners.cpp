#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include <Eigen/Geometry>

#include <tact/collision/corners.hpp>
#include <tact/core/random.hpp>
#include <tact/geometry/shapes.hpp>

using namespace tact;

namespace {

TriMesh tetrahedron()
{
  return {.positions = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
          .triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

// Three-sided, with quads of two triangles.
TriMesh prism()
{
  return make_cylinder(0.5, 1.0, 3);
}

// Two bricks in the shape of an L, in the plane z: the reflex edge is x = y = 0.
TriMesh l_shape()
{
  TriMesh mesh;
  const std::vector<Vector2d> outline = {{0.0, 0.0},   {1.0, 0.0},  {1.0, -1.0},
                                         {-1.0, -1.0}, {-1.0, 1.0}, {0.0, 1.0}};
  const std::vector<Triangle> caps = {{0, 2, 1}, {0, 3, 2}, {0, 4, 3}, {0, 5, 4}};
  for (const double z : {-1.0, 1.0})
    for (const Vector2d& p : outline) mesh.positions.emplace_back(p.x(), p.y(), z);
  const int n = static_cast<int>(outline.size());
  for (const Triangle& t : caps) {
    mesh.triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
    mesh.triangles.push_back({t[0], t[2], t[1]});
  }
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;  // the outline runs clockwise seen from +z
    mesh.triangles.push_back({i, i + n, j + n});
    mesh.triangles.push_back({i, j + n, j});
  }
  return mesh;
}

// The widest gap over all faces: positive exactly outside of a convex polytope.
double outside(const TriMesh& mesh, const Vector3d& x)
{
  double widest = -1e300;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const auto [a, b, c] = mesh.corners(t);
    widest = std::max(widest, (b - a).cross(c - a).normalized().dot(x - a));
  }
  return widest;
}

// What the corners of a point say of another place.
double allowed(const std::vector<Corner>& corners, const Vector3d& from, const Vector3d& x)
{
  double least = 1e300;
  for (const Corner& corner : corners) {
    double widest = -1e300;
    for (const CornerSide& side : corner.sides)
      widest = std::max(widest, side.gap + side.normal.dot(x - from));
    least = std::min(least, widest);
  }
  return least;
}

std::vector<Vector3d> normals_of(const Corner& corner)
{
  std::vector<Vector3d> normals;
  for (const CornerSide& side : corner.sides) normals.push_back(side.normal);
  return normals;
}

bool has(const Corner& corner, const Vector3d& normal)
{
  const auto normals = normals_of(corner);
  return std::any_of(normals.begin(), normals.end(),
                     [&](const Vector3d& n) { return (n - normal).norm() < 1e-12; });
}

}  // namespace

TEST_CASE("triangles in one plane are one face: box 6, prism 5, tetrahedron 4, L-shape 8")
{
  CHECK(FlatFaces(make_box({1.0, 2.0, 3.0}, 4)).size() == 6);
  CHECK(FlatFaces(prism()).size() == 5);
  CHECK(FlatFaces(tetrahedron()).size() == 4);
  REQUIRE(volume(l_shape()) == doctest::Approx(6.0));
  CHECK(FlatFaces(l_shape()).size() == 8);
}

TEST_CASE("creases of convex polytopes are convex, the L-shape has one reflex edge")
{
  const auto reflex = [](const FlatFaces& faces) {
    std::set<int> creases;
    for (int f = 0; f < faces.size(); ++f)
      for (const int c : faces.creases_of(f))
        if (!faces.crease(c).convex) creases.insert(c);
    return creases.size();
  };
  CHECK(reflex(FlatFaces(make_box({1.0, 1.0, 1.0}, 2))) == 0);
  CHECK(reflex(FlatFaces(prism())) == 0);
  CHECK(reflex(FlatFaces(tetrahedron())) == 0);
  CHECK(reflex(FlatFaces(l_shape())) == 1);
}

TEST_CASE(
    "near the middle of a face one plane is enough, near an edge two sides, at a vertex three")
{
  const TriMesh box = make_box({2.0, 2.0, 2.0}, 3);
  const FlatFaces faces(box);
  const CornerOptions options{.reach = 0.3};
  const auto middle = corners_near(faces, box.positions, {0.1, 1.1, 0.0}, options);
  REQUIRE(middle.size() == 1);
  REQUIRE(middle[0].sides.size() == 1);
  CHECK(middle[0].sides[0].gap == doctest::Approx(0.1));
  CHECK(has(middle[0], Vector3d::UnitY()));

  const auto edge = corners_near(faces, box.positions, {1.1, 1.1, 0.0}, options);
  REQUIRE(edge.size() == 1);
  CHECK(edge[0].sides.size() == 2);
  CHECK(has(edge[0], Vector3d::UnitX()));
  CHECK(has(edge[0], Vector3d::UnitY()));

  const auto vertex = corners_near(faces, box.positions, {1.1, 1.1, 1.1}, options);
  REQUIRE(vertex.size() == 1);
  CHECK(vertex[0].sides.size() == 3);

  CHECK(corners_near(faces, box.positions, {1.4, 0.0, 0.0}, options).empty());
}

TEST_CASE("a face that only ends another one is in the group, as in fig. 8 of [Egan03]")
{
  // In front of the side x = 1, just below the edge to the top: behind the top's plane.
  const TriMesh box = make_box({2.0, 2.0, 2.0});
  const auto corners =
      corners_near(FlatFaces(box), box.positions, {1.05, 0.9, 0.0}, {.reach = 0.2});
  REQUIRE(corners.size() == 1);
  REQUIRE(corners[0].sides.size() == 2);
  CHECK(has(corners[0], Vector3d::UnitY()));
  // Over the edge it is free: behind x = 1, but above the top.
  CHECK(allowed(corners, {1.05, 0.9, 0.0}, {0.95, 1.02, 0.0}) > 0.0);
  CHECK(allowed(corners, {1.05, 0.9, 0.0}, {0.95, 0.98, 0.0}) < 0.0);
}

TEST_CASE("for convex polytopes the group is the free space within reach, no more and no less")
{
  Random random(8);
  int crossed = 0, grouped = 0;
  for (const TriMesh& mesh : {make_box({1.0, 1.5, 0.8}, 2), prism(), tetrahedron()}) {
    const FlatFaces faces(mesh);
    for (int trial = 0; trial < 2000; ++trial) {
      const Vector3d p = random.in_cube(1.2);
      const double reach = random.uniform(0.02, 0.4);
      if (outside(mesh, p) <= 0.0) continue;
      const auto corners = corners_near(faces, mesh.positions, p, {.reach = reach});
      if (corners.size() == 1 && corners[0].sides.size() > 1) ++grouped;
      for (int sample = 0; sample < 10; ++sample) {
        const Vector3d x = p + random.uniform() * reach * random.in_cube(1.0).normalized();
        const double truth = outside(mesh, x);
        if (std::abs(truth) < 1e-12) continue;  // on the surface: round-off decides
        if (truth < 0.0) ++crossed;
        CHECK((allowed(corners, p, x) > 0.0) == (truth > 0.0));
      }
    }
  }
  CHECK(grouped > 300);
  CHECK(crossed > 300);
}

TEST_CASE("what bounds different parts has to hold together: both walls of a notch")
{
  const TriMesh mesh = l_shape();
  const auto corners =
      corners_near(FlatFaces(mesh), mesh.positions, {0.05, 0.05, 0.0}, {.reach = 0.1});
  REQUIRE(corners.size() == 2);
  CHECK(corners[0].sides.size() == 1);
  CHECK(corners[1].sides.size() == 1);
}

TEST_CASE("the far side of a thin plate is left out, so that nothing is pulled through")
{
  const TriMesh plate = make_box({2.0, 0.01, 2.0});
  const Vector3d p(0.0, 0.02, 0.0);
  const auto corners = corners_near(FlatFaces(plate), plate.positions, p, {.reach = 0.1});
  REQUIRE(corners.size() == 1);
  REQUIRE(corners[0].sides.size() == 1);
  CHECK(has(corners[0], Vector3d::UnitY()));
}

TEST_CASE("smooth surfaces get one plane: that in front of which the point is farthest")
{
  const TriMesh ball = make_icosphere(1.0, 3);
  const Vector3d p(0.0, 0.0, 1.1);
  const auto corners = corners_near(FlatFaces(ball), ball.positions, p, {.reach = 0.5});
  REQUIRE(corners.size() == 1);
  REQUIRE(corners[0].sides.size() == 1);
  CHECK(corners[0].sides[0].gap == doctest::Approx(outside(ball, p)));
}

TEST_CASE("weights place the foot of the point on the plane, also off the triangle")
{
  const TriMesh box = make_box({2.0, 2.0, 2.0}, 2);
  const FlatFaces faces(box);
  const Vector3d p(1.1, 0.9, 0.95);
  for (const Corner& corner : corners_near(faces, box.positions, p, {.reach = 0.3})) {
    CHECK(corner.sides.size() == 3);
    for (const CornerSide& side : corner.sides) {
      const auto corners = box.corners(side.triangle);
      Vector3d foot = Vector3d::Zero();
      double sum = 0.0;
      for (int k = 0; k < 3; ++k) {
        foot += side.weights[k] * corners[k];
        sum += side.weights[k];
      }
      CHECK(sum == doctest::Approx(1.0));
      CHECK((foot + side.gap * side.normal - p).norm() < 1e-14);
    }
  }
}

TEST_CASE("two boxes vertex to vertex: a group from each side, and the same among named triangles")
{
  const TriMesh lower = make_box({1.0, 1.0, 1.0});
  TriMesh upper = make_box({1.0, 1.0, 1.0});
  for (Vector3d& x : upper.positions) x += Vector3d(1.02, 1.03, 1.01);
  const CornerOptions options{.reach = 0.1};
  const auto down =
      corners_of_vertices(upper.positions, FlatFaces(lower), lower.positions, options);
  const auto up = corners_of_vertices(lower.positions, FlatFaces(upper), upper.positions, options);
  REQUIRE(down.size() == 1);
  REQUIRE(up.size() == 1);
  REQUIRE(down[0].corners.size() == 1);
  REQUIRE(up[0].corners.size() == 1);
  CHECK(down[0].corners[0].sides.size() == 3);
  CHECK(up[0].corners[0].sides.size() == 3);

  const FlatFaces faces(lower);
  std::vector<int> named;
  for (int t = lower.triangle_count() - 1; t >= 0; --t) named.push_back(t);
  const auto again =
      corners_near(faces, lower.positions, named, upper.positions[down[0].vertex], options);
  REQUIRE(again.size() == 1);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(again[0].sides[i].face == down[0].corners[0].sides[i].face);
}

TEST_CASE("around a face that is near stands what is near all the mesh, for convex polytopes")
{
  Random random(31);
  int groups = 0;
  for (const TriMesh& mesh : {make_box({1.0, 1.0, 1.0}), prism(), tetrahedron()}) {
    const FlatFaces faces(mesh);
    for (int trial = 0; trial < 300; ++trial) {
      const Vector3d point = random.in_cube(1.2);
      const CornerOptions options{.reach = random.uniform(0.05, 0.3)};
      const std::vector<Corner> all = corners_near(faces, mesh.positions, point, options);
      if (all.size() != 1) continue;  // none, or two parts of a thin wedge
      for (const CornerSide& side : all[0].sides) {
        const auto found = corners_around(faces, mesh.positions, side.face, point, options);
        REQUIRE(found.size() == 1);
        REQUIRE(found[0].sides.size() == all[0].sides.size());
        for (std::size_t i = 0; i < all[0].sides.size(); ++i)
          CHECK(found[0].sides[i].face == all[0].sides[i].face);
      }
      if (all[0].sides.size() > 1) ++groups;
    }
  }
  CHECK(groups > 50);
}

TEST_CASE("faces are found by one or two or three of their vertices")
{
  const TriMesh mesh = make_box({1.0, 1.0, 1.0});
  const FlatFaces faces(mesh);
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle& corners = mesh.triangles[t];
    CHECK(faces.face_with(corners) == faces.face_of(t));
    for (const int count : {1, 2}) {
      const auto some = std::span(corners).first(static_cast<std::size_t>(count));
      const int face = faces.face_with(some);
      REQUIRE(face >= 0);
      CHECK(face <= faces.face_of(t));  // the first there is
    }
  }
  const Vector3d low = -Vector3d::Constant(0.5);
  const auto corner = [&](const Vector3d& place) {
    return static_cast<int>(std::find(mesh.positions.begin(), mesh.positions.end(), place) -
                            mesh.positions.begin());
  };
  const std::array<int, 2> diagonal = {corner(low), corner(-low)};  // through the inside
  CHECK(faces.face_with(diagonal) == -1);
}
