// Scenes of one or two meshes, and which pixels they touch.
#pragma once

#include <vector>

#include <tact/geometry/tri_mesh.hpp>
#include <tact/render/render.hpp>

namespace tact {

inline RenderMesh view_of(const TriMesh& mesh, const Color& color = Color::Zero())
{
  RenderMesh view;
  view.vertices = mesh.positions;
  view.triangles = mesh.triangles;
  view.color = color;
  return view;
}

inline TriMesh moved(TriMesh mesh, const Vector3d& by)
{
  for (Vector3d& p : mesh.positions) p += by;
  return mesh;
}

// A small picture with one sample a pixel and no shadows, so that a pixel shows one thing.
inline RenderOptions plain(int width, int height)
{
  return {.width = width, .height = height, .supersampling = 1, .shadows = false};
}

// Pixels that a black mesh turns black: the background and lit colours never are.
inline std::vector<char> black_pixels(const Image& image)
{
  std::vector<char> black;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      black.push_back(image.at(x, y) == std::array<std::uint8_t, 3>{0, 0, 0});
  return black;
}

}  // namespace tact
