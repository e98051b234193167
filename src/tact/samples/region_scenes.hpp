// Built-in scenes of [Lazarevych10]: slightly deformable bodies that touch in many separate places.
#pragma once

#include <cstdint>

#include <tact/setup/scene_description.hpp>

namespace tact {

// Balls fly into ten skittles that stand in a triangle; friction, no gravity and nothing else
// around, so that momentum stays what it was. [Lazarevych10] Sec. 5: up to 45 contacts
struct Bowling {
  int balls = 3;
  double speed = 4.0;     // m/s, of the balls
  double height = 0.38;   // m, of a skittle
  double spacing = 0.6;   // between neighbours, over the height
  double young = 1e6;     // Pa
  double damping = 1e-5;  // s, Rayleigh's beta: explicit steps pay for it
  int rings = 3;          // of tetrahedra, from the axis of a skittle outwards
};
SceneDescription bowling(const Bowling& options);

// Balls fall into a bucket and come to rest. [Lazarevych10] Sec. 5: up to 80 contacts
struct Bucket {
  int balls = 14;
  double radius = 0.05;    // m, of a ball
  double young = 1e6;      // Pa
  double density = 500.0;  // kg/m^3
  double damping = 1e-4;   // s, Rayleigh's beta
  int layers = 2;          // of tetrahedra, from the middle of a ball outwards
  std::uint64_t seed = 1;  // of where balls start
};
SceneDescription bucket(const Bucket& options);

// A soft table on four legs on a slope that a rigid one would not slide down: its elasticity makes
// it rock, and its front and back legs slide in turns. [Lazarevych10] fig. 2
struct TableIncline {
  double angle = 11.0;    // degrees; a mu of 0.3 holds what is rigid up to 16.699
  double length = 0.4;    // m, down the slope; the width is 3/4 of it
  double height = 0.12;   // m
  double leg = 0.04;      // m, edge of a leg, and thickness of the top
  int cells = 2;          // across a leg
  double young = 1e6;     // Pa
  double damping = 1e-4;  // s, Rayleigh's beta
  double drop = 0.0;      // m, that it falls at the start; its weight alone makes it rock
};
SceneDescription table_incline(const TableIncline& options);

}  // namespace tact
