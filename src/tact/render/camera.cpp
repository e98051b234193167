#include <tact/render/camera.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/core.h>
#include <Eigen/Geometry>

#include <tact/core/error.hpp>

namespace tact {
namespace {

constexpr double radians = std::numbers::pi / 180.0;

// The automatic view: from where, how wide, and how much of the picture's half width is left free.
constexpr double azimuth = 32.0 * radians;    // from the axis z towards x
constexpr double elevation = 21.0 * radians;  // above the horizon
constexpr double automatic_fov = 28.0;        // degrees; long lenses flatter small things
constexpr double margin = 0.14;
constexpr double least_distance = 0.01;  // m, to the nearest point

std::vector<double> parse_numbers(std::string_view text, std::string_view who)
{
  std::vector<double> numbers;
  const auto is_gap = [](char c) { return c == ' ' || c == ',' || c == '\t'; };
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    at = std::find_if_not(at, end, is_gap);
    if (at == end) return numbers;
    double value = 0.0;
    const auto [rest, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (rest != end && !is_gap(*rest)))
      throw Error(fmt::format(
          "{}: found \"{}\", expected numbers: eye (x y z), target (x y z), fov", who, text));
    numbers.push_back(value);
    at = rest;
  }
}

}  // namespace

void validate(const Camera& camera)
{
  if (!camera.eye.allFinite() || !camera.target.allFinite())
    throw Error("camera: eye or target is not finite");
  if (!((camera.target - camera.eye).norm() > 0.0))
    throw Error("camera: eye and target are the same point, expected two");
  if (!(camera.fov >= 1.0 && camera.fov <= 150.0))
    throw Error(fmt::format("camera: fov is {} degrees, expected 1 to 150", camera.fov));
}

Camera parse_camera(std::string_view text, std::string_view who)
{
  const std::vector<double> n = parse_numbers(text, who);
  if (n.size() != 6 && n.size() != 7)
    throw Error(fmt::format(
        "{}: found {} numbers, expected 6 or 7: eye (x y z), target (x y z), fov", who, n.size()));
  Camera camera{.eye = {n[0], n[1], n[2]}, .target = {n[3], n[4], n[5]}};
  if (n.size() == 7) camera.fov = n[6];
  try {
    validate(camera);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", who, error.what()));
  }
  return camera;
}

Matrix3d view_axes(const Camera& camera)
{
  const Vector3d forward = (camera.target - camera.eye).normalized();
  // Within 0.06 degrees of the vertical, y no longer tells which way is up.
  const bool vertical = std::abs(forward.y()) > 1.0 - 5e-7;
  const Vector3d up = vertical ? Vector3d(0.0, 0.0, -1.0) : Vector3d::UnitY();
  const Vector3d right = forward.cross(up).normalized();
  Matrix3d axes;
  axes << right.transpose(), forward.cross(right).transpose(), forward.transpose();
  return axes;
}

void CameraFit::Side::add(double x, double z)
{
  low = std::min(low, x + tangent * z);
  high = std::max(high, x - tangent * z);
}

CameraFit::CameraFit(double aspect)
{
  const Vector3d back(std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                      std::cos(azimuth) * std::cos(elevation));
  axes_ = view_axes({.eye = back, .target = Vector3d::Zero()});
  upright_.tangent = std::tan(0.5 * automatic_fov * radians) * (1.0 - margin);
  across_.tangent = aspect * upright_.tangent;
}

void CameraFit::add(const Vector3d& point)
{
  const Vector3d seen = axes_ * point;
  across_.add(seen.x(), seen.z());
  upright_.add(seen.y(), seen.z());
  nearest_ = std::min(nearest_, seen.z());
  farthest_ = std::max(farthest_, seen.z());
}

Camera CameraFit::camera() const
{
  if (nearest_ > farthest_) {  // nothing to see: look at the origin
    CameraFit unit = *this;
    for (const double x : {-1.0, 1.0}) unit.add({x, x, x});
    return unit.camera();
  }
  const double behind =
      std::max({across_.distance(), upright_.distance(), least_distance - nearest_});
  const Vector3d eye(across_.place(), upright_.place(), -behind);
  const Vector3d target(eye.x(), eye.y(), 0.5 * (nearest_ + farthest_));
  return {
      .eye = axes_.transpose() * eye, .target = axes_.transpose() * target, .fov = automatic_fov};
}

}  // namespace tact
