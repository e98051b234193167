// Continuous collision detection for one pair of features, exact.
//
// Every vertex moves along a straight line, x(t) = (1 - t) x(0) + t x(1) for t in [0, 1]. Features
// are closed: touching counts, at an end of an edge and at t = 0 or t = 1 too. `contact` answers
// for the doubles as they are given. No tolerance enters the verdict: no contact is missed and none
// is invented. Cheap stages prove what they can with bounds on every rounding; what is left goes to
// integer arithmetic, which always decides. See docs/ccd.md.
//
// Pairs that share a vertex touch by construction: callers skip them.
#pragma once

#include <array>
#include <string_view>

#include <tact/core/types.hpp>

namespace tact {

enum class CcdKind { vertex_face, edge_edge };

// Four moving vertices: v, f0, f1, f2 (vertex_face) or a0, a1, b0, b1 (edge_edge). All coordinates
// must be finite.
struct CcdQuery {
  CcdKind kind = CcdKind::vertex_face;
  std::array<Vector3d, 4> start;  // at t = 0
  std::array<Vector3d, 4> end;    // at t = 1
};

// The stages in the order in which they are tried, and what each can prove.
enum class CcdStage {
  box,          // swept boxes are apart: no
  cubic,        // the four points are never coplanar: no
  subdivision,  // every root of the cubic is inside or outside by a margin: yes or no
  slab,         // planes separate the features at all times: no
  exact,        // integer arithmetic: yes or no, always
};
inline constexpr int ccd_stage_count = 5;

std::string_view name(CcdKind kind);
std::string_view name(CcdStage stage);

struct ContactTime {
  bool contact = false;
  double time = 0.0;               // <= the first contact time and >= it - 1e-9; 0 without contact
  CcdStage stage = CcdStage::box;  // the one that decided
};

// Throws Error on a coordinate that is not finite, unless an earlier stage has already said no.
[[nodiscard]] ContactTime contact(const CcdQuery& query);

}  // namespace tact
