// Surfaces divided into discs, once and by topology alone: what flat_patches.hpp looks at in every
// step.
//
// A patch is a triangulated disc: its triangles hang together by edges, and its border is one loop
// that meets no vertex twice. Patches are grown one triangle at a time so that this stays true:
//
//   a triangle that shares one edge with the disc comes in if its third vertex is new to the disc;
//   one that shares two edges always does (their common vertex becomes an inner one);
//   one that shares three never does (it would close a sphere).
//
// Where to start, and which triangles belong where, is decided by distances from triangle to
// triangle, so that patches are about round and neighbours meet along one path. Triangles with an
// edge of three triangles or more, or whose neighbour is turned the other way, are in no patch.
#pragma once

#include <vector>

#include <tact/collision/surface_set.hpp>

namespace tact {

struct DiscPatch {
  std::vector<int> triangles;
  std::vector<int> outline;  // the vertices of the border, counter-clockwise
};

// Two patches that have one path of edges in common, and nothing else: a disc again.
struct DiscUnion {
  int a = 0, b = 0;          // patches, a < b
  std::vector<int> outline;  // of both together
};

struct DiscPatches {
  static constexpr int none = -1;

  std::vector<DiscPatch> patches;
  std::vector<DiscUnion> unions;
  std::vector<int> patch_of;  // for each triangle of the set, or none
};

// The surfaces that are tested against themselves, in patches of about `size` triangles. Linear.
DiscPatches divide_into_discs(const SurfaceSet& surfaces, int size);

// All triangles in no patch.
DiscPatches no_discs(const SurfaceSet& surfaces);

}  // namespace tact
