// Mesh files in and out: positions in metres and elements, in the order of the file.
//
//   surfaces      .obj  .ply (text, binary)  .stl (text, binary)  .gltf  .glb
//   tetrahedra    .msh (Gmsh 4.1 and 2.2, text)  .vtk (legacy, text)
//
// Coordinates are read to the last bit that the file has. Vertices are merged where the format
// stores a vertex once for each triangle or material (STL, glTF), and nowhere else. Polygons are
// cut into triangles. Whatever is wrong throws one Error that names the file, the line or element,
// what was found and what was expected; nothing is allocated that the file has only claimed.
// The meshes have passed validate(); whether they are sound is for geometry/mesh_check.hpp to say.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <variant>

#include <tact/geometry/tet_mesh.hpp>
#include <tact/geometry/tri_mesh.hpp>

namespace tact {

TriMesh read_surface(const std::filesystem::path& file);
TetMesh read_tetrahedra(const std::filesystem::path& file);

// Whichever of the two the ending of the name announces.
std::variant<TriMesh, TetMesh> read_mesh(const std::filesystem::path& file);

// Does the ending of the name announce a mesh?
bool is_mesh_file(const std::filesystem::path& file);

struct NamedSurface {
  std::string name;  // becomes `o NAME`; blanks in it become underscores
  const TriMesh* mesh = nullptr;
};

// One OBJ file with an object for each surface and 17 significant digits: reading gives the same
// bits. Throws WriteError and leaves the file as it was when it cannot be written.
void write_obj(const std::filesystem::path& file, std::span<const NamedSurface> surfaces);
std::string obj_text(std::span<const NamedSurface> surfaces);

}  // namespace tact
