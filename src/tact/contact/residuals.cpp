#include <tact/contact/residuals.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tact {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

bool fits(const ContactProblem& problem, const ContactSolution& solution)
{
  return solution.v.size() == problem.v_star.size() &&
         solution.lambda.size() == 3 * problem.size() && solution.v.allFinite() &&
         solution.lambda.allFinite();
}

Residuals hopeless()
{
  return {.natural = infinite,
          .natural_max = infinite,
          .penetration = infinite,
          .momentum = infinite,
          .momentum_relative = infinite,
          .cone_violation = infinite};
}

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

void MomentumError::add(const DiagonalBlocks& D, int node, const double* r)
{
  const Eigen::Map<const Vector3d> entries(r);
  energy += entries.dot(D.solve(node, r)) / D.mass(node);
  if (D.turns(node)) return;
  sum += entries;
  mass += D.mass(node);
}

void MomentumError::add(const MomentumError& other)
{
  energy += other.energy;
  sum += other.sum;
  mass += other.mass;
}

void ResidualMeter::measure_contacts(const ContactProblem& problem, const ContactSolution& solution,
                                     const DiagonalBlocks& D, FrictionLaw law,
                                     Residuals& residuals) const
{
  const std::vector<char> excused = excused_sides(problem, solution);
  double sum = 0.0;
  for (int c = 0; c < problem.size(); ++c) {
    if (!excused.empty() && excused[c] != 0) continue;
    const ContactRows& contact = problem.contacts[c];
    const Vector3d u = contact_velocity(problem, contact, solution.v);
    const Vector3d lambda = solution.lambda.segment<3>(3 * c);
    const bool open = lambda.isZero(0.0) && u[0] >= 0.0;  // the law holds
    if (open) continue;
    const double map = natural_map(u, lambda, contact.mu, response(problem, D, contact), law);
    sum += map * map;
    residuals.natural_max = std::max(residuals.natural_max, map);
    residuals.penetration = std::max(residuals.penetration, -u[0]);
    residuals.cone_violation =
        std::max(residuals.cone_violation, cone_violation(lambda, contact.mu, law));
    if (lambda[0] > 0.0 || u[0] < 0.0) ++residuals.active;
  }
  // An impulse that pulls counts although it is not active.
  residuals.natural = std::sqrt(sum / std::max(1, residuals.active));
  residuals.overreach = largest_overreach(problem, solution);
}

void ResidualMeter::find_touched(const ContactProblem& problem)
{
  component_.clear();
  for (int k = 0; k < problem.components(); ++k) {
    component_.insert(component_.end(), problem.A[k].rows(), k);
  }
  touched_.assign(problem.A.size(), 0);
  for (const ContactRows& contact : problem.contacts) {
    for (int b = contact.first; b < contact.first + contact.count; ++b) {
      touched_[component_[problem.blocks[b].node]] = 1;
    }
  }
}

void ResidualMeter::measure_momentum(const ContactProblem& problem, const ContactSolution& solution,
                                     const DiagonalBlocks& D, Residuals& residuals)
{
  generalised_impulse(problem, solution.lambda, impulse_);
  x_ = solution.v - problem.v_star;
  multiply(problem, x_, r_);
  r_ -= impulse_;
  const double left = r_.norm(), scale = impulse_.norm();
  if (left > 0.0) residuals.momentum_relative = scale > 0.0 ? left / scale : infinite;
  find_touched(problem);
  whole_.assign(problem.A.size(), {});
  int bodies = 0;
  for (int node = 0; node < problem.nodes(); ++node) {
    if (touched_[component_[node]] == 0) continue;
    whole_[component_[node]].add(D, node, r_.data() + 3 * node);
    if (D.partner(node) <= node) ++bodies;  // of a rigid body the second node counts
  }
  double energy = 0.0, speed = 0.0;
  for (const MomentumError& component : whole_) {
    energy += component.energy;
    speed = std::max(speed, component.speed());
  }
  residuals.momentum = std::max(speed, std::sqrt(std::max(0.0, energy) / std::max(1, bodies)));
}

Residuals ResidualMeter::measure(const ContactProblem& problem, const ContactSolution& solution,
                                 const DiagonalBlocks& D, FrictionLaw law)
{
  if (!fits(problem, solution)) return hopeless();
  Residuals residuals;
  measure_contacts(problem, solution, D, law, residuals);
  measure_momentum(problem, solution, D, residuals);
  return residuals;
}

Residuals measure(const ContactProblem& problem, const ContactSolution& solution, FrictionLaw law)
{
  DiagonalBlocks D;
  if (!D.load(problem)) return hopeless();
  return ResidualMeter().measure(problem, solution, D, law);
}

}  // namespace tact
