#include <tact/sim/row_bend.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <tact/sim/normal_cones.hpp>

namespace tact {
namespace {

// A normal that turns by more is not that of the same contact any more.
constexpr double least_cosine = 0.8;
constexpr double same_normal = 1.0 - 1e-6;  // cosine
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

Vector3d bend_of(const ContactRecord& record, const ContactRows& rows, const Vector3d& linear,
                 const SolvedMotion& motion, double dt, bool joined)
{
  const KeyedContact& contact = record.contact;
  const Vector3d way = apart(contact.key, contact.weights, motion.x1) -
                       apart(contact.key, contact.weights, motion.x0);
  Vector3d bend = record.frame.transpose() * way / dt - linear;
  // Beyond its features a pair's turned plane says nothing, and must not ask for more; nor may it
  // where a joint would have to give.
  const bool left = is_left(contact.key, {motion.x0, motion.x1});
  if (!left) bend[0] = (gap_at_end(contact, motion) - record.gap) / dt - linear[0];
  if (left || joined) bend[0] = std::max(0.0, bend[0]);
  const bool bounces = rows.restitution > 0.0 && rows.approach < 0.0;
  if (bounces || std::abs(bend[0]) * dt < dead_zone * record.target) bend[0] = 0.0;
  if (rows.mu == 0.0) bend.tail<2>().setZero();
  return bend;
}

}  // namespace

bool bend_rows(const World& world, std::span<const ContactRecord> records,
               const SolvedMotion& motion, const BendOptions& options, ContactProblem& problem)
{
  const auto deforms = [&](int body) { return world.body(body).deforms(); };
  const ContactSolution& solution = *motion.solution;
  bool solve_again = false;
  for (int c = 0; c < problem.size(); ++c) {
    const ContactRecord& record = records[c];
    if (deforms(record.body_a) || deforms(record.body_b)) continue;
    const double enough = worth_solving(options, record.target);
    ContactRows& rows = problem.contacts[c];
    Vector3d moved = Vector3d::Zero();  // J v
    for (int k = 0; k < rows.count; ++k) {
      const RowBlock& block = problem.blocks[rows.first + k];
      moved += block.J * solution.v.segment<3>(3 * block.node);
    }
    const Vector3d before = rows.bias;
    const bool joined =
        world.place(record.body_a).component == world.place(record.body_b).component;
    rows.bias =
        record.base_bias + bend_of(record, rows, moved + record.known, motion, options.dt, joined);
    const Vector3d change = rows.bias - before;
    const bool pushes = 3 * c < solution.lambda.size() && solution.lambda[3 * c] > 0.0;
    const bool crossed = moved[0] + rows.bias[0] < -enough && change[0] < -enough;
    solve_again = solve_again || crossed || (pushes && change.norm() > enough);
  }
  return solve_again;
}

}  // namespace tact
