// Soft solids: linear co-rotational tetrahedra (Mueller and Gross 2004),
//   F_e = -R_e K_e (R_e' x - X),   K = sum R_e K_e R_e',
//   dF/dv = -(mass_damping M + stiffness_damping K)
// with R_e the rotation nearest to the deformation gradient, found anew from the state alone, so
// that the same state gives the same bits. Safe under inversion. Masses are lumped.
#pragma once

#include <optional>

#include <tact/bodies/body.hpp>
#include <tact/geometry/embedding.hpp>
#include <tact/geometry/tet_mesh.hpp>

namespace tact {

struct SoftOptions {
  TetMesh mesh;                            // rest shape, where it starts, in world axes
  std::optional<EmbeddedSurface> surface;  // a finer one that rides along; else the mesh's own
  // The share of each tetrahedron that is matter, in (0, 1], as fit_lattice measures it: scales its
  // mass and its stiffness (the latter by no less than 0.05). Empty: 1.
  std::vector<double> fill;
  double young = 1e6;                    // Pa
  double poisson = 0.3;                  // -1 < poisson < 0.5
  double density = 1000.0;               // kg/m^3
  double mass_damping = 0.0;             // 1/s
  double stiffness_damping = 0.0;        // s
  Vector3d velocity = Vector3d::Zero();  // m/s, at the start
  Vector3d force = Vector3d::Zero();     // N in all, spread by mass
  double drag = 0.0;                     // N s/m^3
  bool self_collision = true;
};

// Throws Error for inverted or flat tetrahedra, nodes of no tetrahedron, moduli or densities out of
// range.
std::unique_ptr<Body> make_soft_body(std::string name, SoftOptions options);

}  // namespace tact
