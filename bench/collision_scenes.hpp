// Scenes of any size for `tact bench collision`. In a long pile and a wide cloth what happens
// around a triangle stays the same as they grow, so that a perfect detector would take time in
// proportion. In a cube of bodies and a square cloth that is folded over and over, fewer and fewer
// are outside, and there are more and more pairs to each triangle.
#pragma once

#include <string>
#include <vector>

#include <tact/collision/surface_set.hpp>

namespace tact {

struct DetectionScene {
  std::string name;
  SurfaceSet surfaces;
  double tolerance = 0.0;  // m
  std::vector<Vector3d> rest, swing;

  // Everything swings about its rest, steps of a millimetre or less from frame to frame.
  std::vector<Vector3d> positions(int frame) const;
};

// Boxes and spheres of 10 cm, 108 and 80 triangles each, 1.5 mm apart on a floor: a stack of four
// by four, as long as it takes, and a cube.
DetectionScene long_pile(int triangles);
DetectionScene cube_pile(int triangles);

// A cloth of 1 cm triangles, folded like a screen into layers of 20 cm, 4 mm apart: eight layers,
// as wide as it takes, and a square.
DetectionScene wide_cloth(int triangles);
DetectionScene square_cloth(int triangles);

// 27 spheres of 10 cm and 20 x 4^subdivisions triangles, 2 mm apart, that do not swing; over a
// ground of 5,000 triangles, 2 mm below them and fixed, or without.
DetectionScene flying_spheres(int subdivisions, bool over_ground);

}  // namespace tact
