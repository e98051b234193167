// Motion queries by the million: SIMD filters over pairs of features of one set of moving vertices,
// and the exact answers for what they leave.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/collision/ccd.hpp>
#include <tact/collision/separation.hpp>

namespace tact {

// One cache line a vertex, so that a query costs four loads and no gathering.
struct alignas(64) MovingVertex {
  std::array<double, 4> start{};  // x, y, z, 0
  std::array<double, 4> end{};

  MovingVertex() = default;
  MovingVertex(const Vector3d& x0, const Vector3d& x1)
      : start{x0[0], x0[1], x0[2], 0.0}, end{x1[0], x1[1], x1[2], 0.0}
  {
  }
};

// Indices of the four vertices in the order of CcdQuery.
using VertexQuad = std::array<int, 4>;

struct CcdBatch {
  CcdKind kind = CcdKind::vertex_face;
  std::span<const MovingVertex> vertices;
  std::span<const VertexQuad> pairs;

  CcdQuery query(int pair) const;
};

// Which pairs may be in contact: swept boxes and the signs of the cubic, some 6 ns a pair. Writes
// their numbers, ascending, to `survivors`, which has room for all, and returns how many they are.
// What is left out is proved free of contact for t in [0, 1].
int filter_contact_batch(const CcdBatch& batch, std::span<int> survivors);

// Which pairs may come closer than delta: planes across the axes and along P x Q at both ends. What
// is left out keeps the distance delta for t in [0, 1].
int filter_separation_batch(const CcdBatch& batch, double delta, std::span<int> survivors);

// The pairs in contact, ascending, each with the answer of `contact`.
struct BatchContact {
  int pair = 0;
  ContactTime contact;
};
void contact_batch(const CcdBatch& batch, std::vector<BatchContact>& contacts);

// The pairs that limit the step, ascending, each with the answer of `safe_time`.
struct BatchSafeTime {
  int pair = 0;
  SafeTime safe;
};
void safe_time_batch(const CcdBatch& batch, double delta, std::vector<BatchSafeTime>& limits,
                     const SeparationOptions& options = {});

}  // namespace tact
