// Scenes of any size for `tact bench collision`: as they grow, what happens around a triangle stays
// the same, so that a perfect detector would take time in proportion.
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
// by four, as long as it takes.
DetectionScene tight_pile(int triangles);

// One square cloth of 1 cm triangles, folded like a screen into layers of 20 cm, 4 mm apart.
DetectionScene folded_screen(int triangles);

}  // namespace tact
