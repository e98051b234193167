// What fit_lattice owes for every closed surface of one piece.
#pragma once

#include <algorithm>
#include <map>

#include <doctest/doctest.h>

#include <tact/core/union_find.hpp>
#include <tact/geometry/embedding.hpp>

namespace tact {

// Pieces of tetrahedra that hang together by faces.
inline int face_components(const TetMesh& solid)
{
  std::map<Triangle, int> seen;
  UnionFind pieces(solid.tetrahedron_count());
  int count = solid.tetrahedron_count();
  for (int t = 0; t < solid.tetrahedron_count(); ++t) {
    for (int skipped = 0; skipped < 4; ++skipped) {
      Triangle face;
      for (int k = 0; k < 3; ++k) face[k] = solid.tetrahedra[t][k < skipped ? k : k + 1];
      std::sort(face.begin(), face.end());
      const auto [it, fresh] = seen.try_emplace(face, t);
      if (!fresh && pieces.merge(it->second, t)) --count;
    }
  }
  return count;
}

inline double filled_volume(const Lattice& lattice)
{
  double sum = 0.0;
  for (int t = 0; t < lattice.solid.tetrahedron_count(); ++t)
    sum += lattice.fill[t] * volume(lattice.solid.corners(t));
  return sum;
}

inline void check_lattice(const TriMesh& surface, const Lattice& lattice, int pieces = 1)
{
  CHECK(inverted_tetrahedra(lattice.solid).empty());
  CHECK(overfull_faces(lattice.solid).empty());
  CHECK(face_components(lattice.solid) == pieces);
  CHECK(lattice.surface.triangles == surface.triangles);
  REQUIRE(lattice.surface.vertices.size() == surface.positions.size());
  const double size = bounding_box(surface.positions).extent().maxCoeff();
  double worst = 0.0, least = 1.0;
  for (std::size_t v = 0; v < surface.positions.size(); ++v) {
    const Barycentric& vertex = lattice.surface.vertices[v];
    least = std::min(least, *std::min_element(vertex.weights.begin(), vertex.weights.end()));
    worst = std::max(worst, (vertex.at(lattice.solid.positions) - surface.positions[v]).norm());
  }
  CHECK(least >= 0.0);
  CHECK(worst <= 1e-8 * size);  // vertices on a wall may be moved by rounding of the walls' places
  REQUIRE(lattice.fill.size() == lattice.solid.tetrahedra.size());
  CHECK(*std::min_element(lattice.fill.begin(), lattice.fill.end()) > 0.0);
  CHECK(*std::max_element(lattice.fill.begin(), lattice.fill.end()) <= 1.0);
}

}  // namespace tact
