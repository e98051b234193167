#include <doctest/doctest.h>

#include <tact/geometry/shapes.hpp>
#include <tact/render/corner_normals.hpp>

namespace tact {
namespace {

using Eigen::Vector3f;

TEST_CASE("normals of a smooth sphere point from its centre")
{
  const TriMesh sphere = make_icosphere(2.0, 4);
  const auto normals = corner_normals(sphere.positions, sphere.triangles, 40.0);
  for (int i = 0; i < sphere.triangle_count(); ++i)
    for (int k = 0; k < 3; ++k) {
      const Vector3f radial = sphere.positions[sphere.triangles[i][k]].normalized().cast<float>();
      CHECK((normals[i][k] - radial).norm() < 0.005f);  // the edge angle squared, 0.07^2
    }
}

TEST_CASE("the faces of a box stay flat to their edges")
{
  const TriMesh box = make_box({1, 2, 3}, 3);
  const auto normals = corner_normals(box.positions, box.triangles, 40.0);
  for (int i = 0; i < box.triangle_count(); ++i)
    for (int k = 0; k < 3; ++k) {
      CHECK(normals[i][k].cwiseAbs().maxCoeff() == doctest::Approx(1.0f));
      CHECK((normals[i][k] - normals[i][0]).norm() < 1e-6f);
    }
}

TEST_CASE("a crease angle beyond all edges smooths a cube's corners to its diagonals")
{
  // Weights by angle: the three faces count alike, however they are cut into triangles.
  const TriMesh box = make_box({1, 1, 1});
  const auto normals = corner_normals(box.positions, box.triangles, 180.0);
  for (int i = 0; i < box.triangle_count(); ++i)
    for (int k = 0; k < 3; ++k) {
      const Vector3f diagonal = box.positions[box.triangles[i][k]].normalized().cast<float>();
      CHECK((normals[i][k] - diagonal).norm() < 1e-5f);
    }
}

TEST_CASE("triangles without area get a normal of length 1 and do not disturb others")
{
  TriMesh mesh = make_cloth(1, 1, 2, 2);
  mesh.triangles.push_back({0, 0, 1});
  mesh.triangles.push_back({2, 2, 2});
  for (const auto& corners : corner_normals(mesh.positions, mesh.triangles, 40.0))
    for (const Vector3f& normal : corners) CHECK(normal == Vector3f(0, 1, 0));
}

}  // namespace
}  // namespace tact
