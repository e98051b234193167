#pragma once

#include <tact/setup/scene_description.hpp>

namespace tact {

// Two rigid pads pinch a sheet, lift it, hold it and let go of it. The pads are driven by springs
// to two scripted jaws, as a compliant gripper's are, so that the pinching force is known:
//   4 stiffness x squeeze, less what carries the sheet.
struct PinchLift {
  int vertices = 30;          // along each edge of the sheet
  double size = 0.3;          // m
  double mass = 0.018;        // kg, of the sheet
  double pad = 0.04;          // m, edge of a pad
  double stiffness = 1000.0;  // N/m, of each of a pad's four springs
  double squeeze = 0.002;     // m, that the jaws close beyond the sheet
  double lift = 0.3;          // m
  double hold = 1.5;          // s; what is longer than 1.5 s makes the scene longer
};
SceneDescription pinch_lift(const PinchLift& options);

}  // namespace tact
