#include <tact/samples/scene_parts.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/geometry/ideal_masses.hpp>
#include <tact/geometry/shapes.hpp>

namespace tact {
namespace {

constexpr double ground_thickness = 0.1;  // m

RigidOptions rigid(TriMesh surface, const MassProperties& unit, double density)
{
  RigidOptions options;
  options.surface = std::move(surface);
  options.mass = unit;
  options.mass.mass *= density;
  options.mass.inertia *= density;
  return options;
}

}  // namespace

BodyDescription ground_body(double size)
{
  TriMesh slab = make_box({size, ground_thickness, size});
  return moving_obstacle("ground", std::move(slab),
                         {{.t = 0.0, .position = {0.0, -0.5 * ground_thickness, 0.0}}});
}

BodyDescription obstacle_box(std::string name, const Vector3d& size, const Vector3d& position)
{
  return moving_obstacle(std::move(name), make_box(size), {{.t = 0.0, .position = position}});
}

BodyDescription moving_obstacle(std::string name, TriMesh surface, std::vector<Keyframe> motion)
{
  ObstacleOptions options;
  options.surface = std::move(surface);
  options.motion = std::move(motion);
  return {std::move(name), std::move(options), {}};
}

RigidOptions rigid_box(const Vector3d& size, double density)
{
  return rigid(make_box(size), box_mass(size), density);
}

RigidOptions rigid_sphere(double radius, double density)
{
  return rigid(make_icosphere(radius, 3), sphere_mass(radius), density);
}

RigidOptions rigid_capsule(double radius, double height, double density)
{
  return rigid(make_capsule(radius, height, 24, 6), capsule_mass(radius, height), density);
}

RigidOptions rigid_cylinder(double radius, double height, double density)
{
  return rigid(make_cylinder(radius, height, 32), cylinder_mass(radius, height), density);
}

ClothOptions square_cloth(double size, int n, double mass, const ClothStiffness& stiffness)
{
  ClothOptions options;
  options.surface = make_cloth(size, size, n, n);
  options.springs = grid_springs(options.surface, n, n, stiffness);
  options.area_density = mass / area(options.surface);
  return options;
}

Lattice checked_soft_letter(char32_t letter, const LetterOptions& options)
{
  const double ratio = options.depth / options.height;
  if (!(ratio >= 0.02 && ratio <= 5.0))
    throw Error(
        fmt::format("/depth: found {} m at a height of {} m, expected 0.02 to 5 times the "
                    "height",
                    options.depth, options.height));
  return make_soft_letter(letter, options);
}

void translate(BodyOptions& options, const Vector3d& by)
{
  if (auto* rigid = std::get_if<RigidOptions>(&options)) rigid->position += by;
  if (auto* cloth = std::get_if<ClothOptions>(&options))
    for (Vector3d& p : cloth->surface.positions) p += by;
  if (auto* soft = std::get_if<SoftOptions>(&options))
    for (Vector3d& p : soft->mesh.positions) p += by;
  if (auto* obstacle = std::get_if<ObstacleOptions>(&options))
    for (Keyframe& frame : obstacle->motion) frame.position += by;
}

double smooth_step(double t, double start, double end)
{
  const double q = std::clamp((t - start) / (end - start), 0.0, 1.0);
  return q * q * (3.0 - 2.0 * q);
}

}  // namespace tact
