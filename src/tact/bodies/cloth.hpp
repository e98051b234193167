// Cloth as point masses and springs (Provot 1995, Bridson et al. 2003; [Otaduy09] Sec. 3.1):
//   F_ab = (k (l - l_0) + c l') n    along the spring, c = damping x k
// A takes n n' in full and the part across the spring where it is stretched only: positive
// semi-definite, exact for stretched springs.
#pragma once

#include <tact/bodies/body.hpp>

namespace tact {

struct ClothSpring {
  int a = 0, b = 0;          // vertices
  double stiffness = 0.0;    // N/m
  double rest_length = 0.0;  // m
};

struct ClothStiffness {
  double stretch = 100.0;  // N/m, along the edges
  double shear = 50.0;     // N/m, along the diagonals of a grid
  double bend = 1.0;       // N/m, across two edges
};

// The springs of a grid made by make_cloth(width, depth, nx, nz): edges, both diagonals of each
// square, and every second vertex along the two directions.
std::vector<ClothSpring> grid_springs(const TriMesh& cloth, int nx, int nz,
                                      const ClothStiffness& stiffness);
// The springs of any surface: its edges, and the two vertices opposite of each inner edge for
// bending (`shear` is not used).
std::vector<ClothSpring> surface_springs(const TriMesh& cloth, const ClothStiffness& stiffness);

struct ClothOptions {
  TriMesh surface;  // where it starts, in world axes
  std::vector<ClothSpring> springs;
  double area_density = 0.2;             // kg/m^2, of the surface as given
  double damping = 1e-3;                 // s: spring damping over spring stiffness
  double mass_damping = 0.0;             // 1/s
  Vector3d velocity = Vector3d::Zero();  // m/s, of all vertices at the start
  Vector3d force = Vector3d::Zero();     // N in all, spread by mass
  double drag = 0.0;                     // N s/m^3
  bool self_collision = true;
};

std::unique_ptr<Body> make_cloth_body(std::string name, ClothOptions options);

}  // namespace tact
