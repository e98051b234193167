// A half circle of dry stones: stands when thicker than 0.1075 of its mean radius, and falls in
// five hinges when thinner, if no joint slides.
#pragma once

#include <tact/sim/world.hpp>

namespace tact {

struct MasonryArch {
  double thickness = 0.12;  // over the mean radius, which is 1 m
  int stones = 21;
  double joint = 2e-4;  // m: the distance at which stones are held
};

// Stones of a half circle in the plane z = 0, their joints radial, between two fixed abutments.
// Every second stone is larger by a little, so that a joint is the four corners of the smaller one:
// these have the thickness that is asked for, and all hinges are at them.
World masonry_arch(const MasonryArch& arch);

}  // namespace tact
