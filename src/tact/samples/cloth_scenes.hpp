// Built-in scenes of cloth.
#pragma once

#include <tact/setup/scene_description.hpp>

namespace tact {

// A sheet that falls on its edge through the air and lays itself in folds on each other.
// [Otaduy09] fig. 5
struct FallingCloth {
  int vertices = 50;       // along each edge
  double size = 1.0;       // m
  double mass = 0.2;       // kg
  double height = 0.6;     // m, from the ground to the lower edge
  double stretch = 100.0;  // N/m; shear is half of it
  double bend = 0.02;      // N/m
  double damping = 1e-3;   // s
  double drag = 1.2;       // N s/m^3: it falls at 1.6 m/s in the end
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

// A bodice and a skirt of six flounced layers, 16,800 vertices, both held at the waist of a
// mannequin that steps, kicks and turns once around in less than a second. [Otaduy09] fig. 1
struct Dress {
  int layers = 6;
  int around = 100;  // vertices of a layer
  int down = 28;
  double separation = 0.003;  // m, between layers and from the body
  double length = 0.55;       // m, along the innermost layer; the others are shorter
  double flare = 0.35;        // growth of the radius over the descent
  double ruffle = 0.03;       // m, of the waves at the hem
  int waves = 11;             // around the hem
  double turn = 0.9;          // s, for the full turn
  double kick = 50.0;         // degrees
  double stretch = 100.0;     // N/m; shear is half of it
  double bend = 1.0;          // N/m
};
SceneDescription dress(const Dress& options);

}  // namespace tact
