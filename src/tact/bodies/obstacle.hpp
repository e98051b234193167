// What moves by a script, or not at all, whatever hits it. It has no q and no v.
#pragma once

#include <Eigen/Geometry>

#include <tact/bodies/body.hpp>

namespace tact {

// Between two keyframes the position is interpolated linearly and the orientation on the shortest
// arc; before the first and after the last the pose stays.
struct Keyframe {
  double t = 0.0;  // s
  Vector3d position = Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
};

// Vertices at given times, linear in between: a deforming obstacle.
struct VertexCache {
  std::vector<double> times;                    // s, ascending
  std::vector<std::vector<Vector3d>> vertices;  // one list a time, as long as the surface's
};

struct ObstacleOptions {
  TriMesh surface = {};               // in the obstacle's own axes
  std::vector<Keyframe> motion = {};  // empty: stays at the origin; one: stays there
  VertexCache cache = {};             // empty, or instead of `surface.positions`
};

// Throws Error unless times ascend strictly, quaternions are of unit length and lists fit.
std::unique_ptr<Body> make_obstacle(std::string name, ObstacleOptions options);

}  // namespace tact
