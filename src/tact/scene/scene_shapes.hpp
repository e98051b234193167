// From the shape that a body of a scene names to its mesh: in the shape's own axes, scaled.
#pragma once

#include <optional>
#include <vector>

#include <tact/files/json_reader.hpp>
#include <tact/geometry/embedding.hpp>
#include <tact/geometry/mass_properties.hpp>
#include <tact/geometry/tet_mesh.hpp>
#include <tact/geometry/tri_mesh.hpp>

namespace tact {

// Of rigid bodies: a closed surface and the mass properties of its inside at 1 kg/m^3. Those of
// boxes, spheres, capsules and cylinders are the ideal shape's, not the mesh's.
struct SolidShape {
  TriMesh surface;
  MassProperties unit_mass;
};

struct GridSize {
  int nx = 0, nz = 0;  // vertices
};

struct ClothShape {
  TriMesh surface;
  std::optional<GridSize> grid;  // absent for meshes from files
};

struct SoftShape {
  TetMesh mesh;
  std::optional<EmbeddedSurface> surface;
  std::vector<double> fill;  // share of each tetrahedron that is matter; empty: all of it

  double volume() const;  // m^3, of the matter
};

struct ObstacleShape {
  TriMesh surface;
  std::vector<std::vector<Vector3d>> frames;  // of a cache; empty otherwise
  double fps = 0.0;
};

// `body` has passed the table of its type and is complete. Throw Error for files that are absent,
// unreadable or unsound, and for meshes too large to make.
SolidShape rigid_shape(const JsonValue& body);
ClothShape cloth_shape(const JsonValue& body);
SoftShape soft_shape(const JsonValue& body);
ObstacleShape obstacle_shape(const JsonValue& body);

}  // namespace tact
