// Pictures of triangle meshes by a software rasteriser: no GPU, no display, and the same pixels for
// any number of threads. docs/render.md tells how it works.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tact/geometry/tri_mesh.hpp>
#include <tact/render/camera.hpp>
#include <tact/render/color.hpp>
#include <tact/render/image.hpp>

namespace tact {

// A view of arrays that the caller keeps.
struct RenderMesh {
  std::span<const Vector3d> vertices;  // m
  std::span<const Triangle> triangles;
  Color color = Color::Constant(0.5f);
  double crease_angle = 40.0;  // degrees; edges sharper than this stay sharp, 0: all facets flat
  bool two_sided = true;  // back faces are drawn, darker; false leaves them out (closed bodies)
  bool casts_shadow = true;
  float gloss = 0.0f;  // strength of the highlight, 0 for cloth to 1 for glass
};

// A horizontal plane without end, chequered, that fades into the background around `centre`.
struct Ground {
  double height = 0.0;                 // m
  Vector3d centre = Vector3d::Zero();  // m
  double radius = 1.0;                 // m; whole up to here, gone at four times this
  double square = 0.1;                 // m, side of the squares
};

// A straight line hidden by what stands before it; the base of arrows and other overlays.
struct RenderLine {
  Vector3d from = Vector3d::Zero();  // m
  Vector3d to = Vector3d::Zero();    // m
  Color color = Color::Zero();       // unlit
  double width = 1.5;                // pixels
};

struct RenderScene {
  std::vector<RenderMesh> meshes;
  std::vector<RenderLine> lines;
  std::optional<Ground> ground;
  std::string caption;  // lower left corner, UTF-8; empty for none
};

struct RenderOptions {
  int width = 1280;  // pixels, 1 to 8192
  int height = 720;
  int supersampling = 2;  // n x n samples a pixel, 1 to 4
  bool shadows = true;
  int shadow_resolution = 1536;  // texels along a side of the shadow map, 64 to 8192
};

// Throws Error for sizes out of range, triangles without their vertices and coordinates that are
// not finite or beyond 1e9 m.
Image render(const RenderScene& scene, const Camera& camera, const RenderOptions& options = {});

}  // namespace tact
