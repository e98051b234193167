#include <tact/render/corner_normals.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <tbb/parallel_for.h>
#include <Eigen/Geometry>

namespace tact {
namespace {

using Eigen::Vector3f;

struct Facet {
  Vector3f normal = Vector3f::Zero();  // of length 1, or zero without area
  std::array<float, 3> angle = {};     // rad
};

float angle_between(const Vector3d& a, const Vector3d& b)
{
  const double scale = std::sqrt(a.squaredNorm() * b.squaredNorm());
  return static_cast<float>(std::acos(std::clamp(a.dot(b) / scale, -1.0, 1.0)));
}

Facet make_facet(const Vector3d& a, const Vector3d& b, const Vector3d& c)
{
  const Vector3d ab = b - a, bc = c - b, ca = a - c;
  const Vector3d normal = ab.cross(bc);
  const double length = normal.norm();
  if (!(length > 0.0)) return {};
  Facet facet{.normal = (normal / length).cast<float>()};
  facet.angle[0] = angle_between(ab, -ca);
  facet.angle[1] = angle_between(bc, -ab);
  facet.angle[2] = std::max(0.0f, std::numbers::pi_v<float> - facet.angle[0] - facet.angle[1]);
  return facet;
}

std::vector<Facet> make_facets(std::span<const Vector3d> vertices,
                               std::span<const Triangle> triangles)
{
  std::vector<Facet> facets(triangles.size());
  tbb::parallel_for(std::size_t{0}, triangles.size(), [&](std::size_t i) {
    const Triangle& t = triangles[i];
    facets[i] = make_facet(vertices[t[0]], vertices[t[1]], vertices[t[2]]);
  });
  return facets;
}

Vector3f own_normal(const Facet& facet)
{
  return facet.normal.isZero() ? Vector3f(Vector3f::UnitY()) : facet.normal;
}

// For each vertex its corners, written as 3 * triangle + corner.
Incidence corners_of_vertices(std::size_t vertex_count, std::span<const Triangle> triangles)
{
  Incidence corners;
  corners.start.assign(vertex_count + 1, 0);
  for (const Triangle& t : triangles)
    for (const int vertex : t) ++corners.start[vertex + 1];
  for (std::size_t v = 0; v < vertex_count; ++v) corners.start[v + 1] += corners.start[v];
  corners.items.resize(corners.start.back());
  std::vector<int> next(corners.start.begin(), corners.start.end() - 1);
  for (int i = 0; i < static_cast<int>(triangles.size()); ++i)
    for (int k = 0; k < 3; ++k) corners.items[next[triangles[i][k]]++] = 3 * i + k;
  return corners;
}

Vector3f mean_normal(std::span<const int> corners, const std::vector<Facet>& facets,
                     const Vector3f& own, float least_cosine)
{
  Vector3f sum = Vector3f::Zero();
  for (const int corner : corners) {
    const Facet& facet = facets[corner / 3];
    if (facet.normal.dot(own) >= least_cosine) sum += facet.angle[corner % 3] * facet.normal;
  }
  const float length = sum.norm();
  return length > 0.0f ? Vector3f(sum / length) : own;
}

}  // namespace

std::vector<CornerNormals> corner_normals(std::span<const Vector3d> vertices,
                                          std::span<const Triangle> triangles,
                                          double crease_degrees)
{
  const float least_cosine =
      static_cast<float>(std::cos(crease_degrees * std::numbers::pi / 180.0));
  const std::vector<Facet> facets = make_facets(vertices, triangles);
  const Incidence corners = corners_of_vertices(vertices.size(), triangles);
  std::vector<CornerNormals> normals(triangles.size());
  tbb::parallel_for(0, corners.size(), [&](int vertex) {
    for (const int corner : corners[vertex]) {
      const Vector3f own = own_normal(facets[corner / 3]);
      normals[corner / 3][corner % 3] = mean_normal(corners[vertex], facets, own, least_cosine);
    }
  });
  return normals;
}

}  // namespace tact
