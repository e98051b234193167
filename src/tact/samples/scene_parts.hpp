// Pieces that built-in scenes share.
#pragma once

#include <string>

#include <tact/samples/glyphs.hpp>
#include <tact/setup/scene_description.hpp>

namespace tact {

// A slab whose top is the plane y = 0.
BodyDescription ground_body(double size);

// A fixed or moving box; without keyframes it stays at `position`.
BodyDescription obstacle_box(std::string name, const Vector3d& size, const Vector3d& position);
BodyDescription moving_obstacle(std::string name, TriMesh surface, std::vector<Keyframe> motion);

// Rigid bodies of ideal mass properties. Lengths in m, densities in kg/m^3.
RigidOptions rigid_box(const Vector3d& size, double density);
RigidOptions rigid_sphere(double radius, double density);
RigidOptions rigid_capsule(double radius, double height, double density);
RigidOptions rigid_cylinder(double radius, double height, double density);

// A cloth in the plane y = 0, n x n vertices.
ClothOptions square_cloth(double size, int n, double mass, const ClothStiffness& stiffness = {});

// make_soft_letter, but for letters so thin or so deep that their meshes would not end: throws
// Error unless the depth is 0.02 to 5 times the height.
Lattice checked_soft_letter(char32_t letter, const LetterOptions& options);

// Moves the whole body.
void translate(BodyOptions& options, const Vector3d& by);

// 3 q^2 - 2 q^3, from 0 before t = start to 1 after t = end: a motion without jumps in velocity.
double smooth_step(double t, double start, double end);

}  // namespace tact
