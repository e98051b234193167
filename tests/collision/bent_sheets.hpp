// Sheets of many shapes for the tests of flat patches: waves, coils, ramps, rings that are cut
// open.
#pragma once

#include <cmath>
#include <numbers>

#include <collision/scenes.hpp>

namespace tact {

// A grid of nx times nz vertices; shape(u, v) with u and v in [0, 1] tells where they are.
template <class Shape>
TriMesh bent_sheet(int nx, int nz, const Shape& shape)
{
  TriMesh mesh = make_cloth(1.0, 1.0, nx, nz);
  for (Vector3d& x : mesh.positions) x = shape(x[0] + 0.5, x[2] + 0.5);
  return mesh;
}

inline TriMesh wavy_sheet(int n, double height)
{
  return bent_sheet(n, n, [&](double u, double v) {
    return Vector3d(u, height * std::sin(9.0 * u) * std::cos(7.0 * v), v);
  });
}

// A ring in a plane, `gap` rad short of a full turn: a C.
inline TriMesh open_ring(int n, double gap)
{
  return bent_sheet(n, 4, [&](double u, double v) {
    const double angle = gap / 2.0 + u * (2.0 * std::numbers::pi - gap), radius = 0.3 + 0.06 * v;
    return Vector3d(radius * std::cos(angle), 0.0, radius * std::sin(angle));
  });
}

// A ramp that goes up around an axis: nearly level everywhere, one turn above the other.
inline TriMesh spiral_ramp(int n, double turns, double pitch)
{
  return bent_sheet(n, 4, [&](double u, double v) {
    const double angle = 2.0 * std::numbers::pi * turns * u, radius = 0.3 + 0.1 * v;
    return Vector3d(radius * std::cos(angle), pitch * turns * u, radius * std::sin(angle));
  });
}

// A sheet rolled into a coil whose turns are `gap` apart.
inline TriMesh coil(int n, double gap)
{
  return bent_sheet(3 * n, n, [&](double u, double v) {
    const double angle = 4.0 + 14.0 * u, radius = gap * angle / (2.0 * std::numbers::pi);
    return Vector3d(radius * std::cos(angle), radius * std::sin(angle), 0.3 * v);
  });
}

// All vertices move at random, and the whole turns.
inline void stir(CollisionScene& scene, Random& random, double size, double angle)
{
  const Eigen::AngleAxisd turn(angle, random.in_cube(1.0).normalized());
  for (std::size_t i = 0; i < scene.start.size(); ++i)
    scene.end[i] = turn * scene.start[i] + random.in_cube(size);
}

inline std::vector<CollisionScene> self_collision_scenes()
{
  struct Sheet {
    const char* name;
    TriMesh mesh;
    double tolerance;
  };
  const std::vector<Sheet> sheets = {{"flat", wavy_sheet(20, 0.0), 0.01},
                                     {"wavy", wavy_sheet(20, 0.05), 0.01},
                                     {"steep waves", wavy_sheet(20, 0.2), 0.01},
                                     {"open ring", open_ring(60, 0.02), 0.008},
                                     {"spiral ramp", spiral_ramp(90, 2.5, 0.01), 0.012},
                                     {"coil", coil(14, 0.02), 0.004},
                                     {"cylinder", make_cylinder(0.3, 0.8, 30, 10), 0.01},
                                     {"sphere", make_icosphere(0.5, 3), 0.01},
                                     {"torus", make_torus(0.5, 0.1, 40, 12), 0.005}};
  std::vector<CollisionScene> scenes;
  Random random(31);
  for (const Sheet& sheet : sheets) {
    // At rest, in gentle motion, and with motions as long as an edge, which is about 0.05.
    for (const double size : {0.0, 0.004, 0.05}) {
      CollisionScene scene{.name = sheet.name, .tolerance = sheet.tolerance};
      scene.add(turned(sheet.mesh, random), {.self = true}, Vector3d::Zero());
      stir(scene, random, size, 10.0 * size);
      scenes.push_back(scene);
    }
  }
  for (std::uint64_t seed = 1; seed <= 3; ++seed) scenes.push_back(folded_cloth(seed, 14));
  return scenes;
}

}  // namespace tact
