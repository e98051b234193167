#include <tact/sim/row_bend.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <tact/sim/normal_cones.hpp>

namespace tact {
namespace {

// A normal that turns by more is not that of the same contact any more.
constexpr double least_cosine = 0.8;
// Cosine: along arcs and on lines a face has turned alike to 2e-3 in half a radian.
constexpr double same_normal = 1.0 - 1e-5;
// Of the target: below this a row is not bent along its normal. Else energy would grow by
// (omega dt / 2)^2 where bodies rest on each other.
constexpr double dead_zone = 0.1;

// How much of a change is worth another solve: well above what the solver leaves, and no more than
// what shows. What is held at less than solves may err by has nothing to spare: rigid bodies are
// solved far better than that.
double worth_solving(const BendOptions& options, double target)
{
  const double shows = 0.05 * options.delta / options.dt;
  const double enough =
      std::max(2.0 * options.tolerance, std::min(20.0 * options.tolerance, shows));
  return std::min(enough, 0.25 * target / options.dt);
}

// The normal that a vertex and a face, or two edges, define; zero for other features.
Vector3d normal_of_features(const ContactKey& key, const SurfaceMotion& x)
{
  const auto& v = key.vertices;
  if (v[3] < 0) return Vector3d::Zero();
  const bool face = key.first_side == 1;
  const Vector3d p = face ? x(v[2]) - x(v[1]) : x(v[1]) - x(v[0]);
  const Vector3d q = face ? x(v[3]) - x(v[1]) : x(v[3]) - x(v[2]);
  return p.cross(q).normalized();
}

// Along the normal that the features have at the end, where the contact's was that of its features.
double gap_at_end(const KeyedContact& contact, const SolvedMotion& motion)
{
  const Vector3d at_end = apart(contact.key, contact.weights, motion.x1);
  const Vector3d taken = normal_of_features(contact.key, {motion.x0, motion.x1, contact.time});
  const double side = taken.dot(contact.normal);
  if (std::abs(side) < same_normal) return contact.normal.dot(at_end);
  const Vector3d turned = normal_of_features(contact.key, {motion.x0, motion.x1, 1.0});
  const double cosine = std::copysign(1.0, side) * turned.dot(contact.normal);
  if (cosine < least_cosine) return contact.normal.dot(at_end);
  return std::copysign(1.0, side) * turned.dot(at_end);
}

// By springs, pins or joints, with others in between or not.
bool are_joined(const World& world, int body_a, int body_b)
{
  const int a = world.place(body_a).component, b = world.place(body_b).component;
  if (a < 0 || b < 0) return a == b;
  return a == b || (world.mechanism(a) >= 0 && world.mechanism(a) == world.mechanism(b));
}

// Of one row: what it believes that its points do, along its frame, m/s.
struct RowBelief {
  Vector3d linear;
  bool joined = false;   // a pin holds the two bodies together
  bool grouped = false;  // sides of corners are chosen between the two, and say where planes end
};

class RowBender {
 public:
  RowBender(const SolvedMotion& motion, double dt, EndRoom& room)
      : motion_(motion), dt_(dt), room_(&room)
  {
  }

  // The bias of the row.
  Vector3d bias(ContactRecord& record, ContactRows& rows, const RowBelief& belief)
  {
    const auto& [key, weights, normal, distance, time] = record.contact;
    const Vector3d way = apart(key, weights, motion_.x1) - apart(key, weights, motion_.x0);
    Vector3d bend = record.frame.transpose() * way / dt_ - belief.linear;
    const bool left = is_left(key, {motion_.x0, motion_.x1});
    if (bounces(rows) && left && !belief.grouped && room_rate(record) + record.rate >= 0.0) {
      rows.restitution = rows.approach = 0.0;  // it passes, and hits nothing
      record.base_bias[0] += record.rate;
    }
    if (bounces(rows))
      bend[0] = 0.0;
    else
      bend[0] = left ? bend_of_left(record, bend[0], belief) : bend_along_normal(record, belief);
    if (rows.mu == 0.0) bend.tail<2>().setZero();
    return record.base_bias + bend;
  }

 private:
  static bool bounces(const ContactRows& rows)
  {
    return rows.restitution > 0.0 && rows.approach < 0.0;
  }

  bool in_dead_zone(const ContactRecord& record, double bend) const
  {
    return std::abs(bend) * dt_ < dead_zone * record.target;
  }

  // m/s: at which the gap would become what the features have at the end.
  double room_rate(const ContactRecord& record)
  {
    return (room_->of(record.contact.key) - record.gap) / dt_;
  }

  double bend_along_normal(const ContactRecord& record, const RowBelief& belief) const
  {
    const double bend = (gap_at_end(record.contact, motion_) - record.gap) / dt_ - belief.linear[0];
    return in_dead_zone(record, bend) || (belief.joined && bend < 0.0) ? 0.0 : bend;
  }

  // Beyond its features a pair's turned plane says nothing, and must not ask for more.
  double bend_of_left(const ContactRecord& record, double bend, const RowBelief& belief)
  {
    if (bend < 0.0 || in_dead_zone(record, bend)) bend = 0.0;
    const double asked = record.base_bias[0] - record.known[0];
    if (belief.grouped || belief.linear[0] + asked + bend >= 0.0) return bend;
    const double rate = room_rate(record) - belief.linear[0];
    if (rate > bend) room_->let_go(record.body_a, record.body_b);
    return std::max(bend, rate);
  }

  SolvedMotion motion_;
  double dt_;
  EndRoom* room_;
};

}  // namespace

bool bend_rows(const World& world, std::span<ContactRecord> records, const SolvedMotion& motion,
               const BendOptions& options, EndRoom& room, ContactProblem& problem)
{
  const auto deforms = [&](int body) { return world.body(body).deforms(); };
  const ContactSolution& solution = *motion.solution;
  RowBender bender(motion, options.dt, room);
  bool solve_again = false;
  for (int c = 0; c < problem.size(); ++c) {
    ContactRecord& record = records[c];
    if (deforms(record.body_a) || deforms(record.body_b)) continue;
    const double enough = worth_solving(options, record.target);
    ContactRows& rows = problem.contacts[c];
    Vector3d moved = Vector3d::Zero();  // J v
    for (int k = 0; k < rows.count; ++k) {
      const RowBlock& block = problem.blocks[rows.first + k];
      moved += block.J * solution.v.segment<3>(3 * block.node);
    }
    const Vector3d before = rows.bias;
    const bool joined = are_joined(world, record.body_a, record.body_b);
    const bool grouped =
        options.corners != nullptr && options.corners->between(record.body_a, record.body_b);
    rows.bias = bender.bias(record, rows, {moved + record.known, joined, grouped});
    const Vector3d change = rows.bias - before;
    const bool pushes = 3 * c < solution.lambda.size() && solution.lambda[3 * c] > 0.0;
    const bool crossed = moved[0] + rows.bias[0] < -enough && change[0] < -enough;
    solve_again = solve_again || crossed || (pushes && change.norm() > enough);
  }
  return solve_again;
}

}  // namespace tact
