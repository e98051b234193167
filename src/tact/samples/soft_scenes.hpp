// Built-in scenes with soft solids.
#pragma once

#include <cstdint>

#include <tact/setup/scene_description.hpp>

namespace tact {

// A bar held at one end that bends under its own weight.
struct SoftBeam {
  double length = 1.0;  // m, along x
  double width = 0.1;   // m, along z
  double height = 0.1;  // m, along y
  int cells = 4;        // across the height; along the others in proportion
  double young = 1e6;   // Pa
  double poisson = 0.3;
  double density = 1000.0;  // kg/m^3
  double damping = 0.01;    // s, Rayleigh's beta
};
SceneDescription soft_beam(const SoftBeam& options);

// Soft letters that fall flat in layers into a box and come to rest in one pile; then two walls
// push in to half of the width. [Otaduy09] fig. 7: 164 letters, 23,000 tetrahedra
struct Letters {
  int count = 164;
  int columns = 3;                            // of a falling layer, along x: 0.15 m of the box each
  int rows = 3;                               // along z: 0.13 m of the box each
  double height = 0.1;                        // m, of a capital letter
  double depth = 0.03;                        // m
  int tetrahedra = 140;                       // of a letter, on average
  double young = 1e5;                         // Pa
  double density = 500.0;                     // kg/m^3
  double damping = 0.01;                      // s, Rayleigh's beta
  double push = 0.5;                          // of the width of the box, by both walls together
  double push_start = 20.0, push_end = 35.0;  // s
  std::uint64_t seed = 1;                     // how the letters are turned
};
SceneDescription letters(const Letters& options);

// A word that falls on the ground, upright.
struct DropLetters {
  std::string text = "TACT";
  double height = 0.2;     // m, of a capital letter
  double depth = 0.06;     // m
  double drop = 0.2;       // m, from the ground
  int tetrahedra = 140;    // of a letter, on average
  double young = 1e5;      // Pa
  double density = 500.0;  // kg/m^3
};
SceneDescription drop_letters(const DropLetters& options);

// Rigid bodies, soft solids and cloth in one pile: layers of four solids with a sheet above each.
// [Otaduy09] fig. 4
struct Unified {
  int layers = 3;
  int vertices = 24;   // along each edge of a sheet
  double size = 0.1;   // m, of a solid
  double young = 2e5;  // Pa
  int cells = 4;       // of a soft solid, from side to side
};
SceneDescription unified(const Unified& options);

}  // namespace tact
