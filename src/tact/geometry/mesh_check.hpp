// What is wrong with a mesh, and how good it is. Vertices and triangles are numbered from 0.
#pragma once

#include <limits>
#include <vector>

#include <tact/geometry/surface_intersection.hpp>
#include <tact/geometry/tet_mesh.hpp>
#include <tact/geometry/tri_mesh.hpp>

namespace tact {

// How many there are, and where the first one is: a vertex, triangle or tetrahedron by its number,
// an edge or a face by its vertices.
template <class Where>
struct Offenders {
  int count = 0;
  Where first = {};

  void add(const Where& where)
  {
    if (count++ == 0) first = where;
  }
};

struct Spread {
  double least = std::numeric_limits<double>::infinity();
  double mean = 0.0;
  double greatest = 0.0;
};

// The aspect of a triangle or tetrahedron is its longest edge over its shortest altitude, scaled so
// that the regular one has 1. Those without area or volume are counted elsewhere and left out.
struct SurfaceCheck {
  int vertices = 0;
  int triangles = 0;
  int edges = 0;
  int components = 0;  // pieces that share no vertex
  int euler = 0;       // used vertices - edges + triangles: 2 for a ball, 0 for a torus

  Offenders<Edge> boundary_edges;         // of one triangle
  Offenders<Edge> overfull_edges;         // of more than two
  Offenders<Edge> mismatched_edges;       // of two that run along it in the same direction
  Offenders<int> pinched_vertices;        // where triangles form more than one fan
  Offenders<int> unused_vertices;         // of no triangle
  Offenders<int> duplicate_vertices;      // at the place of an earlier one
  Offenders<int> duplicate_triangles;     // with the three vertices of an earlier one
  Offenders<int> triangles_without_area;  // exactly
  IntersectionReport intersections;

  Aabb box;             // m
  double area = 0.0;    // m^2
  double volume = 0.0;  // m^3; means something when closed and oriented
  Spread edge_length;   // m
  Spread aspect;

  bool manifold() const { return overfull_edges.count == 0 && pinched_vertices.count == 0; }
  bool closed() const { return boundary_edges.count == 0 && overfull_edges.count == 0; }
  bool oriented() const { return mismatched_edges.count == 0 && overfull_edges.count == 0; }
};

struct TetCheck {
  int vertices = 0;
  int tetrahedra = 0;

  Offenders<int> inverted;             // of negative or zero volume, exactly
  Offenders<Triangle> overfull_faces;  // of more than two tetrahedra
  Offenders<int> unused_vertices;      // of no tetrahedron
  SurfaceCheck surface;                // of the boundary, with its vertices numbered anew

  double volume = 0.0;        // m^3
  Spread tetrahedron_volume;  // m^3
  Spread edge_length;         // m
  Spread aspect;
};

// Both need meshes that have passed validate(). About 0.5 s for 200,000 triangles.
SurfaceCheck check(const TriMesh& mesh);
TetCheck check(const TetMesh& mesh);

}  // namespace tact
