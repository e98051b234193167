// Which directions a contact may push in. Two surfaces are nearest to each other along a direction
// that lies in the normal cones of both features; any other pair of features is a wall in the air:
// the diagonal of a flat square ahead of what slides over it, the far side of a bearing.
//
// With d the unit direction from a feature towards the other one, N outward normals of faces,
// `into` the direction from an edge into a triangle and x_w the neighbours of a vertex x_v:
//   face     N . d > 0                                                    (sheets: of either side)
//   edge     d . into <= tau for both triangles;    solids: d . (N_1 + N_2) > 0
//   vertex   d . (x_w - x_v) <= tau |x_w - x_v|;    solids: d . (sum of N_i) > 0
// A feature is flat along d where d is the normal of one of its faces up to tau. Surfaces with a
// border have no inside, and so no outward side.
#pragma once

#include <span>

#include <tact/sim/contact_key.hpp>
#include <tact/sim/world_surfaces.hpp>

namespace tact {

// A surface that has been carried along an arc, as seen by what it turns about.
struct TurnedSurface {
  IndexRange vertices;
  Eigen::Isometry3d motion = Eigen::Isometry3d::Identity();  // since the start
};

// Where surface vertices are at a time of a step (0 to 1), on their straight lines; or with one
// surface turned, and all others where they were at the start.
struct SurfaceMotion {
  std::span<const Vector3d> x0, x1;
  double time = 0.0;
  const TurnedSurface* turned = nullptr;

  Vector3d operator()(int vertex) const
  {
    if (turned != nullptr) {
      const bool moves = vertex >= turned->vertices.first && vertex < turned->vertices.last;
      return moves ? turned->motion * x0[vertex] : x0[vertex];
    }
    return time == 0.0 ? x0[vertex] : Vector3d(x0[vertex] + time * (x1[vertex] - x0[vertex]));
  }
};

// Whether the contact may push: one side is flat along its normal, or both have it in their cones.
// Where a side is flat the normal becomes that face's, so that facets are not felt; where both are,
// that of the larger body, so that all rows between two faces push the same way. The other side may
// be outside of its cone then, where the pair stays on its features to the end of the step: a box
// that leans a little over a table needs rows at its high corners, too, but the plane of a facet of
// an axle, carried on beyond it as it turns, would be a wall to the corners of its hole. Bodies
// that bend may come to touch anywhere.
bool settle_normal(KeyedContact& contact, const WorldSurfaces& surfaces, const SurfaceMotion& x);

// Whether the pair slides off its features by the end of the step, along their planes and lines.
bool is_left(const ContactKey& key, const SurfaceMotion& x);

}  // namespace tact
