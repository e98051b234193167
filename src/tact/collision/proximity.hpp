// Proximity: which features are closer than a tolerance at the start of a step.
//
// Vertex-face pairs are found with their closest points inside the face, on its sides and at its
// corners, and so stand in for vertex-edge and vertex-vertex pairs too. Where several faces around
// one edge or corner have the same closest point, one contact is enough: a contact on the border of
// its face is left out if a face that has that side or corner is at least as close to the vertex
// (of equals, the first stays). Edge-edge pairs count where the closest points are inside both
// edges. If an end is closest, a vertex-face pair at most as far away says it all; so too for
// nearly parallel edges, |e1 x e2| <= 1e-3 |e1| |e2|, if an end of one is within the tolerance of
// the other: the contact points of such edges jump about.
//
// Hence: each pair of features within the tolerance is covered by a contact. The smallest distance
// of all contacts is that of the surfaces, but where it is attained by nearly parallel edges only:
// there it may be up to 1e-3 of an edge's length more. (A triangle's own height is no contact: a
// vertex is not tested against the triangle it belongs to.)
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/collision/feature_pairs.hpp>

namespace tact {

struct Contact {
  CcdKind kind = CcdKind::vertex_face;
  int a = 0;  // the vertex or the first edge
  int b = 0;  // the triangle or the second edge
  VertexQuad vertices{};
  std::array<double, 4> weights{};  // of the vertices; those of a add up to 1, and those of b
  Vector3d normal;                  // unit, from b to a
  double distance = 0.0;            // m
};

// The contact of a pair, however far apart. Below 1e-9 of the features' size the direction between
// closest points is rounding error: there the normal is the face's, or that of the plane along both
// edges, on the side of a. A vertex that lies exactly in a face's plane is taken to be outside.
Contact contact_at_start(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                         const VertexFacePair& pair);
Contact contact_at_start(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                         const EdgeEdgePair& pair);

// The same for four corners anywhere, in the order of CcdQuery; `a`, `b` and `vertices` are left
// for the caller to fill.
Contact contact_of_corners(CcdKind kind, const std::array<Vector3d, 4>& corners);

// All contacts at the start of the motion among some pairs, which must hold all that are within the
// tolerance (BroadPhase::find_pairs with the same tolerance gives such): vertex-face first, each
// kind in the order of the pairs. Distances are those of geometry/distance.hpp, with their
// rounding.
std::vector<Contact> find_close_pairs(const SurfaceSet& surfaces,
                                      std::span<const MovingVertex> vertices,
                                      const FeaturePairs& pairs, double tolerance);

// In one call, for a single look at some surfaces.
std::vector<Contact> find_close_pairs(const SurfaceSet& surfaces,
                                      std::span<const Vector3d> positions, double tolerance);

}  // namespace tact
