// How each body moves over some frames: not at all, rigidly, or by deforming. Formats that animate
// nodes ask for it. Inside this layer only.
#pragma once

#include <array>
#include <vector>

#include <tact/geometry/rigid_fit.hpp>
#include <tact/recording/exports.hpp>

namespace tact {

using Point3f = std::array<float, 3>;

// Which values the displacements from the first frame have.
struct FloatBox {
  Point3f low{};
  Point3f high{};
};

struct BodyMotion {
  enum class Kind { still, rigid, deforming };

  Kind kind = Kind::still;
  Vector3d place = Vector3d::Zero();   // centroid in the first frame
  std::vector<Vector3d> shape;         // vertices in the first frame, relative to it
  std::vector<RigidFit> poses;         // rigid: one a frame
  std::vector<FloatBox> displacement;  // deforming: one a frame
};

// The displacement of a vertex in the precision of the formats that want it.
Point3f displacement(const Vector3d& from, const Vector3d& to);

Point3f to_float(const Vector3d& point);

// Reads every frame of the job once. A rigid body or obstacle whose vertices follow one rotation
// and translation up to 1e-5 of its size moves rigidly; single precision resolves about 1e-7 of it.
std::vector<BodyMotion> read_motions(const ExportJob& job);

}  // namespace tact
