// Scenes for the tests of detection: random, folded, flat, far away.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include <tact/collision/surface_set.hpp>
#include <tact/core/random.hpp>
#include <tact/geometry/shapes.hpp>

namespace tact {

struct CollisionScene {
  std::string name;
  SurfaceSet surfaces = {};
  std::vector<Vector3d> start = {}, end = {};
  double tolerance = 0.0;

  std::vector<MovingVertex> vertices() const { return moving_vertices(start, end); }

  void add(const TriMesh& mesh, const SurfaceOptions& options, const Vector3d& motion)
  {
    surfaces.add(mesh, options);
    for (const Vector3d& x : mesh.positions) {
      start.push_back(x);
      end.push_back(x + motion);
    }
  }

  void scale(double factor)
  {
    for (Vector3d& x : start) x *= factor;
    for (Vector3d& x : end) x *= factor;
    tolerance *= factor;
  }

  // All go on as they do, and along with one body that moves and turns about the origin.
  void fly(const Vector3d& way, const Eigen::Quaterniond& turn)
  {
    for (Vector3d& x : end) x = turn * x + way;
  }

  void move(const Vector3d& offset)
  {
    for (Vector3d& x : start) x += offset;
    for (Vector3d& x : end) x += offset;
  }
};

inline TriMesh moved(TriMesh mesh, const Vector3d& offset)
{
  for (Vector3d& x : mesh.positions) x += offset;
  return mesh;
}

inline TriMesh turned(TriMesh mesh, Random& random)
{
  const Eigen::Quaterniond turn = Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1),
                                                     random.uniform(-1, 1), random.uniform(-1, 1))
                                      .normalized();
  for (Vector3d& x : mesh.positions) x = turn * x;
  return mesh;
}

// Triangles at random: any three of the vertices, most of them long.
inline TriMesh random_triangles(int vertex_count, int triangle_count, Random& random)
{
  TriMesh mesh;
  for (int i = 0; i < vertex_count; ++i) mesh.positions.push_back(random.in_cube(0.5));
  while (mesh.triangle_count() < triangle_count) {
    const int a = random.below(vertex_count), b = random.below(vertex_count);
    const int c = random.below(vertex_count);
    if (a != b && b != c && c != a) mesh.triangles.push_back({a, b, c});
  }
  return mesh;
}

// Bodies of several kinds in a heap, all moving.
inline CollisionScene heap_of_bodies(std::uint64_t seed, int bodies)
{
  CollisionScene scene{.name = "heap of bodies", .tolerance = 0.02};
  Random random(seed);
  scene.add(make_box({6.0, 0.1, 6.0}, 1), {.fixed = true}, Vector3d::Zero());
  scene.add(moved(make_box({0.1, 6.0, 6.0}, 1), {0.05, 0.0, 0.0}), {.fixed = true},
            Vector3d::Zero());
  for (int i = 0; i < bodies; ++i) {
    const TriMesh mesh = i % 3 == 0   ? make_box({0.4, 0.3, 0.2}, 2)
                         : i % 3 == 1 ? make_icosphere(0.25, 1)
                                      : make_torus(0.25, 0.08, 8, 5);
    scene.add(moved(turned(mesh, random), random.in_cube(0.7)), {.self = i % 3 == 2},
              random.in_cube(0.1));
  }
  return scene;
}

// A sheet rolled up and crumpled, moving unevenly.
inline CollisionScene folded_cloth(std::uint64_t seed, int n)
{
  CollisionScene scene{.name = "folded cloth", .tolerance = 0.01};
  Random random(seed);
  TriMesh cloth = make_cloth(1.0, 1.0, n, n);
  for (Vector3d& x : cloth.positions) {
    const double angle = 12.0 * x[0], radius = 0.1 + 0.01 * angle;
    x = Vector3d(radius * std::cos(angle), radius * std::sin(angle), x[2]) + random.in_cube(0.01);
  }
  scene.add(cloth, {.self = true}, Vector3d::Zero());
  for (Vector3d& x : scene.end) x += random.in_cube(0.02);
  return scene;
}

// Everything in one plane, on a grid: boxes without height that touch and do not cross.
inline CollisionScene flat_sheets(std::uint64_t seed, int n)
{
  CollisionScene scene{.name = "flat sheets"};
  Random random(seed);
  const TriMesh cloth = make_cloth(1.0, 1.0, n, n);
  const double step = 1.0 / (n - 1);
  scene.add(cloth, {.self = true}, Vector3d(step, 0.0, 0.0));
  scene.add(cloth, {.self = true}, Vector3d::Zero());
  scene.add(moved(cloth, {1.0, 0.0, 0.0}), {}, Vector3d(0.0, step, 0.0));
  return scene;
}

inline CollisionScene triangle_soup(std::uint64_t seed)
{
  CollisionScene scene{.name = "triangle soup", .tolerance = 1e-3};
  Random random(seed);
  scene.add(random_triangles(40, 60, random), {.self = true}, random.in_cube(0.1));
  scene.add(random_triangles(20, 1, random), {.self = true}, random.in_cube(0.1));
  scene.add(TriMesh{}, {}, Vector3d::Zero());
  scene.add(random_triangles(30, 30, random), {}, random.in_cube(0.1));
  return scene;
}

inline std::vector<CollisionScene> detection_scenes()
{
  std::vector<CollisionScene> scenes;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    scenes.push_back(heap_of_bodies(seed, 12));
    scenes.push_back(folded_cloth(seed, 14));
    scenes.push_back(triangle_soup(seed));
  }
  scenes.push_back(flat_sheets(1, 9));
  for (const double factor : {1e-6, 1e6}) {
    scenes.push_back(heap_of_bodies(4, 8));
    scenes.back().scale(factor);
    scenes.push_back(folded_cloth(4, 10));
    scenes.back().scale(factor);
  }
  scenes.push_back(heap_of_bodies(5, 8));
  scenes.back().move({1e6, -1e6, 1e6});  // the grid of doubles there has steps of 1e-10
  return scenes;
}

}  // namespace tact
