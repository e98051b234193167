#include <tact/solvers/coupling/body_newton.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <tact/contact/delassus.hpp>
#include <tact/core/stop.hpp>
#include <tact/linalg/parallel.hpp>
#include <tact/solvers/coupling/held_lanes.hpp>

namespace tact {
namespace {

constexpr int most_newton_bodies = 64;    // K is dense
constexpr int most_rigid_contacts = 200;  // and so is what they do to each other
constexpr int contacts_a_piece = 2048;
constexpr int most_pieces = 16;
constexpr int most_split_bodies = 16;  // each piece has a K of its own
constexpr int most_halvings = 3;
constexpr double expected_gain = 0.25;  // of the step's length, by which |K^-1 F| must fall
constexpr int most_rigid_sweeps = 400;
constexpr double rigid_accuracy = 1e-3;  // of the tolerance: changes of velocity in a sweep

Vector3d arm_of(const CompactBody& body)
{
  return {body.arm[0], body.arm[1], body.arm[2]};
}

// What the nodes of a contact add to its response.
Matrix3d nodal_response(const CompactRows& rows, int c, const Matrix3d& frame)
{
  Matrix3d sum = Matrix3d::Zero();
  for (int i = rows.contacts[c].first_node; i < rows.contacts[c + 1].first_node; ++i) {
    const double weight = rows.node_weights[i];
    sum += weight * weight * full_response(rows.node_responses[rows.node_slots[i]]);
  }
  return frame * sum * frame.transpose();
}

// q + J z, z six entries a body.
Vector3d velocity_of_bodies(const CompactRows& rows, int c, const Matrix3d& frame,
                            const VectorXd& z)
{
  Vector3d apart = Vector3d::Zero();
  for (int b = rows.contacts[c].first_body; b < rows.contacts[c + 1].first_body; ++b) {
    const double* x = z.data() + 6 * rows.body_slots[b];
    const Eigen::Map<const Vector3d> v(x), omega(x + 3);
    apart += rows.bodies[b].weight * (v + omega.cross(arm_of(rows.bodies[b])));
  }
  return rows.q[c] + frame * apart;
}

void add_force(const CompactRows& rows, int c, const Matrix3d& frame, const Vector3d& lambda,
               VectorXd& force)
{
  const Vector3d f = frame.transpose() * lambda;
  for (int b = rows.contacts[c].first_body; b < rows.contacts[c + 1].first_body; ++b) {
    const CompactBody& body = rows.bodies[b];
    const Vector3d share = double{body.weight} * f;
    force.segment<3>(6 * rows.body_slots[b]) += share;
    force.segment<3>(6 * rows.body_slots[b] + 3) += arm_of(body).cross(share);
  }
}

// K^-1 J_r' of rigid contacts moves the bodies' velocities z.
struct RigidDelassus {
  const CompactRows& rows;
  int first;
  const std::vector<Matrix3d>& frames;
  const std::vector<OwnResponse>& own;
  const std::vector<VectorXd>& columns;  // three a contact
  VectorXd& z;
  double changed = 0.0;  // m/s

  Vector3d velocity(int k) const { return velocity_of_bodies(rows, first + k, frames[k], z); }
  void push(int k, const Vector3d& change)
  {
    for (int i = 0; i < 3; ++i) z += change[i] * columns[3 * k + i];
    changed = std::max(changed, (own[k].w * change).norm());
  }
};

}  // namespace

bool BodyNewton::applies(const CoupledProblem& problem)
{
  int rigid = 0;
  for (const CoupledContact& contact : problem.contacts) {
    if (!(contact.W(0, 0) > 0.0)) return false;
    if (contact.set() == ConstraintSet::rigid) ++rigid;
    if (contact.set() != ConstraintSet::rigid && !(contact.nodal(0, 0) > 0.0)) return false;
  }
  return problem.body_count() > 0 && problem.body_count() <= most_newton_bodies &&
         rigid <= most_rigid_contacts &&
         std::all_of(problem.nodes.begin(), problem.nodes.end(),
                     [](const CoupledNode& node) { return node.contacts == 1; });
}

void BodyNewton::load(const CoupledProblem& problem)
{
  const int size = 6 * problem.body_count();
  mass_.clear();
  inverse_.clear();
  for (const CoupledBody& body : problem.bodies) {
    mass_.push_back(body.mass);
    inverse_.push_back(body.inverse);
  }
  reach_.assign(problem.body_count(), 0.0);
  for (const BodySupport& support : problem.body_supports) {
    reach_[support.body] = std::max(reach_[support.body], support.arm.norm());
  }
  first_rigid_ = problem.size();
  while (first_rigid_ > 0 && problem.contacts[first_rigid_ - 1].set() == ConstraintSet::rigid) {
    --first_rigid_;
  }
  const int wanted = std::clamp(first_rigid_ / contacts_a_piece, 1, most_pieces);
  const int count = problem.body_count() <= most_split_bodies ? wanted : 1;
  pieces_.resize(count);
  for (int k = 0; k < count; ++k) {
    pieces_[k].contacts = {static_cast<int>(static_cast<long>(k) * first_rigid_ / count),
                           static_cast<int>((k + 1L) * first_rigid_ / count)};
    pieces_[k].K.resize(size, size);
    pieces_[k].force.resize(size);
  }
  K_.resize(size, size);
  for (VectorXd* vector : {&z_, &trial_, &step_, &F_, &start_}) vector->resize(size);
  rigid_lambda_.resize(3 * (problem.size() - first_rigid_));
  columns_.assign(rigid_lambda_.size(), VectorXd::Zero(size));
}

int BodyNewton::solve(const CompactRows& rows, double tolerance, int max_sweeps, VectorXd& lambda,
                      const VectorXd& w)
{
  z_ = w.head(z_.size());
  int sweeps = 1;
  hold(rows, z_, lambda);
  reached_ = false;
  bool full_step = rigid_lambda_.size() == 0;  // before it rigid contacts are not in balance
  while (!(reached_ = full_step && mismatch() <= tolerance) && sweeps < max_sweeps) {
    end_if_stopped();
    if (!find_step(rows, tolerance, lambda)) break;
    const double before = mass_norm(step_);
    double length = 1.0;
    for (int halvings = 0;; ++halvings, length *= 0.5) {
      trial_ = z_ + length * step_;
      lambda.tail(rigid_lambda_.size()) =
          old_rigid_lambda_ + length * (rigid_lambda_ - old_rigid_lambda_);
      hold(rows, trial_, lambda);
      ++sweeps;
      VectorXd left = F_;
      factor_.solve(left.data());
      const bool good = mass_norm(left) <= (1.0 - expected_gain * length) * before;
      if (good || halvings == most_halvings || sweeps >= max_sweeps) break;
    }
    full_step = length == 1.0 && rigid_settled_;
    z_ = trial_;
  }
  return sweeps;
}

// The impulses of rigid contacts are those in lambda.
void BodyNewton::hold(const CompactRows& rows, const VectorXd& z, VectorXd& lambda)
{
  for_pieces(pieces_, [&](Piece& piece) { hold_piece(rows, z, lambda.data(), piece); });
  K_.setZero();
  F_.setZero();
  for (std::size_t b = 0; b < mass_.size(); ++b) {
    const auto at = 6 * static_cast<Eigen::Index>(b);
    K_.block<6, 6>(at, at) = mass_[b];
  }
  for (const Piece& piece : pieces_) {
    K_ += piece.K;
    F_ -= piece.force;
  }
  VectorXd& rigid_force = start_;  // free until a step is asked for
  rigid_force.setZero();
  for (int c = first_rigid_; c < rows.size(); ++c) {
    add_force(rows, c, frame_of(rows.contacts[c]), lambda.segment<3>(3 * c), rigid_force);
  }
  F_ -= rigid_force;
  for (std::size_t b = 0; b < mass_.size(); ++b) {
    const auto at = 6 * static_cast<Eigen::Index>(b);
    F_.segment<6>(at) += mass_[b] * z.segment<6>(at);
  }
}

void BodyNewton::hold_piece(const CompactRows& rows, const VectorXd& z, double* lambda,
                            Piece& piece) const
{
  piece.K.setZero();
  piece.force.setZero();
  const auto [first, last] = piece.contacts;
  auto run = std::partition_point(rows.runs.begin(), rows.runs.end(), [&](const ContactRun& of) {
    return of.last <= piece.contacts.first;
  });
  for (int c = first; c < last; ++run) {
    const int end = std::min(last, run->last);
    if (use_lanes && run->slot >= 0) {
      const int at = 6 * run->slot;
      HeldLanes lanes(z.data() + at);
      for (; c + HeldLanes::contacts <= end; c += HeldLanes::contacts) lanes.add(rows, c, lambda);
      lanes.give(piece.force.segment<6>(at), piece.K.block<6, 6>(at, at));
    }
    for (; c < end; ++c) hold_contact(rows, c, z, lambda, piece);
  }
}

void BodyNewton::hold_contact(const CompactRows& rows, int c, const VectorXd& z, double* lambda,
                              Piece& piece)
{
  const CompactContact& contact = rows.contacts[c];
  Eigen::Map<Vector3d> lambda_c(lambda + 3 * c);
  const Matrix3d frame = frame_of(contact);
  const Vector3d u_0 = velocity_of_bodies(rows, c, frame, z);
  if (u_0[0] >= 0.0) {  // nothing presses
    lambda_c.setZero();
    return;
  }
  const Matrix3d S = nodal_response(rows, c, frame);
  const OwnResponse own(S);
  lambda_c = solve_locally(u_0, own, lambda_c, rows.mu(c), rows.law);
  const Vector3d u = u_0 + S * lambda_c;
  const Matrix3d H = differentiate_locally(u, S, own.steps(), lambda_c, rows.mu(c), rows.law).H;
  add_force(rows, c, frame, lambda_c, piece.force);
  for (int b = contact.first_body; b < rows.contacts[c + 1].first_body; ++b) {
    const Eigen::Matrix<double, 6, 3> JH = rows_of(rows.bodies[b], frame).transpose() * H;
    for (int e = contact.first_body; e < rows.contacts[c + 1].first_body; ++e) {
      piece.K.block<6, 6>(6 * rows.body_slots[b], 6 * rows.body_slots[e]) +=
          JH * rows_of(rows.bodies[e], frame);
    }
  }
}

// step := -K^-1 F with the impulses of rigid contacts as they are after it.
bool BodyNewton::find_step(const CompactRows& rows, double tolerance, const VectorXd& lambda)
{
  const int size = static_cast<int>(z_.size());
  factor_.begin(size);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) factor_(i, j) = K_(i, j);
  }
  if (!factor_.factor()) return false;
  step_ = -F_;
  factor_.solve(step_.data());
  old_rigid_lambda_ = rigid_lambda_ = lambda.tail(rigid_lambda_.size());
  rigid_settled_ = true;
  if (rigid_lambda_.size() > 0) relax_rigid(rows, rigid_accuracy * tolerance);
  return step_.allFinite();
}

// Gauss-Seidel on the rigid contacts: their impulses move z by K^-1 J_r'.
void BodyNewton::relax_rigid(const CompactRows& rows, double accuracy)
{
  const int count = rows.size() - first_rigid_;
  std::vector<Matrix3d> frames(count);
  std::vector<OwnResponse> responses(count);
  start_ = z_ + step_;
  for (int k = 0; k < count; ++k) {
    const int c = first_rigid_ + k;
    frames[k] = frame_of(rows.contacts[c]);
    Matrix3d W;
    for (int i = 0; i < 3; ++i) {
      VectorXd& column = columns_[3 * k + i];
      column.setZero();
      add_force(rows, c, frames[k], Vector3d::Unit(i), column);
      factor_.solve(column.data());
      W.col(i) = velocity_of_bodies(rows, c, frames[k], column) - rows.q[c];
    }
    responses[k] = OwnResponse(W);
  }
  RigidDelassus W{rows, first_rigid_, frames, responses, columns_, start_};
  const auto law = [&](int k, const Vector3d& u, const Vector3d& lambda) {
    return relax(responses[k], {.mu = rows.mu(first_rigid_ + k)}, rows.law, u, lambda);
  };
  rigid_settled_ = false;
  for (int number = 0; number < most_rigid_sweeps && !rigid_settled_; ++number) {
    W.changed = 0.0;
    sweep<3>(W, ContactNumbers(0, count), law, rigid_lambda_.data());
    rigid_settled_ = W.changed <= accuracy;
  }
  step_ = start_ - z_;
}

// What the bodies' velocities would change by if they followed the impulses: M^-1 F.
double BodyNewton::mismatch() const
{
  double largest = 0.0;
  for (std::size_t b = 0; b < mass_.size(); ++b) {
    const Vector6d change = inverse_[b] * F_.segment<6>(6 * static_cast<Eigen::Index>(b));
    largest = std::max(largest, change.head<3>().norm() + reach_[b] * change.tail<3>().norm());
  }
  return largest;
}

double BodyNewton::mass_norm(const VectorXd& x) const
{
  double sum = 0.0;
  for (std::size_t b = 0; b < mass_.size(); ++b) {
    const auto x_b = x.segment<6>(6 * static_cast<Eigen::Index>(b));
    sum += x_b.dot(mass_[b] * x_b);
  }
  return std::sqrt(std::max(0.0, sum));
}

}  // namespace tact
