#include <tact/sim/held_joints.hpp>

#include <algorithm>
#include <map>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <tact/bodies/rotation.hpp>

namespace tact {
namespace {

void widen(JointError& worst, const JointError& other)
{
  worst.length = std::max(worst.length, other.length);
  worst.angle = std::max(worst.angle, other.angle);
}

}  // namespace

void HeldJoints::begin(const State& start, ContactProblem& problem)
{
  problem.bilateral.clear();
  problem.bilateral_blocks.clear();
  rows_.clear();
  opened_ = {};
  for (const Joint& joint : world_->joints()) {
    rows_.push_back(joint_rows(*world_, start, joint));
    widen(opened_, joint_error(rows_.back()));
    for (const JointRow& row : rows_.back()) append(joint, row, start, problem);
  }
}

void HeldJoints::append(const Joint& joint, const JointRow& row, const State& start,
                        ContactProblem& problem) const
{
  BilateralRow own{.first = static_cast<int>(problem.bilateral_blocks.size())};
  const auto add_side = [&](int i, double sign) {
    if (i < 0 || world_->body(i).node_count() == 0) return;
    const Vector3d arm = row.point - world_->body(i).centre_of_mass(world_->q(start, i));
    const int node = world_->place(i).node;
    problem.bilateral_blocks.push_back({node, sign * row.force.transpose()});
    problem.bilateral_blocks.push_back(
        {node + 1, sign * (arm.cross(row.force) + row.torque).transpose()});
    own.count += 2;
  };
  add_side(joint.a.body, -1.0);
  add_side(joint.b.body, 1.0);
  problem.bilateral.push_back(own);
}

JointError HeldJoints::look(const State& end, const VectorXd& v, double dt,
                            const ContactProblem& problem)
{
  JointError worst;
  missing_.resize(static_cast<Eigen::Index>(problem.bilateral.size()));
  blocks_.clear();
  Eigen::Index r = 0;
  for (const Joint& joint : world_->joints()) {
    const JointRows rows = joint_rows(*world_, end, joint);
    widen(worst, joint_error(rows));
    for (const JointRow& row : rows) {
      missing_[r++] = -row.value / dt;
      differentiate(joint, row, end, v, dt);
    }
  }
  return worst;
}

// The end of a turn by dt w changes by E(dt w) dt dw, E = 1 + (1 - cos) / a^2 [a] + (a - sin) / a^3
// [a]^2 of a = dt w.
void HeldJoints::differentiate(const Joint& joint, const JointRow& row, const State& end,
                               const VectorXd& v, double dt)
{
  const auto add_side = [&](int i, double sign) {
    if (i < 0 || world_->body(i).node_count() == 0) return;
    const Vector3d arm = row.point - world_->body(i).centre_of_mass(world_->q(end, i));
    const int node = world_->place(i).node;
    const Vector3d turn = dt * v.segment<3>(3 * node + 3);
    const TurnSeries series = turn_series(turn);
    const Matrix3d cross = cross_matrix(turn);
    const Matrix3d E =
        Matrix3d::Identity() + series.cosine * cross + series.remainder * cross * cross;
    blocks_.push_back({node, sign * row.force.transpose()});
    blocks_.push_back({node + 1, sign * (arm.cross(row.force) + row.torque).transpose() * E});
  };
  add_side(joint.a.body, -1.0);
  add_side(joint.b.body, 1.0);
}

void HeldJoints::follow(const VectorXd& v, Missing missing, ContactProblem& problem) const
{
  Eigen::Index r = 0;
  for (BilateralRow& row : problem.bilateral) {
    const double moved = bilateral_velocity(problem, row, v) - row.bias;
    row.bias = -moved - (missing == Missing::asked_for ? missing_[r] : 0.0);
    ++r;
  }
}

void HeldJoints::keep_open(const State& still, double dt, ContactProblem& problem) const
{
  auto own = problem.bilateral.begin();
  auto before = rows_.begin();
  for (const Joint& joint : world_->joints()) {
    const JointRows rows = joint_rows(*world_, still, joint);
    for (int k = 0; k < rows.count; ++k)
      (own++)->bias = (rows.rows[k].value - before->rows[k].value) / dt;
    ++before;
  }
}

void HeldJoints::leave_in(double dt, ContactProblem& problem) const
{
  auto own = problem.bilateral.begin();
  for (const JointRows& rows : rows_)
    for (const JointRow& row : rows) (own++)->bias -= row.value / dt;
}

namespace {

// Symmetric, without what pushes: a column under load is as unstable as it is.
Matrix3d restoring_part(const Matrix3d& K)
{
  const Eigen::SelfAdjointEigenSolver<Matrix3d> modes(0.5 * (K + K.transpose()));
  return modes.eigenvectors() * modes.eigenvalues().cwiseMax(0.0).asDiagonal() *
         modes.eigenvectors().transpose();
}

}  // namespace

// Arms are those of points that are fixed to the body: b's origin always, a's but for joints that
// slide. A `distance` under tension T keeps its ends from moving across it, besides: T / length per
// way of either against the other, no more than twice of that for each alone.
std::vector<JointLoad> HeldJoints::loads(const State& start,
                                         const std::vector<double>& forces) const
{
  if (forces.empty()) return {};
  std::map<int, JointLoad> found;
  std::size_t r = 0;
  for (const Joint& joint : world_->joints()) {
    const JointRows rows = joint_rows(*world_, start, joint);
    Vector3d force = Vector3d::Zero();  // on b
    for (const JointRow& row : rows) force += forces[r++] * row.force;
    const bool slides = joint.kind == JointKind::slider || joint.kind == JointKind::cylinder;
    const auto add = [&](const JointEnd& end, const Vector3d& push) {
      if (end.body < 0 || world_->body(end.body).node_count() == 0) return;
      const Vector3d at = frame_of(*world_, start, end).at;
      const Vector3d arm = at - world_->body(end.body).centre_of_mass(world_->q(start, end.body));
      JointLoad& load = found[end.body];
      const double length = arm.squaredNorm();
      if (length > 0.0)
        load.angular += push.dot(arm) * (Matrix3d::Identity() - arm * arm.transpose() / length);
      if (joint.kind != JointKind::distance) return;
      const Vector3d& along = rows.rows[0].force;
      const double tension = std::max(0.0, -force.dot(along));
      load.linear +=
          2.0 * tension / joint.length * (Matrix3d::Identity() - along * along.transpose());
    };
    add(joint.b, force);
    if (!slides) add(joint.a, -force);
  }
  std::vector<JointLoad> list;
  for (auto& [body, load] : found)
    list.push_back({.body = body, .linear = load.linear, .angular = restoring_part(load.angular)});
  return list;
}

JointError HeldJoints::error(const State& state) const
{
  JointError worst;
  for (const Joint& joint : world_->joints())
    widen(worst, joint_error(joint_rows(*world_, state, joint)));
  return worst;
}

std::vector<char> HeldJoints::lone_mechanisms(const State& start, double dt,
                                              std::span<const BodyPair> touching) const
{
  const World& world = *world_;
  const auto mechanism = [&](int body) {
    const int k = body < 0 ? -1 : world.place(body).component;
    return k < 0 ? -1 : world.mechanism(k);
  };
  std::vector<char> lone(world.components().size(), 0);
  State later = start;
  later.t += dt;
  for (const Joint& joint : world.joints())
    if (mechanism(joint.a.body) < 0 || mechanism(joint.b.body) < 0)
      lone[std::max(mechanism(joint.a.body), mechanism(joint.b.body))] = 1;
  for (const Joint& joint : world.joints()) {
    const JointEnd& still = mechanism(joint.a.body) < 0 ? joint.a : joint.b;
    if (mechanism(still.body) >= 0) continue;
    const JointFrame before = frame_of(world, start, still), after = frame_of(world, later, still);
    if (before.at != after.at || before.axes != after.axes)
      lone[std::max(mechanism(joint.a.body), mechanism(joint.b.body))] = 0;
  }
  for (std::size_t k = 0; k < lone.size(); ++k) {
    const Component& own = world.components()[k];
    const bool left_alone =
        own.springs.empty() && own.pins.empty() &&
        std::ranges::all_of(own.bodies, [&](int i) { return world.body(i).is_isolated(); });
    if (world.mechanism(static_cast<int>(k)) >= 0 && !left_alone)
      lone[world.mechanism(static_cast<int>(k))] = 0;
  }
  for (const BodyPair& pair : touching)
    for (const int body : pair)
      if (mechanism(body) >= 0) lone[mechanism(body)] = 0;
  return lone;
}

std::vector<JointReaction> HeldJoints::reactions(const VectorXd& beta) const
{
  std::vector<JointReaction> found;
  Eigen::Index r = 0;
  for (const JointRows& rows : rows_) {
    JointReaction sum{.point = rows.rows[0].point};
    for (const JointRow& row : rows) {
      const double impulse = beta[r++];
      sum.force += impulse * row.force;
      sum.torque += impulse * (row.torque + (row.point - sum.point).cross(row.force));
    }
    found.push_back(sum);
  }
  return found;
}

}  // namespace tact
