// Built-in scenes of cloth.
#pragma once

#include <tact/setup/scene_description.hpp>

namespace tact {

// A sheet dropped on its edge; its folds stack on the ground. [Otaduy09] fig. 5
struct FallingCloth {
  int vertices = 50;       // along each edge
  double size = 1.0;       // m
  double mass = 0.2;       // kg
  double height = 0.05;    // m, from the ground to the lower edge
  double stretch = 100.0;  // N/m; shear is half of it
  double bend = 1.0;       // N/m
  double damping = 1e-3;   // s
};
SceneDescription falling_cloth(const FallingCloth& options);

// A sheet held at two corners of one edge, which starts level.
struct HangingCloth {
  int vertices = 30;
  double size = 1.0;        // m
  double mass = 0.2;        // kg
  double stretch = 1000.0;  // N/m; shear is half of it
  double bend = 1.0;        // N/m
};
SceneDescription hanging_cloth(const HangingCloth& options);

// A skirt of six layers, 16,800 vertices, on a dancer who steps, kicks and turns once around in
// less than a second. [Otaduy09] fig. 1
struct Dress {
  int layers = 6;
  int around = 70;  // vertices of a layer
  int down = 40;
  double separation = 0.003;  // m, between layers
  double waist = 0.125;       // m, radius of the innermost layer
  double length = 0.6;        // m, along the skirt
  double flare = 0.3;         // growth of the radius along it
  double turn = 0.9;          // s, for the full turn
  double kick = 50.0;         // degrees
  double stretch = 100.0;     // N/m; shear is half of it
  double bend = 1.0;          // N/m
};
SceneDescription dress(const Dress& options);

}  // namespace tact
