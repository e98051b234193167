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

void HeldJoints::begin(const State& start, const State& expected, double dt,
                       ContactProblem& problem, VectorXd& beta)
{
  problem.bilateral.clear();
  problem.bilateral_blocks.clear();
  rows_.clear();
  start_ = start;
  opened_ = {};
  for (const Joint& joint : world_->joints()) {
    rows_.push_back(joint_rows(*world_, start, joint));
    widen(opened_, joint_error(rows_.back()));
    for (const JointRow& row : rows_.back()) append(joint, row, start, problem);
  }
  equations_ = static_cast<int>(problem.bilateral.size());
  const auto known = std::min(forces_.size(), static_cast<std::size_t>(equations_));
  motions_.begin(start, expected, dt, std::span(forces_).subspan(known));
  beta.setZero(equations_);
  for (const HeldMotions::Row& row : motions_.rows()) {
    append(row, problem, beta);
    const std::size_t slot = force_slot(row);
    const BilateralRow& own = problem.bilateral.back();
    const double last = slot < forces_.size() ? dt * forces_[slot] : 0.0;
    beta[beta.size() - 1] = std::clamp(last, own.lower, own.upper);
  }
  choose_tight(problem, beta);
}

void HeldJoints::append(const HeldMotions::Row& row, ContactProblem& problem, VectorXd& beta) const
{
  append(world_->joints()[row.joint], row.at_start, start_, problem);
  motions_.limit(row, problem.bilateral.back());
  beta.conservativeResize(beta.size() + 1);
  beta[beta.size() - 1] =
      std::clamp(0.0, problem.bilateral.back().lower, problem.bilateral.back().upper);
}

bool HeldJoints::admit(const State& end, double dt, ContactProblem& problem, VectorXd& beta)
{
  const int count = motions_.admit(end);
  for (const HeldMotions::Row& row : motions_.rows().last(static_cast<std::size_t>(count))) {
    append(row, problem, beta);
    problem.bilateral.back().bias = row.at_start.value / dt;
    tight_.push_back(0);
  }
  return count > 0;
}

void HeldJoints::choose_tight(const ContactProblem& problem, const VectorXd& beta)
{
  tight_.clear();
  for (const BilateralRow& row : problem.bilateral) {
    const double impulse = beta[static_cast<Eigen::Index>(tight_.size())];
    tight_.push_back(!row.limited() || (row.lower < impulse && impulse < row.upper) ? 1 : 0);
  }
}

bool HeldJoints::change_tight(double dt, const ContactProblem& problem, VectorXd& beta)
{
  constexpr double rounding = 1e-10;  // of an impulse
  constexpr double passed = 1e-12;    // m, rad
  bool changed = false;
  for (std::size_t r = static_cast<std::size_t>(equations_); r < problem.bilateral.size(); ++r) {
    const BilateralRow& row = problem.bilateral[r];
    if (!row.limited() || row.lower == row.upper) continue;
    double& impulse = beta[static_cast<Eigen::Index>(r)];
    const double w = -missing_[static_cast<Eigen::Index>(r)];
    const double slack = rounding * std::abs(impulse);
    if (tight_[r] != 0 && (impulse < row.lower - slack || impulse > row.upper + slack)) {
      tight_[r] = 0;
      impulse = std::clamp(impulse, row.lower, row.upper);
      changed = true;
    } else if (tight_[r] == 0 && dt * (impulse <= row.lower ? -w : w) > passed) {
      tight_[r] = 1;
      changed = true;
    }
  }
  return changed;
}

void HeldJoints::let_go(const ContactProblem& problem, VectorXd& beta)
{
  for (std::size_t r = static_cast<std::size_t>(equations_); r < problem.bilateral.size(); ++r) {
    const BilateralRow& row = problem.bilateral[r];
    if (!row.limited()) continue;
    beta[static_cast<Eigen::Index>(r)] = std::clamp(0.0, row.lower, row.upper);
    tight_[r] = 0;
  }
}

void HeldJoints::add_pushes(const ContactProblem& problem, const VectorXd& beta,
                            VectorXd& impulse) const
{
  for (std::size_t r = static_cast<std::size_t>(equations_); r < problem.bilateral.size(); ++r) {
    if (tight_[r] != 0) continue;
    const BilateralRow& row = problem.bilateral[r];
    for (int b = row.first; b < row.first + row.count; ++b) {
      const BilateralBlock& block = problem.bilateral_blocks[b];
      impulse.segment<3>(3 * block.node) +=
          beta[static_cast<Eigen::Index>(r)] * block.J.transpose();
    }
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
  for (const HeldMotions::Row& motion : motions_.rows()) {
    const JointRow row = motions_.row_at(motion, end);
    if (tight_[static_cast<std::size_t>(r)] != 0)
      (row.turns ? worst.angle : worst.length) =
          std::max(row.turns ? worst.angle : worst.length, std::abs(row.value));
    missing_[r++] = -row.value / dt;
    differentiate(world_->joints()[motion.joint], row, end, v, dt);
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
    const bool asked = missing == Missing::asked_for || r >= equations_;
    row.bias = -moved - (asked ? missing_[r] : 0.0);
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
  for (; own != problem.bilateral.end(); ++own) own->bias = 0.0;
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
std::vector<JointLoad> HeldJoints::loads(const State& start) const
{
  if (forces_.empty()) return {};
  std::map<int, JointLoad> found;
  std::size_t first = 0;
  for (int j = 0; j < static_cast<int>(world_->joints().size()); ++j) {
    const Joint& joint = world_->joints()[j];
    const JointRows rows = joint_rows(*world_, start, joint);
    const Vector3d force = force_of(start, j, rows, first);  // on b
    first += static_cast<std::size_t>(rows.count);
    const bool slides = joint.kind == JointKind::slider || joint.kind == JointKind::cylinder;
    const auto add = [&](const JointEnd& end, const Vector3d& push) {
      if (end.body < 0 || world_->body(end.body).node_count() == 0) return;
      const Vector3d at = frame_of(*world_, start, end).at;
      const Vector3d arm = at - world_->body(end.body).centre_of_mass(world_->q(start, end.body));
      JointLoad& load = found[end.body];
      const double length = arm.squaredNorm();
      if (length > 0.0)
        load.angular += push.dot(arm) * (Matrix3d::Identity() - arm * arm.transpose() / length);
      if (joint.kind != JointKind::distance || force.isZero(0.0)) return;
      const Vector3d along = motion_of(start, joint).force;
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

JointRow HeldJoints::motion_of(const State& state, const Joint& joint) const
{
  return motion_row(joint.kind, frame_of(*world_, state, joint.a),
                    frame_of(*world_, state, joint.b), joint.length);
}

// N: what a joint did to its side b in the last step, along the lines that it has now.
Vector3d HeldJoints::force_of(const State& start, int joint, const JointRows& rows,
                              std::size_t first) const
{
  Vector3d force = Vector3d::Zero();
  for (const JointRow& row : rows) force += forces_[first++] * row.force;
  const Joint& own = world_->joints()[joint];
  if (!own.motion.acts()) return force;
  double along = 0.0;
  const std::size_t own_slots =
      static_cast<std::size_t>(equations_) + static_cast<std::size_t>(HeldMotions::kinds * joint);
  for (int k = 0; k < HeldMotions::kinds; ++k) along += forces_[own_slots + k];
  return force + along * motion_of(start, own).force;
}

JointError HeldJoints::error(const State& state) const
{
  JointError worst;
  for (int j = 0; j < static_cast<int>(world_->joints().size()); ++j) {
    const Joint& joint = world_->joints()[j];
    widen(worst, joint_error(joint_rows(*world_, state, joint)));
    const double beyond = motions_.beyond(j, state);
    widen(worst, joint.kind == JointKind::hinge ? JointError{.angle = beyond}
                                                : JointError{.length = beyond});
  }
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
  for (std::size_t k = 0; k < lone.size(); ++k)
    if (world.has_motor(static_cast<int>(k)))
      lone[static_cast<std::size_t>(world.mechanism(static_cast<int>(k)))] = 0;
  for (const BodyPair& pair : touching)
    for (const int body : pair)
      if (mechanism(body) >= 0) lone[mechanism(body)] = 0;
  return lone;
}

std::vector<JointReaction> HeldJoints::reactions(const VectorXd& beta) const
{
  std::vector<JointReaction> found;
  Eigen::Index r = 0;
  const auto add = [](JointReaction& sum, const JointRow& row, double impulse) {
    sum.force += impulse * row.force;
    sum.torque += impulse * (row.torque + (row.point - sum.point).cross(row.force));
  };
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    const JointRows& rows = rows_[j];
    const Vector3d point =
        rows.count > 0 ? rows.rows[0].point : motion_of(start_, world_->joints()[j]).point;
    JointReaction& sum = found.emplace_back(JointReaction{.point = point});
    for (const JointRow& row : rows) add(sum, row, beta[r++]);
  }
  for (const HeldMotions::Row& row : motions_.rows()) {
    JointReaction& sum = found[static_cast<std::size_t>(row.joint)];
    const double impulse = beta[r++];
    add(sum, row.at_start, impulse);
    const bool motor = row.kind == HeldMotions::Kind::motor;
    const bool friction = row.kind == HeldMotions::Kind::friction;
    (motor ? sum.motor : friction ? sum.friction : sum.limit) += impulse;
  }
  return found;
}

// An impulse gives a body the energy of its mean velocity in the step.
std::vector<double> HeldJoints::motor_work(const ContactProblem& problem, const VectorXd& beta,
                                           const VectorXd& v0, const VectorXd& v1) const
{
  std::vector<double> work;
  Eigen::Index r = equations_;
  for (const HeldMotions::Row& row : motions_.rows()) {
    const double impulse = beta[r];
    const BilateralRow& own = problem.bilateral[static_cast<std::size_t>(r++)];
    if (row.kind != HeldMotions::Kind::motor) continue;
    if (work.empty()) work.assign(world_->components().size(), 0.0);
    const double rate =
        0.5 * (bilateral_velocity(problem, own, v0) + bilateral_velocity(problem, own, v1)) -
        own.bias;
    const Joint& joint = world_->joints()[row.joint];
    const auto component = [&](const JointEnd& end) {
      return end.body < 0 ? -1 : world_->place(end.body).component;
    };
    const int a = component(joint.a), b = component(joint.b);
    work[static_cast<std::size_t>(b >= 0 ? b : a)] += impulse * rate;
  }
  return work;
}

std::size_t HeldJoints::force_slot(const HeldMotions::Row& row) const
{
  return static_cast<std::size_t>(equations_) +
         static_cast<std::size_t>(HeldMotions::kinds * row.joint) + static_cast<int>(row.kind);
}

void HeldJoints::keep(const State& end, const VectorXd& beta, double dt)
{
  const std::size_t slots = world_->joints().size() * HeldMotions::kinds;
  forces_.assign(static_cast<std::size_t>(equations_) + slots, 0.0);
  for (int r = 0; r < equations_; ++r) forces_[static_cast<std::size_t>(r)] = beta[r] / dt;
  Eigen::Index r = equations_;
  for (const HeldMotions::Row& row : motions_.rows()) forces_[force_slot(row)] = beta[r++] / dt;
  motions_.keep(end);
}

// Places of motions stand behind the forces.
std::vector<double> HeldJoints::memory() const
{
  std::vector<double> all = forces_;
  const std::vector<double> places = motions_.memory();
  all.insert(all.end(), places.begin(), places.end());
  return all;
}

void HeldJoints::restore(const std::vector<double>& memory)
{
  const std::size_t count = std::min(memory.size(), world_->joints().size());
  const auto places = memory.end() - static_cast<std::ptrdiff_t>(count);
  forces_.assign(memory.begin(), places);
  if (count > 0) motions_.restore({places, memory.end()});
  equations_ = static_cast<int>(forces_.size() - HeldMotions::kinds * count);
  if (forces_.empty()) equations_ = 0;
}

}  // namespace tact
