// Letters as solids: outlines of a system font, extruded to closed surfaces, and coarse lattices of
// tetrahedra around them. (The bodies of [Otaduy09] fig. 7.)
#pragma once

#include <filesystem>
#include <string_view>

#include <tact/geometry/embedding.hpp>
#include <tact/geometry/outline.hpp>
#include <tact/geometry/tri_mesh.hpp>

namespace tact {

struct LetterOptions {
  double height = 0.1;  // m, of a capital H; other letters in proportion
  double depth = 0.02;  // m
  // What the fineness is chosen for, the nearest that the shape allows; the mean of an alphabet is
  // within 5 %. [Otaduy09] has 164 letters of 46,000 triangles and 23,000 tetrahedra in all.
  int triangles = 280;
  int tetrahedra = 140;
  std::filesystem::path font = {};  // a file that FreeType reads; empty: see find_letter_font
};

// A closed surface that stands in the plane z = 0: x to the right, y up, the middle of its box in
// the origin. Letters of several parts, such as i, have several pieces. Throws Error when there is
// no font, or the font has no such letter, or the letter has no outline (a blank).
TriMesh make_letter(char32_t letter, const LetterOptions& options = {});

// The letter in a lattice whose cell is chosen for the number of tetrahedra.
Lattice make_soft_letter(char32_t letter, const LetterOptions& options = {});

// The first bold sans serif that is installed in a usual place; throws Error, naming the Debian
// package to install, when there is none.
std::filesystem::path find_letter_font();

}  // namespace tact
