#include <tact/contact/rigid_contact_problem.hpp>

#include <cmath>
#include <string>

#include <fmt/core.h>
#include <Eigen/Cholesky>

#include <tact/core/error.hpp>

namespace tact {
namespace {

void check_block(const Matrix6d& block, int body)
{
  if (!block.allFinite())
    throw Error(fmt::format("contact problem: body {}: A is not finite", body));
  const double scale = block.cwiseAbs().maxCoeff();
  if ((block - block.transpose()).cwiseAbs().maxCoeff() > 1e-12 * scale) {
    throw Error(fmt::format("contact problem: body {}: A is not symmetric", body));
  }
  if (block.llt().info() != Eigen::Success) {
    throw Error(fmt::format(
        "contact problem: body {}: A is not positive definite; masses and inertias must be > 0",
        body));
  }
}

template <class Rows>
void check_bodies(const Rows& rows, const std::string& who, int bodies)
{
  const auto known = [bodies](int body) { return body >= 0 && body < bodies; };
  if (!known(rows.body_a)) {
    throw Error(fmt::format("{}: body_a is {}, expected 0 to {}", who, rows.body_a, bodies - 1));
  }
  if (rows.body_b != fixed_body && !known(rows.body_b)) {
    throw Error(fmt::format("{}: body_b is {}, expected -1 (the world) or 0 to {}", who,
                            rows.body_b, bodies - 1));
  }
  if (rows.body_a == rows.body_b) {
    throw Error(
        fmt::format("{}: both bodies are {}; a rigid body cannot touch itself", who, rows.body_a));
  }
  if (!rows.J_a.allFinite() || !rows.J_b.allFinite()) {
    throw Error(fmt::format("{}: J is not finite", who));
  }
}

void check_contact(const RigidContactRows& contact, int index, int bodies)
{
  const std::string who = fmt::format("contact problem: contact {}", index);
  check_bodies(contact, who, bodies);
  if (!contact.bias.allFinite()) throw Error(who + ": bias is not finite");
  if (!(contact.mu >= 0.0) || !std::isfinite(contact.mu)) {
    throw Error(fmt::format("{}: mu is {}, expected a number >= 0", who, contact.mu));
  }
  if (!(contact.restitution >= 0.0 && contact.restitution <= 1.0)) {
    throw Error(fmt::format("{}: restitution is {}, expected 0 to 1", who, contact.restitution));
  }
  if (!std::isfinite(contact.approach)) throw Error(who + ": approach is not finite");
}

}  // namespace

void validate(const RigidContactProblem& problem)
{
  const int bodies = problem.bodies();
  if (problem.v_star.size() != 6 * bodies) {
    throw Error(fmt::format("contact problem: v_star has {} entries, expected {} (6 a body)",
                            problem.v_star.size(), 6 * bodies));
  }
  if (!problem.v_star.allFinite()) throw Error("contact problem: v_star is not finite");
  for (int b = 0; b < bodies; ++b) check_block(problem.A[b], b);
  int index = 0;
  for (const RigidContactRows& contact : problem.contacts) check_contact(contact, index++, bodies);
  index = 0;
  for (const BilateralRow& row : problem.bilateral) {
    const std::string who = fmt::format("contact problem: bilateral row {}", index++);
    check_bodies(row, who, bodies);
    if (!std::isfinite(row.bias)) throw Error(who + ": bias is not finite");
  }
}

VectorXd contact_velocities(const RigidContactProblem& problem, const VectorXd& v)
{
  VectorXd u(3 * problem.size());
  int row = 0;
  for (const RigidContactRows& contact : problem.contacts) {
    auto u_c = u.segment<3>(row);
    u_c = contact.effective_bias() + contact.J_a * v.segment<6>(6 * contact.body_a);
    if (contact.body_b != fixed_body) u_c += contact.J_b * v.segment<6>(6 * contact.body_b);
    row += 3;
  }
  return u;
}

VectorXd generalised_impulse(const RigidContactProblem& problem,
                             const RigidContactSolution& solution)
{
  VectorXd impulse = VectorXd::Zero(6 * problem.bodies());
  int row = 0;
  for (const RigidContactRows& contact : problem.contacts) {
    const Vector3d lambda = solution.lambda.segment<3>(row);
    impulse.segment<6>(6 * contact.body_a) += contact.J_a.transpose() * lambda;
    if (contact.body_b != fixed_body) {
      impulse.segment<6>(6 * contact.body_b) += contact.J_b.transpose() * lambda;
    }
    row += 3;
  }
  row = 0;
  for (const BilateralRow& bilateral : problem.bilateral) {
    const double beta = solution.beta[row++];
    impulse.segment<6>(6 * bilateral.body_a) += bilateral.J_a.transpose() * beta;
    if (bilateral.body_b != fixed_body) {
      impulse.segment<6>(6 * bilateral.body_b) += bilateral.J_b.transpose() * beta;
    }
  }
  return impulse;
}

}  // namespace tact
