// The Stanford bunny, from the npm package `bunny` (public domain, 3,674 triangles), which
// assets/bunny/install puts into the build folder. Where that has not been done there is a
// stand-in.
#pragma once

#include <filesystem>
#include <string>

#include <tact/geometry/tri_mesh.hpp>

namespace tact {

struct BunnyMesh {
  TriMesh surface;  // closed, y up, its box centred over the origin and standing on y = 0; height 1
  std::string name;  // "bunny", or "stand-in"
};

// The file that the package has, in the place where it is looked for: what the environment variable
// TACT_BUNNY says, else the build folder.
std::filesystem::path bunny_file();

// `model` is "package" (throws Error where the file is not there), "stand-in", or "found": the
// package's where it is there, else the stand-in.
BunnyMesh make_bunny(const std::string& model);

// The text of the package's file: exports.positions=[[x,y,z],...] and exports.cells=[[a,b,c],...].
// Throws Error, with the name of the file, for what is not as expected or no closed surface.
TriMesh parse_bunny(const std::filesystem::path& file, const std::string& text);

}  // namespace tact
