// Built-in scenes of [Egan03]: what slides past sharp corners.
#pragma once

#include <tact/setup/scene_description.hpp>

namespace tact {

// A unit mass before a corner, x < 0 and y < 0 being forbidden to its centre, and one step of 2 s:
// "a" passes, "b" runs into the corner and has to give way to one side or the other. Fig. 3
struct PointCorner {
  double size = 0.01;  // m: of the cubes that stand for the points
  double gap = 1e-3;   // m: the distance that contact keeps
};
SceneDescription point_corner(const PointCorner& options);

// A block slides over a hole that is shorter than itself. The far side of the hole falls back at a
// slant; a contact plane that went on beyond its edge would stand in the block's way. Fig. 1
struct BlockOverHole {
  double speed = 1.0;  // m/s, at the start
  double size = 0.2;   // m, length of the block; its height is half of it, and so is the hole
  double slant = 1.0;  // of the far side of the hole: run over rise
  double turn = 0.0;   // degrees, of the block about the vertical: one corner comes first
  double gap = 5e-3;   // m, under the block at the start, and the distance that contact keeps
};
SceneDescription block_over_hole(const BlockOverHole& options);

// A cloth that lies half on a block slides down over its sharp edge.
struct ClothOverEdge {
  int vertices = 41;      // along each edge of the cloth
  double size = 0.4;      // m, of the cloth and the block
  double mass = 0.032;    // kg, of the cloth
  double overhang = 0.6;  // share of the cloth beyond the edge at the start
};
SceneDescription cloth_over_edge(const ClothOverEdge& options);

}  // namespace tact
