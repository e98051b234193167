#include <tact/bodies/rigid_body.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <tact/bodies/body_input.hpp>
#include <tact/bodies/midpoint_spin.hpp>
#include <tact/bodies/rotation.hpp>
#include <tact/bodies/surface_area.hpp>

namespace tact {
namespace {

struct RigidPose {
  Vector3d centre;
  Eigen::Quaterniond orientation;
};

RigidPose pose_of(const ConstSegment& q)
{
  return {q.head<3>(), Eigen::Quaterniond(q[6], q[3], q[4], q[5])};
}

void store(const RigidPose& pose, Segment& q)
{
  q.head<3>() = pose.centre;
  q.tail<4>() = pose.orientation.coeffs();  // x y z w
}

// One step of length h, with D the drag, R the rotation half-way and s, Q = int (r'r - r r') dA the
// area moments turned by it:
//
//   A = [ (m + h D S) 1    -h D [s]x     ]    b = [ m v_0 + h (m g + f + D S wind) ]
//       [  h D [s]x        I_m + h D Q   ]        [ L_0 + h D s x wind             ]
//
// Rows are those of momentum, not of velocity, so there is no gyroscopic term: turning the inertia
// half a step ahead stands in for it.
class RigidBody final : public Body {
 public:
  RigidBody(std::string name, RigidOptions options);

  BodyKind kind() const override { return BodyKind::rigid; }
  bool deforms() const override { return false; }
  int q_size() const override { return 7; }
  int node_count() const override { return 2; }
  void start(Segment q, Segment v) const override;

  int vertex_count() const override { return static_cast<int>(arms_.size()); }
  std::span<const Triangle> triangles() const override { return options_.surface.triangles; }
  void place_surface(double t, ConstSegment q, std::span<Vector3d> vertices) const override;
  Vector3d position(double t, ConstSegment q, const BodyPoint& point) const override;
  std::optional<Eigen::Isometry3d> pose(double t, const ConstSegment& q) const override;
  PointMap map(ConstSegment q, const BodyPoint& point) const override;
  std::optional<PointMap> map_at(const ConstSegment& q, const Vector3d& place) const override;

  void add_couples(int first_node, std::vector<std::array<int, 2>>& couples) const override;
  void bind(const BlockPattern& pattern, int first_node) override;
  void linearise(const StepInput& input, ConstSegment q, ConstSegment v, BodyWorkspace* workspace,
                 BlockMatrix& A, Segment b) const override;
  void forces(const StepInput& input, ConstSegment q, ConstSegment v, BodyWorkspace* workspace,
              Segment f) const override;
  void lump(const StepInput& input, ConstSegment q, ConstSegment v, BodyWorkspace* workspace,
            std::span<Matrix3d> M, Segment b) const override;
  void advance(const StepInput& input, ConstSegment q0, ConstSegment v0, ConstSegment v, Segment q1,
               Segment v1) const override;

  void join() override { joined_ = options_.drag == 0.0; }
  std::optional<Matrix3d> turning_inertia(const StepInput& input, const ConstSegment& q0,
                                          const ConstSegment& v) const override;

  double mass() const override { return options_.mass.mass; }
  std::vector<double> node_masses() const override { return {mass(), 0.0}; }
  Vector3d centre_of_mass(ConstSegment q) const override { return q.head<3>(); }
  double kinetic_energy(ConstSegment q, ConstSegment v) const override;
  double elastic_energy(ConstSegment) const override { return 0.0; }
  Momentum momentum(ConstSegment q, ConstSegment v) const override;
  bool is_isolated() const override { return options_.drag == 0.0 && options_.force.isZero(0.0); }
  void add_rigid_motion(ConstSegment q, const RigidMotion& motion, Segment v) const override;
  double given_work(const StepInput& input, ConstSegment q, ConstSegment v) const override;

 private:
  Vector3d arm(const BodyPoint& point) const;    // from the centre of mass, in the body's axes
  Matrix3d inertia(const RigidPose& pose) const  // in world axes
  {
    return rotated(pose.orientation.toRotationMatrix(), options_.mass.inertia);
  }
  Vector3d steady_force(const StepInput& input) const;
  struct HalfWay {
    Matrix3d R;        // rotation half-way through the free motion
    Matrix3d inertia;  // I_m, in world axes
  };
  HalfWay half_way(const StepInput& input, const ConstSegment& q, const ConstSegment& v) const;

  RigidOptions options_;
  std::vector<Vector3d> arms_;                // of the vertices
  double drag_area_ = 0.0;                    // D S, N s/m
  Vector3d drag_first_ = Vector3d::Zero();    // D s, N s, in the body's axes as the next
  Matrix3d drag_inertia_ = Matrix3d::Zero();  // D Q, N m s
  bool joined_ = false;
  int linear_slot_ = -1, angular_slot_ = -1;
  int upper_slot_ = -1, lower_slot_ = -1;  // where drag couples the two
};

RigidBody::RigidBody(std::string name, RigidOptions options)
    : Body(std::move(name)), options_(std::move(options))
{
  const Vector3d& centre = options_.mass.centre;
  for (const Vector3d& x : options_.surface.positions) arms_.push_back(x - centre);
  const AreaMoments moments = area_moments(options_.surface, centre);
  drag_area_ = options_.drag * moments.area;
  drag_first_ = options_.drag * moments.first;
  drag_inertia_ = options_.drag * (moments.second.trace() * Matrix3d::Identity() - moments.second);
}

void RigidBody::start(Segment q, Segment v) const
{
  const Eigen::Quaterniond& orientation = options_.orientation;
  store({options_.position + orientation * options_.mass.centre, orientation}, q);
  v << options_.velocity, options_.angular_velocity;
}

Vector3d RigidBody::arm(const BodyPoint& point) const
{
  return point.vertex >= 0 ? arms_[point.vertex] : Vector3d(point.local - options_.mass.centre);
}

void RigidBody::place_surface(double, ConstSegment q, std::span<Vector3d> vertices) const
{
  const RigidPose pose = pose_of(q);
  const Matrix3d R = pose.orientation.toRotationMatrix();
  for (std::size_t i = 0; i < arms_.size(); ++i) vertices[i] = pose.centre + R * arms_[i];
}

Vector3d RigidBody::position(double, ConstSegment q, const BodyPoint& point) const
{
  const RigidPose pose = pose_of(q);
  return pose.centre + pose.orientation.toRotationMatrix() * arm(point);
}

std::optional<Eigen::Isometry3d> RigidBody::pose(double, const ConstSegment& q) const
{
  const RigidPose own = pose_of(q);
  Eigen::Isometry3d axes = Eigen::Isometry3d::Identity();
  axes.linear() = own.orientation.toRotationMatrix();
  axes.translation() = own.centre - axes.linear() * options_.mass.centre;
  return axes;
}

PointMap RigidBody::map(ConstSegment q, const BodyPoint& point) const
{
  const Vector3d r = pose_of(q).orientation * arm(point);
  return {2, {0, 1}, {Matrix3d::Identity(), -cross_matrix(r)}};
}

std::optional<PointMap> RigidBody::map_at(const ConstSegment& q, const Vector3d& place) const
{
  const Vector3d r = place - pose_of(q).centre;
  return PointMap{2, {0, 1}, {Matrix3d::Identity(), -cross_matrix(r)}};
}

void RigidBody::add_couples(int first_node, std::vector<std::array<int, 2>>& couples) const
{
  if (options_.drag > 0.0) couples.push_back({first_node, first_node + 1});
}

void RigidBody::bind(const BlockPattern& pattern, int first_node)
{
  linear_slot_ = pattern.diagonal_slot(first_node);
  angular_slot_ = pattern.diagonal_slot(first_node + 1);
  if (options_.drag > 0.0) {
    upper_slot_ = pattern.slot(first_node, first_node + 1);
    lower_slot_ = pattern.slot(first_node + 1, first_node);
  }
}

Vector3d RigidBody::steady_force(const StepInput& input) const
{
  return mass() * input.gravity + options_.force + drag_area_ * input.wind;
}

RigidBody::HalfWay RigidBody::half_way(const StepInput& input, const ConstSegment& q,
                                       const ConstSegment& v) const
{
  const double h = input.dt;
  const Eigen::Quaterniond start = pose_of(q).orientation;
  if (joined_) {
    const Matrix3d R = start.toRotationMatrix();
    return {R, rotated(R, options_.mass.inertia)};
  }
  const Eigen::Quaterniond to_body = start.conjugate();
  const double linear = mass() + h * drag_area_;
  const Vector3d free_velocity = (mass() * v.head<3>() + h * steady_force(input)) / linear;
  const Vector3d s = h * drag_first_;

  MidpointSpin spin;
  spin.K = options_.mass.inertia + h * drag_inertia_ +
           cross_matrix(s) * cross_matrix(s) / linear;  // what eliminating v leaves
  spin.l = options_.mass.inertia * (to_body * Vector3d(v.tail<3>()));
  spin.sigma = s;
  spin.u = to_body * (input.wind - free_velocity);
  spin.dt = h;
  if (options_.drag == 0.0) {
    const KeepingSpin free = solve_keeping_energy(spin);
    const Matrix3d R = (start * exp_rotation((0.5 * h) * free.y)).toRotationMatrix();
    return {R, rotated(R, free.inertia)};
  }
  const Matrix3d R = (start * exp_rotation((0.5 * h) * solve(spin))).toRotationMatrix();
  return {R, rotated(R, options_.mass.inertia)};
}

void RigidBody::linearise(const StepInput& input, ConstSegment q, ConstSegment v, BodyWorkspace*,
                          BlockMatrix& A, Segment b) const
{
  const double h = input.dt;
  const HalfWay middle = half_way(input, q, v);
  A.blocks[linear_slot_].diagonal().array() += mass() + h * drag_area_;
  A.blocks[angular_slot_] += middle.inertia;
  b.head<3>() += mass() * v.head<3>() + h * steady_force(input);
  b.tail<3>() += inertia(pose_of(q)) * v.tail<3>();
  if (options_.drag > 0.0) {
    A.blocks[angular_slot_] += rotated(middle.R, h * drag_inertia_);
    const Vector3d s = h * (middle.R * drag_first_);
    A.blocks[upper_slot_] -= cross_matrix(s);
    A.blocks[lower_slot_] += cross_matrix(s);
    b.tail<3>() += s.cross(input.wind);
  }
}

// Rates of change of the two momenta. A body that is not touched keeps its angular momentum, so the
// torque is that of the air alone.
void RigidBody::forces(const StepInput& input, ConstSegment q, ConstSegment v, BodyWorkspace*,
                       Segment f) const
{
  const Matrix3d R = pose_of(q).orientation.toRotationMatrix();
  const Vector3d s = R * drag_first_;
  const Vector3d linear = v.head<3>(), angular = v.tail<3>();
  f.head<3>() = steady_force(input) - drag_area_ * linear - angular.cross(s);
  f.tail<3>() = s.cross(input.wind - linear) - rotated(R, drag_inertia_) * angular;
}

// As in linearise() the inertia is that of half-way, in place of a gyroscopic term.
void RigidBody::lump(const StepInput& input, ConstSegment q, ConstSegment v,
                     BodyWorkspace* workspace, std::span<Matrix3d> M, Segment b) const
{
  forces(input, q, v, workspace, b);
  b *= input.dt;
  b.head<3>() += mass() * v.head<3>();
  b.tail<3>() += inertia(pose_of(q)) * v.tail<3>();
  M[0] = mass() * Matrix3d::Identity();
  M[1] = half_way(input, q, v).inertia;
}

void RigidBody::advance(const StepInput& input, ConstSegment q0, ConstSegment v0, ConstSegment v,
                        Segment q1, Segment v1) const
{
  const RigidPose pose0 = pose_of(q0);
  const Vector3d linear = v.head<3>(), angular = v.tail<3>();
  const std::optional<Matrix3d> turning = turning_inertia(input, q0, v);
  const Vector3d L = (turning ? *turning : half_way(input, q0, v0).inertia) * angular;

  const RigidPose pose1{pose0.centre + input.dt * linear,
                        (exp_rotation(input.dt * angular) * pose0.orientation).normalized()};
  store(pose1, q1);
  v1.head<3>() = linear;
  // Solved with the very matrix that the next step multiplies with, so that L does not suffer from
  // how exactly the quaternion is one of unit length.
  v1.tail<3>() = inertia(pose1).llt().solve(L);
}

// What joints give to a body in a step may turn it by another way than its free motion, and an
// inertia that is not half-way of it makes spin about the axes where there is little.
std::optional<Matrix3d> RigidBody::turning_inertia(const StepInput& input, const ConstSegment& q0,
                                                   const ConstSegment& v) const
{
  if (!joined_) return std::nullopt;
  const Eigen::Quaterniond middle =
      exp_rotation((0.5 * input.dt) * v.tail<3>()) * pose_of(q0).orientation;
  return rotated(middle.toRotationMatrix(), options_.mass.inertia);
}

double RigidBody::kinetic_energy(ConstSegment q, ConstSegment v) const
{
  const Vector3d spin = pose_of(q).orientation.conjugate() * Vector3d(v.tail<3>());
  return 0.5 * (mass() * v.head<3>().squaredNorm() + spin.dot(options_.mass.inertia * spin));
}

Momentum RigidBody::momentum(ConstSegment q, ConstSegment v) const
{
  const RigidPose pose = pose_of(q);
  const Vector3d linear = mass() * v.head<3>();
  return {linear, pose.centre.cross(linear) + inertia(pose) * v.tail<3>()};
}

void RigidBody::add_rigid_motion(ConstSegment q, const RigidMotion& motion, Segment v) const
{
  const Vector3d arm = pose_of(q).centre - motion.about;
  v.head<3>() += motion.linear + motion.angular.cross(arm);
  v.tail<3>() += motion.angular;
}

double RigidBody::given_work(const StepInput& input, ConstSegment q, ConstSegment v) const
{
  const Vector3d s = pose_of(q).orientation * drag_first_;
  const Vector3d force = options_.force + drag_area_ * input.wind;
  return input.dt * (force.dot(v.head<3>()) + s.cross(input.wind).dot(v.tail<3>()));
}

// Returns the inertia with its two triangles equal.
Matrix3d checked_inertia(const BodyInput& input, const Matrix3d& inertia)
{
  if (!inertia.allFinite()) input.complain("the inertia is not finite");
  if (!((inertia - inertia.transpose()).norm() <= 1e-9 * inertia.norm()))
    input.complain("the inertia is not symmetric");
  const Matrix3d symmetric = 0.5 * (inertia + inertia.transpose());
  const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(symmetric, Eigen::EigenvaluesOnly);
  input.positive("the smallest principal moment", axes.eigenvalues()[0], "kg m^2");
  return symmetric;
}

}  // namespace

std::unique_ptr<Body> make_rigid_body(std::string name, RigidOptions options)
{
  const BodyInput input(BodyKind::rigid, name);
  input.surface(options.surface);
  input.positive("mass", options.mass.mass, "kg");
  input.finite("centre of mass", options.mass.centre, "m");
  options.mass.inertia = checked_inertia(input, options.mass.inertia);
  input.finite("position", options.position, "m");
  options.orientation = input.unit("orientation", options.orientation);
  input.finite("velocity", options.velocity, "m/s");
  input.finite("angular velocity", options.angular_velocity, "rad/s");
  input.finite("force", options.force, "N");
  input.not_negative("drag", options.drag, "N s/m^3");
  return std::make_unique<RigidBody>(std::move(name), std::move(options));
}

}  // namespace tact
