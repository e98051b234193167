// Built-in scenes of [Lloyd05]: the bodies of its problem families (contact_families.hpp) in
// motion, with y up. Bodies weigh 1 kg.
#pragma once

#include <cstdint>

#include <tact/setup/scene_description.hpp>

namespace tact {

// A peg slides down in a hole while a force of random direction pushes it to the side: it touches
// in two rings, the rims of the hole. Fig. 3
struct PegInHole {
  int segments = 16;        // of the peg, around
  double clearance = 0.01;  // m, between peg and hole
  double drop = 0.3;        // m, to the floor
  double push = 5.0;        // N
  std::uint64_t seed = 1;
};
SceneDescription peg_in_hole_scene(const PegInHole& options);

// One body in one of ten situations, from a ball on a plane to a block in a closed channel
// (single_body_name), with a random push. Figs. 1, 6
struct SingleBody {
  int situation = 8;
  double push = 2.0;  // N
  std::uint64_t seed = 1;
};
SceneDescription single_body_scene(const SingleBody& options);

// Blocks of 1 x 0.5 x 1 m in a stack, the upper ones turned, with a random push on the top one.
// Fig. 8
struct BlockStack {
  int blocks = 5;
  int turned = 3;     // how many of them, from the top, are turned against the one below
  double push = 2.0;  // N
  std::uint64_t seed = 1;
};
SceneDescription block_stack_scene(const BlockStack& options);

}  // namespace tact
