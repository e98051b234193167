// Built-in scenes of [Miguel11]: rigid bodies that meet deformable ones over large areas.
#pragma once

#include <string>

#include <tact/setup/scene_description.hpp>

namespace tact {

// Two rigid vertebrae squeeze a soft disk. The lower one stands on the ground; a press pushes the
// upper one down by four springs, tilts it forward and back, and holds. In the end the disk carries
//   4 stiffness x (travel - how far the vertebra has come down) + weight of the upper vertebra.
// [Miguel11] fig. 3: 5,888 triangles a vertebra, 8,192 of the disk, 6,021 tetrahedra
struct Vertebrae {
  int tetrahedra = 6021;      // of the disk, about
  double young = 2e6;         // Pa, of the disk
  double poisson = 0.4;       // of the disk
  double travel = 0.025;      // m, of the press
  double stiffness = 5000.0;  // N/m, of each of its four springs
  double tilt = 8.0;          // degrees, of the press
  // As the paper solves it: all contacts have rows, some 2,500, and the disk is so soft (150 times)
  // that its passes with the diagonal blocks of A converge, in steps half as long. The springs are
  // 50 times softer: the disk gives way more, not less.
  bool paper = false;
};
SceneDescription vertebrae(const Vertebrae& options);

// A cloth that is held along an edge swings down and knocks over a rigid bunny. [Miguel11] fig. 5:
// 1,681 nodes of cloth, a bunny of about 4,000 triangles
struct KnockedBunny {
  int vertices = 41;            // along each edge of the cloth
  double size = 0.4;            // m, of the cloth
  double mass = 0.15;           // kg, of the cloth
  double angle = 80.0;          // degrees, from hanging down, at which the cloth starts
  double height = 0.15;         // m, of the bunny
  double density = 200.0;       // kg/m^3, of the bunny
  std::string model = "found";  // where its mesh is from: bunny_mesh.hpp
};
SceneDescription knocked_bunny(const KnockedBunny& options);

// Stacks of three boxes, two below and a long one across: all rigid, all soft, and a rigid one on
// two soft ones, whose B is large and dense. [Miguel11] fig. 1: 625 tetrahedra a soft box
struct ThreeSituations {
  std::string situation = "all";  // rigid, deformable, mixed, or all of them side by side
  double size = 0.1;              // m, of a box
  int cells = 5;                  // of a soft box, along each edge: five tetrahedra each
  double young = 3e4;             // Pa
};
SceneDescription three_situations(const ThreeSituations& options);

}  // namespace tact
