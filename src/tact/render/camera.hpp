// A pinhole camera, and where it stands when nobody says.
#pragma once

#include <limits>
#include <string_view>

#include <tact/core/types.hpp>

namespace tact {

struct Camera {
  Vector3d eye = {0.0, 0.0, 1.0};      // m
  Vector3d target = Vector3d::Zero();  // m, seen in the middle of the picture
  double fov = 30.0;                   // degrees, from the lower to the upper edge of the picture
};

// Throws Error unless the numbers are finite, eye and target differ, and 1 <= fov <= 150.
void validate(const Camera& camera);

// From "ex ey ez tx ty tz fov" (separated by spaces or commas; the fov may be left out). Throws
// Error that names `who`.
Camera parse_camera(std::string_view text, std::string_view who);

// Finds the nearest place for a three-quarter view from the right, front and above from which all
// points that were added are seen in a picture of width / height = aspect, with a little air around
// them. The axis y points up.
class CameraFit {
 public:
  explicit CameraFit(double aspect);

  void add(const Vector3d& point);
  Camera camera() const;

 private:
  // One direction across the picture. A camera at the place s across and D behind the origin sees
  // the point (x, z) (across, forward) when |x - s| <= tangent (D + z). For all points together
  //   max(x - tangent z) - tangent D <= s <= min(x + tangent z) + tangent D,
  // which has a solution s once 2 tangent D >= max(x - tangent z) - min(x + tangent z).
  struct Side {
    double tangent = 1.0;                                    // of the half angle of view
    double low = std::numeric_limits<double>::infinity();    // min(x + tangent z)
    double high = -std::numeric_limits<double>::infinity();  // max(x - tangent z)

    void add(double x, double z);
    double distance() const { return (high - low) / (2.0 * tangent); }
    double place() const { return 0.5 * (high + low); }
  };

  Matrix3d axes_;
  Side across_;
  Side upright_;
  double nearest_ = std::numeric_limits<double>::infinity();  // m along the view
  double farthest_ = -std::numeric_limits<double>::infinity();
};

// The directions of the picture in the world: rows are right, down and forward, a rotation. Where
// the camera looks straight up or down, the upper edge of the picture points to -z.
Matrix3d view_axes(const Camera& camera);

}  // namespace tact
