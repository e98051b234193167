#include <tact/contact/judge.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <tact/contact/sides.hpp>
#include <tact/linalg/parallel.hpp>
#include <tact/linalg/row_chunks.hpp>

namespace tact {
namespace {

constexpr int components_per_chunk = 4096;  // lone nodes, most of them without contacts
constexpr double infinite = std::numeric_limits<double>::infinity();

double side_opening(const ContactProblem& problem, const ContactSolution& solution, int side)
{
  return contact_velocity(problem, problem.contacts[side], solution.v)[0];
}

// The largest opening of a side beside one that pushes, m/s.
double largest_overreach(const ContactProblem& problem, const ContactSolution& solution)
{
  double largest = 0.0;
  for (int g = 0; g < problem.groups.size(); ++g)
    for (const int pushing : problem.groups[g]) {
      if (!(solution.lambda[3 * pushing] > 0.0)) continue;
      for (const int side : problem.groups[g])
        if (side != pushing) largest = std::max(largest, side_opening(problem, solution, side));
    }
  return largest;
}

}  // namespace

bool is_answer(const ContactProblem& problem, const ContactSolution& solution)
{
  return solution.v.size() == problem.v_star.size() &&
         solution.lambda.size() == 3 * problem.size() &&
         solution.beta.size() == static_cast<Eigen::Index>(problem.bilateral.size()) &&
         solution.v.allFinite() && solution.lambda.allFinite() && solution.beta.allFinite();
}

Residuals infinite_residuals()
{
  return {.natural = infinite,
          .natural_max = infinite,
          .penetration = infinite,
          .momentum = infinite,
          .momentum_relative = infinite,
          .cone_violation = infinite,
          .bilateral = infinite,
          .rel_q = infinite,
          .rel_max = infinite};
}

SolveStatus judged(SolveStatus status, double residual, double tolerance)
{
  if (residual <= tolerance) return SolveStatus::converged;
  return status == SolveStatus::converged ? SolveStatus::stalled : status;
}

double bilateral_residual(const ContactProblem& problem, const ContactSolution& solution,
                          const DiagonalBlocks& D)
{
  double worst = 0.0;
  Eigen::Index r = 0;
  for (const BilateralRow& row : problem.bilateral) {
    const double map =
        row_natural_map(bilateral_velocity(problem, row, solution.v), solution.beta[r++], row.lower,
                        row.upper, response(problem, D, row));
    worst = std::max(worst, std::abs(map));
  }
  return worst;
}

std::vector<char> excused_sides(const ContactProblem& problem, const ContactSolution& solution)
{
  if (problem.groups.empty()) return {};
  std::vector<char> excused(problem.size(), 0);
  for (int g = 0; g < problem.groups.size(); ++g) {
    int widest = problem.groups[g].front();
    double opening = -infinite;
    for (const int side : problem.groups[g]) {
      excused[side] = solution.lambda.segment<3>(3 * side).isZero(0.0);
      const double open = side_opening(problem, solution, side);
      if (open > opening) widest = side;
      opening = std::max(opening, open);
    }
    excused[widest] = 0;
  }
  return excused;
}

void NaturalSum::add(const NaturalSum& other)
{
  squares += other.squares;
  worst = std::max(worst, other.worst);
  active += other.active;
}

double NaturalSum::rms() const
{
  return std::sqrt(squares / std::max(1, active));
}

double NaturalSum::norm() const
{
  return std::sqrt(squares);
}

void MomentumError::add(const DiagonalBlocks& D, int node, const double* r)
{
  const Eigen::Map<const Vector3d> entries(r);
  energy += entries.dot(D.solve(node, r)) / D.mass(node);
  if (D.partner(node) <= node) ++bodies;  // of a rigid body the second node counts
  if (D.turns(node)) return;
  sum += entries;
  mass += D.mass(node);
}

void MomentumError::add(const MomentumError& other)
{
  energy += other.energy;
  sum += other.sum;
  mass += other.mass;
  bodies += other.bodies;
}

void MomentumSum::add(const MomentumError& component)
{
  energy += component.energy;
  speed = std::max(speed, component.speed());
  bodies += component.bodies;
}

void MomentumSum::add(const MomentumSum& other)
{
  energy += other.energy;
  speed = std::max(speed, other.speed);
  bodies += other.bodies;
}

double MomentumSum::value() const
{
  return std::max(speed, std::sqrt(std::max(0.0, energy) / std::max(1, bodies)));
}

ResidualMeter::ContactSum ResidualMeter::sum_contacts(const ContactProblem& problem,
                                                      const ContactSolution& solution,
                                                      const DiagonalBlocks& D, FrictionLaw law,
                                                      int first, int last) const
{
  ContactSum sum;
  for (int c = first; c < last; ++c) {
    if (!excused_.empty() && excused_[c] != 0) continue;
    const ContactRows& contact = problem.contacts[c];
    const Vector3d u = contact_velocity(problem, contact, solution.v);
    const Vector3d lambda = solution.lambda.segment<3>(3 * c);
    if (lambda.isZero(0.0) && u[0] >= 0.0) continue;  // open: response() is not for nothing
    sum.natural.add(u, lambda, contact.mu, response(problem, D, contact), law);
    sum.penetration = std::max(sum.penetration, -u[0]);
    sum.cone_violation = std::max(sum.cone_violation, cone_violation<3>(lambda, contact.mu, law));
  }
  return sum;
}

void ResidualMeter::measure_contacts(const ContactProblem& problem, const ContactSolution& solution,
                                     const DiagonalBlocks& D, FrictionLaw law, Residuals& residuals)
{
  excused_ = excused_sides(problem, solution);
  contact_sums_.assign(problem.size() / contacts_per_chunk + 1, {});
  for_chunks(problem.size(), contacts_per_chunk, [&](int k, int first, int last) {
    contact_sums_[k] = sum_contacts(problem, solution, D, law, first, last);
  });
  NaturalSum all;
  for (const ContactSum& sum : contact_sums_) {
    all.add(sum.natural);
    residuals.penetration = std::max(residuals.penetration, sum.penetration);
    residuals.cone_violation = std::max(residuals.cone_violation, sum.cone_violation);
  }
  residuals.natural = all.rms();
  residuals.natural_max = all.worst;
  residuals.active = all.active;
  residuals.overreach = largest_overreach(problem, solution);
}

void ResidualMeter::find_touched(const ContactProblem& problem)
{
  first_node_.resize(problem.A.size() + 1);
  int node = 0;
  for (int k = 0; k < problem.components(); ++k) {
    first_node_[k] = node;
    node += problem.A[k].rows();
  }
  first_node_.back() = node;
  touched_.assign(problem.nodes(), 0);
  for (const ContactRows& contact : problem.contacts) {
    for (int b = contact.first; b < contact.first + contact.count; ++b) {
      touched_[problem.blocks[b].node] = 1;
    }
  }
  for (const BilateralBlock& block : problem.bilateral_blocks) touched_[block.node] = 1;
}

// Where nothing touches a component, and nothing moved it, nothing is left over.
ResidualMeter::ComponentSum ResidualMeter::sum_components(const ContactProblem& problem,
                                                          const ContactSolution& solution,
                                                          const DiagonalBlocks& D, int first,
                                                          int last)
{
  ComponentSum sum;
  for (int k = first; k < last; ++k) {
    const int from = first_node_[k], to = first_node_[k + 1], length = 3 * (to - from);
    const bool touched = std::any_of(touched_.begin() + from, touched_.begin() + to,
                                     [](char node) { return node != 0; });
    const auto v = solution.v.segment(3 * from, length);
    const auto v_star = problem.v_star.segment(3 * from, length);
    if (!touched && v == v_star) continue;
    const BlockMatrix& A = problem.A[k];
    auto x = x_.segment(3 * from, length), r = r_.segment(3 * from, length);
    const auto impulse = impulse_.segment(3 * from, length);
    x = v - v_star;
    for_row_chunks(*A.pattern, [&](RowChunk rows) { multiply_rows(A, rows, x.data(), r.data()); });
    r -= impulse;
    if (problem.rest.size() > 0) r -= problem.rest.segment(3 * from, length);
    sum.left += r.squaredNorm();
    sum.impulse += impulse.squaredNorm();
    if (!touched) continue;
    MomentumError whole;
    for (int node = from; node < to; ++node) whole.add(D, node, r_.data() + 3 * node);
    sum.touched.add(whole);
  }
  return sum;
}

void ResidualMeter::measure_momentum(const ContactProblem& problem, const ContactSolution& solution,
                                     const DiagonalBlocks& D, Residuals& residuals)
{
  generalised_impulse(problem, solution.lambda, impulse_);
  add_bilateral_impulse(problem, solution.beta, impulse_);
  find_touched(problem);
  x_.resize(problem.v_star.size());
  r_.resize(problem.v_star.size());
  component_sums_.assign(problem.components() / components_per_chunk + 1, {});
  for_chunks(problem.components(), components_per_chunk, [&](int k, int first, int last) {
    component_sums_[k] = sum_components(problem, solution, D, first, last);
  });
  ComponentSum all;
  for (const ComponentSum& sum : component_sums_) {
    all.touched.add(sum.touched);
    all.left += sum.left;
    all.impulse += sum.impulse;
  }
  if (all.left > 0.0)
    residuals.momentum_relative = all.impulse > 0.0 ? std::sqrt(all.left / all.impulse) : infinite;
  residuals.momentum = all.touched.value();
}

Residuals ResidualMeter::measure(const ContactProblem& problem, const ContactSolution& solution,
                                 const DiagonalBlocks& D, FrictionLaw law)
{
  if (!is_answer(problem, solution)) return infinite_residuals();
  Residuals residuals;
  measure_contacts(problem, solution, D, law, residuals);
  measure_momentum(problem, solution, D, residuals);
  residuals.bilateral = bilateral_residual(problem, solution, D);
  return residuals;
}

Residuals measure(const ContactProblem& problem, const ContactSolution& solution, FrictionLaw law)
{
  DiagonalBlocks D;
  if (!D.load(problem)) return infinite_residuals();
  return ResidualMeter().measure(problem, solution, D, law);
}

}  // namespace tact
