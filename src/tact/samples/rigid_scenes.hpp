// Built-in scenes of rigid bodies.
#pragma once

#include <tact/setup/scene_description.hpp>

namespace tact {

// A block at rest on a slope: it stays exactly when tan(angle) <= mu. [Lazarevych10] Sec. 5
struct BlockOnSlope {
  double angle = 16.0;  // degrees; the scene's mu of 0.3 holds up to 16.699
  double size = 0.1;    // m, of the block
  double gap = 1e-3;    // m, under the block at the start
};
SceneDescription block_on_slope(const BlockOnSlope& options);

// A stack of boxes whose top one is far heavier than those below.
struct MassRatio {
  double ratio = 1000.0;  // top mass over the mass of each other box
  int boxes = 2;
  double size = 0.1;       // m
  double density = 100.0;  // kg/m^3, of the light ones
  double gap = 1e-3;       // m, under each box at the start
};
SceneDescription mass_ratio(const MassRatio& options);

// Free bodies that spin without gravity, the box about its intermediate axis: angular momentum
// stays, and the box flips now and then.
struct SpinningBodies {
  double spin = 10.0;  // rad/s
  double size = 0.1;   // m
};
SceneDescription spinning_bodies(const SpinningBodies& options);

// Capsules pinned end to end, held at one end, that start in a horizontal line.
struct Chain {
  int links = 10;
  double length = 0.1;      // m, of a link with its share of the gap
  double radius = 0.01;     // m
  double density = 1000.0;  // kg/m^3
};
SceneDescription chain(const Chain& options);

}  // namespace tact
