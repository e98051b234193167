// A scene with all its values resolved: meshes loaded and placed, names turned into numbers. Scene
// files, built-in scenes, tests and benches all make one of these; scene_builder.hpp builds it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <tact/bodies/cloth.hpp>
#include <tact/bodies/obstacle.hpp>
#include <tact/bodies/rigid_body.hpp>
#include <tact/bodies/soft_solid.hpp>
#include <tact/sim/world.hpp>

namespace tact {

// Where a scene says something, for complaints about it.
struct Place {
  std::string file;     // or the name of a built-in scene
  std::string pointer;  // JSON pointer

  // Throws Error: "FILE: POINTER: found ..., expected ...".
  [[noreturn]] void reject(std::string_view found, std::string_view expected) const;
};

struct ContactSettings {
  double delta = 0.0;             // m: the distance that contact keeps; 0: chosen from the meshes
  std::string solver = "auto";    // see `tact list solvers`
  double tolerance = 1e-3;        // m/s, on the shared residual
  std::string friction = "disc";  // or "pyramid"
  int rows_per_pair = 8;          // contact reduction: rows that two solids start with; 0: all
  double audit = 0.0;             // share of detached regions that are solved exactly as well
};

struct RecordSettings {
  int every = 1;            // steps from one frame to the next
  std::vector<int> forces;  // bodies whose contact forces the report tells
  bool pattern = false;     // draws which contacts of the last step see which others
};

struct SceneCamera {
  Vector3d from = Vector3d::Zero();  // m
  Vector3d to = Vector3d::Zero();    // m: what is in the middle of the picture
  double field_of_view = 40.0;       // degrees, from the bottom to the top
};

struct RunOptions {
  double dt = 0.005;                    // s
  double time = 1.0;                    // s: how long to simulate
  std::string integrator = "implicit";  // or "explicit"
  std::string nonconvex = "none";       // at sharp corners; or "selection", "max", "sum"
  std::uint64_t seed = 0;               // of what a scene has of chance
  ContactSettings contact = {};
  RecordSettings record = {};
  std::optional<SceneCamera> camera = {};  // else the picture is framed by what is in it

  std::int64_t steps() const;
};

// Coulomb friction and Newton restitution of two bodies.
struct PairFriction {
  int a = 0, b = 0;  // bodies
  double mu = 0.0;
  double restitution = 0.0;
};

struct FrictionSettings {
  double mu = 0.3;
  double restitution = 0.0;
  std::vector<std::optional<double>> body_mu;  // of each body that has its own
  std::vector<PairFriction> pairs;             // these come before all others; the last one wins

  // A pair that is not listed has the geometric mean of its bodies' own coefficients, where a body
  // without one has the scene's.
  PairFriction of(int a, int b) const;
};

using BodyOptions = std::variant<RigidOptions, ClothOptions, SoftOptions, ObstacleOptions>;

struct BodyDescription {
  std::string name;
  BodyOptions options;
  Place place;
};

struct SpringDescription {
  Spring spring;
  Place place;
};

struct PinDescription {
  Pin pin;
  Place place;
};

struct JointDescription {
  Joint joint;
  Place place;
};

struct SceneDescription {
  std::string name = "scene";
  RunOptions run;
  Vector3d gravity = {0.0, -9.81, 0.0};  // m/s^2
  Vector3d wind = Vector3d::Zero();      // m/s: the velocity of the air
  FrictionSettings friction;
  std::vector<BodyDescription> bodies;
  std::vector<SpringDescription> springs;
  std::vector<PinDescription> pins;
  std::vector<JointDescription> joints;
  std::string resolved;  // the scene as JSON with all defaults written out; reads as the same scene

  int find(std::string_view body) const;  // -1 where there is none
};

// What collides and is seen, in world axes at t = 0.
TriMesh start_surface(const BodyOptions& options);

// Where a body's own axes are at t = 0; those of deformable bodies are the world's.
Eigen::Isometry3d start_pose(const BodyOptions& options);

}  // namespace tact
