// The pairs of the broad phase by a uniform grid: the simple reference that the trees are compared
// with, in tests for their answer and in the bench for their time. One thread, nothing kept.
#pragma once

#include <span>

#include <tact/collision/feature_pairs.hpp>
#include <tact/collision/surface_set.hpp>

namespace tact {

// The same answer as BroadPhase::find_pairs, bit for bit. Suits triangles of about one size: cells
// are as large as the average triangle.
FeaturePairs find_pairs_by_hash(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                                double tolerance);

// The same from the definition: every pair of features is looked at, n^2 of them.
FeaturePairs find_pairs_by_brute_force(const SurfaceSet& surfaces,
                                       std::span<const MovingVertex> vertices, double tolerance);

}  // namespace tact
