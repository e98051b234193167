// A scene made by rule as a scene file, so that others can run it.
#pragma once

#include <filesystem>

#include <tact/setup/scene_description.hpp>

namespace tact {

// Writes `file` and beside it a mesh for every body: file "a.json", body "b": "a-b.obj" or, of a
// soft body, "a-b.vtk". Reads as the same scene, to the last bit. For rigid bodies, cloth with
// surface_springs and soft bodies without an embedded surface, that are free: throws Error for
// obstacles, springs, pins and friction of pairs; WriteError when the disk fails.
void write_scene(const std::filesystem::path& file, const SceneDescription& scene);

}  // namespace tact
