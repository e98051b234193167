// All triangles of a scene in one list, ready to be drawn and shaded.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/render/corner_normals.hpp>
#include <tact/render/render.hpp>

namespace tact {

using Corners = std::array<Eigen::Vector3f, 3>;

struct SceneGeometry {
  std::vector<Eigen::Vector3f> vertices;  // m, from the eye in world axes: floats are finest there
  std::vector<Triangle> triangles;
  std::vector<CornerNormals> normals;  // of the triangles
  std::vector<int> mesh;               // of each triangle

  int triangle_count() const { return static_cast<int>(triangles.size()); }
  Corners corners(int triangle) const
  {
    const Triangle& t = triangles[triangle];
    return {vertices[t[0]], vertices[t[1]], vertices[t[2]]};
  }
};

// Throws Error for triangles without their vertices and coordinates out of range.
void validate(const RenderScene& scene);

SceneGeometry gather_geometry(const RenderScene& scene, const Vector3d& eye);

// The mean of the corners' normals around each vertex, of length 1.
std::vector<Eigen::Vector3f> vertex_normals(const SceneGeometry& geometry);

// The triangles that cast shadows.
std::vector<Corners> shadow_casters(const SceneGeometry& geometry, const RenderScene& scene);

}  // namespace tact
