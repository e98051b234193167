#include <tact/solvers/reproduction/full_anticipation.hpp>

#include <cmath>
#include <vector>

#include <fmt/core.h>

#include <tact/contact/diagonal_blocks.hpp>
#include <tact/core/error.hpp>
#include <tact/linalg/block_cholesky.hpp>
#include <tact/solvers/nested/contact_sweep.hpp>

namespace tact {
namespace {

// A^-1 of all components.
class InverseOfA {
 public:
  explicit InverseOfA(const ContactProblem& problem)
  {
    factors_.reserve(problem.A.size());
    for (const BlockMatrix& A : problem.A) {
      if (!factors_.emplace_back(*A.pattern).factor(A)) {
        throw Error(fmt::format("contact problem: component {}: A is not positive definite",
                                factors_.size() - 1));
      }
    }
  }

  void solve(const ContactProblem& problem, VectorXd& x) const
  {
    int first = 0;
    VectorXd part;
    for (std::size_t k = 0; k < factors_.size(); ++k) {
      part = x.segment(first, problem.A[k].size());
      factors_[k].solve(part);
      x.segment(first, part.size()) = part;
      first += problem.A[k].size();
    }
  }

 private:
  std::vector<BlockCholesky> factors_;
};

// One linear system a row of J, as the paper counts them.
LaneBuffer delassus(const ContactProblem& problem, const InverseOfA& inverse, int stride)
{
  LaneBuffer W(static_cast<std::size_t>(stride) * stride, 0.0);
  VectorXd x;
  VectorXd unit = VectorXd::Zero(3 * problem.size());
  for (Eigen::Index row = 0; row < unit.size(); ++row) {
    unit[row] = 1.0;
    generalised_impulse(problem, unit, x);
    unit[row] = 0.0;
    inverse.solve(problem, x);
    double* answers = W.data() + row * stride;
    for (int c = 0; c < problem.size(); ++c) {
      const ContactRows& contact = problem.contacts[c];
      Eigen::Map<Vector3d> u(answers + 3 * c);
      for (int b = contact.first; b < contact.first + contact.count; ++b) {
        u += problem.blocks[b].J * x.segment<3>(3 * problem.blocks[b].node);
      }
    }
  }
  return W;
}

// All contacts as sides of one component whose compliance is W.
ContactSweep make_sweep(const ContactProblem& problem, const LaneBuffer& W, int stride,
                        FrictionLaw law)
{
  DiagonalBlocks D;
  D.load(problem);
  ContactSweep sweep;
  sweep.law = law;
  for (int c = 0; c < problem.size(); ++c) {
    sweep.sides.push_back({.W = W.data() + static_cast<std::size_t>(3 * c) * stride,
                           .stride = stride,
                           .at = 3 * c,
                           .first = 0,
                           .length = stride});
    SweepContact& contact = sweep.contacts.emplace_back();
    contact.q = contact_velocity(problem, problem.contacts[c], problem.v_star);
    contact.mu = problem.contacts[c].mu;
    contact.scale = response(problem, D, problem.contacts[c]);
    contact.first_side = c;
    contact.sides = 1;
    sweep.finish_contact(c);
  }
  return sweep;
}

void load_warm_start(const ContactProblem& problem, const ContactSolution& solution,
                     const ContactSweep& sweep, VectorXd& lambda, LaneBuffer& u)
{
  lambda.setZero(3 * problem.size());
  if (solution.lambda.size() != lambda.size() || !solution.lambda.allFinite()) return;
  for (int c = 0; c < problem.size(); ++c) {
    lambda.segment<3>(3 * c) =
        clamp_to_cone(solution.lambda.segment<3>(3 * c), problem.contacts[c].mu, sweep.law);
    sweep.push(sweep.contacts[c], lambda.segment<3>(3 * c), u.data());
  }
}

}  // namespace

SolveReport solve_full_anticipation(const ContactProblem& problem, ContactSolution& solution,
                                    const FullAnticipationOptions& options)
{
  if (problem.size() > options.max_contacts)
    return unsupported(fmt::format("W of {} contacts would be too large, the most is {}",
                                   problem.size(), options.max_contacts));
  SolveReport report;
  const InverseOfA inverse(problem);
  const int stride = round_up_8(3 * problem.size());
  const LaneBuffer W = delassus(problem, inverse, stride);
  const ContactSweep sweep = make_sweep(problem, W, stride, options.law);
  const ContactRange all{0, problem.size()};
  LaneBuffer u(stride, 0.0);  // W lambda
  VectorXd lambda;
  std::vector<int> awake(problem.contacts.size());
  load_warm_start(problem, solution, sweep, lambda, u);
  for (;; ++report.iterations) {
    const double natural = sweep.look(all, lambda.data(), u.data()).rms();
    if (natural <= options.tolerance) report.status = SolveStatus::converged;
    if (report.ok() || report.iterations == options.max_sweeps) break;
    sweep.sweep(all, 1, lambda.data(), u.data(), awake.data());
  }
  generalised_impulse(problem, lambda, solution.v);
  inverse.solve(problem, solution.v);
  solution.v += problem.v_star;
  solution.lambda = lambda;
  return report;
}

}  // namespace tact
