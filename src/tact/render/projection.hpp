// From the world to the grid of samples, with what lies behind the camera cut away.
#pragma once

#include <array>
#include <vector>

#include <tact/core/types.hpp>
#include <tact/render/camera.hpp>
#include <tact/render/raster.hpp>

namespace tact {

// View coordinates are metres to the right, down and forward of the eye. The key of a sample is
// 1 / forward, which is linear on the screen and as fine in floats near the eye as far away.
struct Projection {
  Vector3d eye;
  Matrix3d axes;       // world to view
  double focal;        // samples
  Vector2d centre;     // samples
  double near = 1e-6;  // m, least forward distance that is drawn

  Projection(const Camera& camera, int width, int height);

  Vector3d view(const Vector3d& world) const { return axes * (world - eye); }
  ScreenCorner screen(const Vector3d& seen) const;

  // The ray through a point of the picture, in world axes, of length 1 along `forward`.
  Vector3d ray(double x, double y) const;
};

// Appends what can be seen of a triangle given in view coordinates: one triangle, none, or the
// parts that a polygon cut at the near plane and the guard band falls into. Without `two_sided`
// those that turn their back are left out.
void project_triangle(const Projection& projection, const std::array<Vector3d, 3>& seen,
                      std::uint32_t id, bool two_sided, std::vector<ScreenTriangle>& out);

}  // namespace tact
