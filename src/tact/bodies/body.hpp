// What moves, as the rest of the simulator sees it: a body adds its blocks to A and b, advances its
// q, and places its surface. Bodies are constant while stepping; what changes lies in vectors q and
// v that they are handed, each body its own stretch of them.
//
// Velocities come in blocks of three, called nodes: a vertex of a cloth or of a tetrahedral mesh is
// one node, a rigid body is two (linear and angular velocity, world axes), an obstacle has none.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include <tact/core/types.hpp>
#include <tact/geometry/tri_mesh.hpp>
#include <tact/linalg/block_matrix.hpp>

namespace tact {

using ConstSegment = Eigen::Ref<const VectorXd>;
using Segment = Eigen::Ref<VectorXd>;

enum class BodyKind { rigid, cloth, soft, obstacle };  // for pictures and reports, not to switch on
const char* name_of(BodyKind kind);

// The same for all bodies of a step.
struct StepInput {
  double dt = 0.0;                      // s
  Vector3d gravity = Vector3d::Zero();  // m/s^2
  Vector3d wind = Vector3d::Zero();     // m/s: the velocity of the air, felt where drag > 0
};

// A point fixed to a body's matter: a vertex of its surface or, where that is -1, a place in the
// body's own axes (rigid bodies and obstacles only).
struct BodyPoint {
  int vertex = -1;
  Vector3d local = Vector3d::Zero();  // m
};

// Where a point gets its velocity from: the sum of block[k] v[node[k]], nodes counted in the body.
struct PointMap {
  int count = 0;
  std::array<int, 4> node{};
  std::array<Matrix3d, 4> block{};
};

// Scratch memory of one body, made once and handed back at each call. A body that needs none makes
// none.
class BodyWorkspace {
 public:
  virtual ~BodyWorkspace() = default;
};

// Velocities V + omega x (x - about).
struct RigidMotion {
  Vector3d linear = Vector3d::Zero();   // V, m/s
  Vector3d angular = Vector3d::Zero();  // omega, rad/s
  Vector3d about = Vector3d::Zero();    // m
};

struct Momentum {
  Vector3d linear = Vector3d::Zero();   // N s
  Vector3d angular = Vector3d::Zero();  // N m s about the origin
};

class Body {
 public:
  explicit Body(std::string name) : name_(std::move(name)) {}
  virtual ~Body() = default;
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  const std::string& name() const { return name_; }
  virtual BodyKind kind() const = 0;
  virtual bool deforms() const { return true; }  // or keeps its shape

  virtual int q_size() const = 0;
  virtual int node_count() const = 0;
  int v_size() const { return 3 * node_count(); }
  virtual void start(Segment q, Segment v) const = 0;  // the state at t = 0

  // Surface: what collides and what is seen.
  virtual int vertex_count() const = 0;
  virtual std::span<const Triangle> triangles() const = 0;
  virtual bool self_collision() const { return false; }
  virtual void place_surface(double t, ConstSegment q, std::span<Vector3d> vertices) const = 0;
  virtual Vector3d position(double t, ConstSegment q, const BodyPoint& point) const = 0;
  // Where its own axes are, of what keeps its shape.
  virtual std::optional<Eigen::Isometry3d> pose(double /*t*/, const ConstSegment& /*q*/) const
  {
    return std::nullopt;
  }
  virtual PointMap map(ConstSegment q, const BodyPoint& point) const = 0;
  // The same for whatever is at a place in the world, which need not be matter of the body. Only of
  // a body that moves and keeps its shape.
  virtual std::optional<PointMap> map_at(const ConstSegment& /*q*/, const Vector3d& /*place*/) const
  {
    return std::nullopt;
  }

  // Dynamics, [Otaduy09] eq. (3):
  //   A = M - h dF/dv - h^2 (dF/dq) G,   b = h F(q, v) + (M - h dF/dv) v
  // The body's nodes are rows first_node, first_node + 1, ... of a matrix that it may share with
  // others. `add_couples` says which of them meet in a block; `bind` then looks up the slots, once.
  virtual void add_couples(int first_node, std::vector<std::array<int, 2>>& couples) const = 0;
  virtual void bind(const BlockPattern& pattern, int first_node) = 0;
  virtual std::unique_ptr<BodyWorkspace> make_workspace() const { return nullptr; }

  // Adds to the slots and to b; what was there stays.
  virtual void linearise(const StepInput& input, ConstSegment q, ConstSegment v,
                         BodyWorkspace* workspace, BlockMatrix& A, Segment b) const = 0;
  // F(q, v) in N and N m, set, not added: what linearise linearises.
  virtual void forces(const StepInput& input, ConstSegment q, ConstSegment v,
                      BodyWorkspace* workspace, Segment f) const = 0;
  // For explicit steps, M v_end = b with masses lumped in the nodes: sets the blocks of M, one a
  // node, and b = M v + h F(q, v).
  virtual void lump(const StepInput& input, ConstSegment q, ConstSegment v,
                    BodyWorkspace* workspace, std::span<Matrix3d> M, Segment b) const = 0;
  // The end of a step of length dt from (q0, v0), in which the body moved with velocity v.
  virtual void advance(const StepInput& input, ConstSegment q0, ConstSegment v0, ConstSegment v,
                       Segment q1, Segment v1) const = 0;

  // Joints turn the body: advance() takes the inertia half-way through the motion that it makes,
  // not through its free motion. linearise() and lump() take that of the start, and whoever steps
  // puts this one in its place.
  virtual void join() {}
  virtual std::optional<Matrix3d> turning_inertia(const StepInput& /*input*/,
                                                  const ConstSegment& /*q0*/,
                                                  const ConstSegment& /*v*/) const
  {
    return std::nullopt;
  }

  // Measures, for reports and tests.
  virtual double mass() const = 0;                      // kg; 0 for an obstacle
  virtual std::vector<double> node_masses() const = 0;  // kg, one a node; 0 where the node turns
  virtual Vector3d centre_of_mass(ConstSegment q) const = 0;                // m
  virtual double kinetic_energy(ConstSegment q, ConstSegment v) const = 0;  // J
  virtual double elastic_energy(ConstSegment q) const = 0;                  // J
  virtual Momentum momentum(ConstSegment q, ConstSegment v) const = 0;
  // Whether nothing pulls at it from outside but gravity: no given force, no air.
  virtual bool is_isolated() const = 0;
  // v += those of a rigid motion. Here for bodies whose q are the places of their nodes.
  virtual void add_rigid_motion(ConstSegment q, const RigidMotion& motion, Segment v) const;
  // J: in a step that ends with velocity v, of the body's constant force and of the air that moves.
  // The drag of air at rest only takes energy and is not in it.
  virtual double given_work(const StepInput& input, ConstSegment q, ConstSegment v) const;

 private:
  std::string name_;
};

// lump() of a body of mass points: b holds F(q, v) on entry.
void lump_mass_points(std::span<const double> masses, double dt, ConstSegment v,
                      std::span<Matrix3d> M, Segment b);

}  // namespace tact
