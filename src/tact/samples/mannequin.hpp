// A mannequin: a closed smooth surface with torso, hips, legs, arms and head, and bones that move
// it. The waist is y = 0, it stands upright and looks along z; 1.1 m tall.
#pragma once

#include <array>

#include <tact/geometry/tri_mesh.hpp>

namespace tact {

// How it is posed, in radians: 0 is how it stands at the start. Of pairs the left one is first.
struct MannequinPose {
  std::array<double, 2> hip{};       // the thigh, forward
  std::array<double, 2> knee{};      // the shin, backward
  std::array<double, 2> shoulder{};  // the arm, up
};

class Mannequin {
 public:
  // `cell`: m, about as long as the edges of its triangles.
  explicit Mannequin(double cell);

  const TriMesh& surface() const { return surface_; }  // as it stands at the start
  std::vector<Vector3d> posed(const MannequinPose& pose) const;

  // m: about how far a point is from the surface as it stands at the start, negative inside; and
  // the same without the arms, which a bodice leaves free.
  static double distance(const Vector3d& x);
  static double distance_without_arms(const Vector3d& x);

 private:
  TriMesh surface_;
};

}  // namespace tact
