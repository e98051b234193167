// The readers behind mesh_io.hpp, one for each format. `name` is what complaints call the text.
#pragma once

#include <filesystem>
#include <string_view>

#include <tact/geometry/tet_mesh.hpp>
#include <tact/geometry/tri_mesh.hpp>

namespace tact {

TriMesh parse_obj(std::string_view name, std::string_view text);
TriMesh parse_ply(std::string_view name, std::string_view text);
TriMesh parse_stl(std::string_view name, std::string_view text);
TetMesh parse_msh(std::string_view name, std::string_view text);
TetMesh parse_vtk(std::string_view name, std::string_view text);

// glTF, which may name further files beside its own: `file` is where `content` is from.
TriMesh parse_gltf(const std::filesystem::path& file, std::string_view content);

}  // namespace tact
