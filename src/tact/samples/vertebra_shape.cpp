#include <tact/samples/vertebra_shape.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <tact/geometry/shapes.hpp>

namespace tact {
namespace {

using std::numbers::pi;

constexpr double to_centre = 0.0245;  // m, from the middle of the hole forward to that of the body
constexpr double hole = 0.0085;       // m, its radius
constexpr int around = 64, across = 46;

constexpr double max_of(double a, double b)
{
  return a > b ? a : b;
}

// A smooth stand-in for the greatest of positive numbers; with a negative sharpness, for the least.
template <std::size_t n>
double smooth_extreme(const std::array<double, n>& values, double sharpness)
{
  double sum = 0.0;
  for (const double value : values) sum += std::pow(value, sharpness);
  return std::pow(sum, 1.0 / sharpness);
}

double angle_between(double a, double b)
{
  return std::abs(std::remainder(a - b, 2.0 * pi));
}

// ---- Seen from above ----------------------------------------------------------------------------

// From the middle of the hole outwards, at an angle from the front.

// 1 in the body, 0 in the arch behind.
double body_share(double angle)
{
  return 1.0 / (1.0 + std::pow(angle_between(angle, 0.0) / 1.12, 16.0));
}

double body_reach(double angle)
{
  constexpr double half_width = 0.0225, front = 0.0415;
  const double side = half_width / std::max(1e-3, std::abs(std::sin(angle)));
  return body_share(angle) * smooth_extreme<2>({front, side}, -5.0);
}

// A straight strip from the middle outwards.
double process_reach(double angle, double direction, double half_width, double length)
{
  const double off = angle_between(angle, direction);
  if (off >= 0.5 * pi) return 0.0;
  return smooth_extreme<2>({length, half_width / std::max(1e-3, std::sin(off))}, -5.0);
}

constexpr double transverse = 1.85;  // rad from the front
constexpr double spinous = pi;

double outer_radius(double angle)
{
  constexpr double arch = 0.0135;
  return smooth_extreme<5>(
      {arch, body_reach(angle), process_reach(angle, transverse, 0.0042, 0.038),
       process_reach(angle, -transverse, 0.0042, 0.038),
       process_reach(angle, spinous, 0.0038, 0.046)},
      8.0);
}

// Angles at equal distances along the outline: else the processes would have no triangles.
std::vector<double> outline_angles()
{
  constexpr int fine = 8192;
  const auto point = [](int i) {
    const double angle = 2.0 * pi * i / fine;
    return Vector2d(outer_radius(angle) * Vector2d(std::sin(angle), std::cos(angle)));
  };
  std::vector<double> length(fine + 1, 0.0);
  for (int i = 0; i < fine; ++i) length[i + 1] = length[i] + (point(i + 1) - point(i)).norm();
  std::vector<double> angles;
  for (int i = 0, k = 0; i < around; ++i) {
    const double wanted = length.back() * i / around;
    while (length[k + 1] < wanted) ++k;
    angles.push_back(2.0 * pi / fine * (k + (wanted - length[k]) / (length[k + 1] - length[k])));
  }
  return angles;
}

// ---- Upright ------------------------------------------------------------------------------------

// Near 1 at a direction, near 0 beyond the width of a process there.
double near_direction(double angle, double direction)
{
  const double off = angle_between(angle, direction) / 0.5;
  return std::exp(-off * off);
}

// Half the height where the share `out` of the way from the hole to the outline is behind.
double half_height(double angle, double out)
{
  const double arch =
      0.0085 -
      0.003 * out * max_of(near_direction(angle, transverse), near_direction(angle, -transverse));
  const double share = body_share(angle);
  return share * vertebra_half_height + (1.0 - share) * arch;
}

// The spinous process points down a little, the transverse ones up.
double mid_height(double angle, double out)
{
  return out * out *
         (0.003 * (near_direction(angle, transverse) + near_direction(angle, -transverse)) -
          0.0045 * near_direction(angle, spinous));
}

// By how much end plates are hollow, as a factor on their height.
double hollow(double x, double z)
{
  constexpr double depth = 0.09;
  const double distance = std::hypot(x / 0.0135, z / 0.0095);
  return 1.0 - depth * std::exp(-distance * distance);
}

// `across` points at equal distances along |a|^8 + |b|^8 = 1, from (1, 0) by (0, 1).
std::vector<Vector2d> rounded_square()
{
  constexpr int fine = 8192;
  const auto point = [](int i) {
    const double angle = 2.0 * pi * i / fine;
    const Vector2d p(std::cos(angle), std::sin(angle));
    return Vector2d(p / smooth_extreme<2>({std::abs(p.x()), std::abs(p.y())}, 8.0));
  };
  std::vector<double> length(fine + 1, 0.0);
  for (int i = 0; i < fine; ++i) length[i + 1] = length[i] + (point(i + 1) - point(i)).norm();
  std::vector<Vector2d> points;
  for (int i = 0, k = 0; i < across; ++i) {
    while (length[k + 1] < length.back() * i / across) ++k;
    points.push_back(point(k));
  }
  return points;
}

// ---- The disk -----------------------------------------------------------------------------------

const Vector3d disk_radii(0.0205, 0.0062, 0.0145);  // m

// In the directions of the axes scaled by the radii: 1 on the surface, less inside.
double disk_norm(const Vector3d& p)
{
  const double level = smooth_extreme<2>({std::abs(p.x()), std::abs(p.z())}, 2.4);
  return smooth_extreme<2>({level, std::abs(p.y())}, 3.0);
}

// Of the upper side over a place within its outline; none elsewhere.
double disk_height(double x, double z)
{
  const double level = disk_norm({x / disk_radii.x(), 0.0, z / disk_radii.z()});
  return level < 1.0 ? disk_radii.y() * std::cbrt(1.0 - level * level * level) : -1.0;
}

TriMesh octahedron_sphere(int splits)
{
  TriMesh mesh{
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}},
      {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2}, {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}}};
  for (int k = 0; k < splits; ++k) mesh = subdivided(mesh);
  for (Vector3d& p : mesh.positions) p.normalize();
  return mesh;
}

}  // namespace

TriMesh make_vertebra()
{
  TriMesh mesh = make_torus(2.0, 1.0, around, across);  // its triangles; the shape is another one
  const std::vector<double> angles = outline_angles();
  const std::vector<Vector2d> section = rounded_square();
  for (int i = 0; i < around; ++i) {
    const double angle = angles[i], outer = outer_radius(angle);
    for (int j = 0; j < across; ++j) {
      const double out = 0.5 * (1.0 + section[j].x());
      const double radius = hole + out * (outer - hole);
      const double x = radius * std::sin(angle), z = radius * std::cos(angle) - to_centre;
      const double y =
          mid_height(angle, out) + section[j].y() * half_height(angle, out) * hollow(x, z);
      mesh.positions[i * across + j] = {x, y, z};
    }
  }
  return mesh;
}

TriMesh make_disk()
{
  TriMesh mesh = octahedron_sphere(5);
  for (Vector3d& p : mesh.positions) p = (p / disk_norm(p)).cwiseProduct(disk_radii);
  return mesh;
}

double vertebra_above_disk(const TriMesh& vertebra, double gap)
{
  double above = disk_radii.y();
  for (const Vector3d& p : vertebra.positions)
    above = std::max(above, disk_height(p.x(), p.z()) - p.y());
  return above + gap;
}

}  // namespace tact
