#include <tact/solvers/coupling/coupling_solver.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/core/stop.hpp>
#include <tact/linalg/parallel.hpp>

namespace tact {
namespace {

constexpr int rebuild_period = 16;         // sweeps after which w is computed anew from lambda
constexpr int coupling_patience = 200;     // sweeps without an answer that is better
constexpr double expected_progress = 0.9;  // by so much
constexpr int contacts_a_look = 2048;
constexpr int newton_rounds = 6;
constexpr int most_held_sweeps = 100;
constexpr double newton_share = 0.3;    // of the tolerance: the mismatch of bodies, round by round
constexpr int slow_sweeps = 16;         // after so many without an answer corrections are tried
constexpr double interior_share = 0.9;  // of the tolerance: its impulses are then made zero or not
constexpr int most_chunks = 8;
constexpr int contacts_a_chunk = 5000;

}  // namespace

int chunks_for(const CoupledProblem& problem)
{
  int most = 0;
  for (const CoupledBody& body : problem.bodies) most = std::max(most, body.contacts);
  return most < contacts_a_chunk ? 1
                                 : std::clamp(problem.size() / contacts_a_chunk, 1, most_chunks);
}

// u = q + J w and the natural map, in double precision throughout.
void CouplingSolver::look(const CoupledProblem& problem, const VectorXd& lambda, const VectorXd& w)
{
  pieces_.assign(problem.size() / contacts_a_look + 1, {});
  u_.resize(3 * problem.size());
  for_chunks(problem.size(), contacts_a_look, [&](int k, int first, int last) {
    for (int c = first; c < last; ++c) {
      const CoupledContact& contact = problem.contacts[c];
      const Vector3d u = contact.q + problem.velocity(contact, w);
      u_.segment<3>(3 * c) = u;
      pieces_[k].add(u, lambda.segment<3>(3 * c), contact.mu, contact.scale, options_.law);
    }
  });
  NaturalSum sum;
  for (const NaturalSum& piece : pieces_) sum.add(piece);
  natural_ = sum.rms();
}

// Against drift, and against what the rounding of rows hides.
void CouplingSolver::refresh(const CoupledProblem& problem, const VectorXd& lambda, VectorXd& w)
{
  problem.respond(lambda, w);
  look(problem, lambda, w);
  if (rows_.split()) rows_.spread(w, state_);
  const double* at = rows_.split() ? state_.data() : w.data();
  for (int c = 0; c < problem.size(); ++c) rows_.rebase(c, u_.segment<3>(3 * c), at);
}

void CouplingSolver::keep_best(const VectorXd& lambda, CouplingReport& report)
{
  if (options_.keep_history) report.history.push_back(natural_);
  if (!(natural_ < best_.natural)) return;
  best_.natural = natural_;
  best_.lambda = lambda;
}

// In rounds: rows are rounded, and what the last digits of an answer need is seen after a refresh.
void CouplingSolver::run_newton(const CoupledProblem& problem, VectorXd& lambda, VectorXd& w,
                                CouplingReport& report)
{
  newton_.load(problem);
  double target = newton_share * options_.tolerance;
  for (int round = 0; round < newton_rounds && best_.natural > options_.tolerance; ++round) {
    const int left = std::min(most_held_sweeps, options_.max_sweeps) - report.sweeps;
    if (left <= 0) return;
    const int made = newton_.solve(rows_, target, left, lambda, w);
    report.sweeps += made;
    report.held_sweeps += made;
    refresh(problem, lambda, w);
    keep_best(lambda, report);
    target *= newton_share;
  }
}

void CouplingSolver::run_interior(const CoupledProblem& problem, VectorXd& lambda, VectorXd& w,
                                  CouplingReport& report)
{
  const CondensedInteriorReport solved =
      interior_.solve(problem, {.tolerance = interior_share * options_.tolerance}, lambda);
  report.interior_steps = solved.steps;
  refresh(problem, lambda, w);
  keep_best(lambda, report);
}

void CouplingSolver::run_sweeps(const CoupledProblem& problem, VectorXd& lambda, VectorXd& w,
                                CouplingReport& report)
{
  const int chunks = options_.chunks > 0 ? options_.chunks : chunks_for(problem);
  const bool standard = options_.kernel == CouplingKernelKind::standard;
  if (!standard && chunks > 1) rows_.load(problem, options_.law, chunks);
  kernel_ = make_coupling_kernel(options_.kernel);
  kernel_->load(rows_);
  correction_.load(problem, options_.law);
  const int first_correction = report.sweeps + (correction_.pays() ? 0 : slow_sweeps);
  refresh(problem, lambda, w);
  double milestone = best_.natural;
  int milestone_at = report.sweeps;
  while (best_.natural > options_.tolerance && report.sweeps < options_.max_sweeps) {
    end_if_stopped();
    kernel_->sweep(rows_, lambda, w);
    ++report.sweeps;
    look(problem, lambda, w);
    if (natural_ <= options_.tolerance || report.sweeps % rebuild_period == 0) {
      refresh(problem, lambda, w);
    }
    keep_best(lambda, report);
    if (best_.natural < expected_progress * milestone) {
      milestone = best_.natural;
      milestone_at = report.sweeps;
    }
    if (report.sweeps - milestone_at > coupling_patience || !std::isfinite(natural_)) {
      report.status = SolveStatus::stalled;
      return;
    }
    const bool correct = options_.correct && report.sweeps > first_correction;
    if (!correct || best_.natural <= options_.tolerance) continue;
    if (!correction_.find(problem, u_, lambda)) continue;
    lambda += correction_.length() * correction_.direction();
    w += correction_.length() * correction_.response();
    ++report.corrections;
  }
}

CouplingReport CouplingSolver::solve(const CoupledProblem& problem, VectorXd& lambda, VectorXd& w)
{
  CouplingReport report;
  rows_.load(problem, options_.law);
  if (lambda.size() != 3 * problem.size() || !lambda.allFinite()) {
    lambda.setZero(3 * problem.size());
  }
  refresh(problem, lambda, w);
  best_ = {.natural = std::numeric_limits<double>::infinity(), .lambda = {}};
  keep_best(lambda, report);
  if (options_.newton && BodyNewton::applies(problem)) run_newton(problem, lambda, w, report);
  if (best_.natural > options_.tolerance && options_.interior &&
      options_.law == FrictionLaw::disc && CondensedSystem::applies(problem)) {
    run_interior(problem, lambda, w, report);
  }
  if (best_.natural > options_.tolerance) {
    lambda = best_.lambda;
    run_sweeps(problem, lambda, w, report);
  }
  lambda = best_.lambda;
  refresh(problem, lambda, w);
  report.natural = natural_;
  if (natural_ <= options_.tolerance) report.status = SolveStatus::converged;
  return report;
}

SolveReport solve_coupling(const ContactProblem& problem, ContactSolution& solution,
                           const CouplingOptions& options)
{
  if (!is_block_diagonal(problem)) {
    return unsupported("A couples nodes; only rigid bodies and lone nodes are taken");
  }
  DiagonalBlocks D;
  if (!D.load(problem)) {
    throw Error("contact problem: a diagonal block of A is not positive definite");
  }
  std::vector<int> all(problem.size());
  std::iota(all.begin(), all.end(), 0);
  CoupledProblem coupled;
  if (!coupled.load(problem, D, all)) {
    return unsupported("rows of some contact are not made of a frame, arms and weights");
  }
  VectorXd lambda, w;
  if (solution.lambda.size() == 3 * problem.size() && solution.lambda.allFinite()) {
    lambda.resize(3 * problem.size());
    for (int c = 0; c < coupled.size(); ++c) {
      lambda.segment<3>(3 * c) = clamp_to_cone(solution.lambda.segment<3>(3 * coupled.order[c]),
                                               coupled.contacts[c].mu, options.law);
    }
  }
  CouplingSolver solver(options);
  const CouplingReport solved = solver.solve(coupled, lambda, w);
  solution.lambda.setZero(3 * problem.size());
  for (int c = 0; c < coupled.size(); ++c) {
    solution.lambda.segment<3>(3 * coupled.order[c]) = lambda.segment<3>(3 * c);
  }
  solution.v = problem.v_star;
  for (int b = 0; b < coupled.body_count(); ++b) {
    solution.v.segment<6>(3 * coupled.bodies[b].node) += w.segment<6>(coupled.body_at(b));
  }
  for (std::size_t i = 0; i < coupled.nodes.size(); ++i) {
    solution.v.segment<3>(3 * coupled.nodes[i].node) +=
        w.segment<3>(coupled.node_at(static_cast<int>(i)));
  }
  SolveReport report;
  report.status = solved.status;
  report.iterations = solved.sweeps + solved.interior_steps;
  report.note = fmt::format(
      "{} sweeps, {} of them with bodies held, {} corrections, {} steps of an interior point",
      solved.sweeps, solved.held_sweeps, solved.corrections, solved.interior_steps);
  return report;
}

}  // namespace tact
