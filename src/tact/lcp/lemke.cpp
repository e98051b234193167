#include <tact/lcp/lemke.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace tact {

struct LemkeSolver::Task {
  const LcpProblem& problem;
  const MatrixXd& M;
  const VectorXd& q;
  const OrdinaryForm* ordinary;  // null where the given problem is ordinary itself

  int size() const { return static_cast<int>(q.size()); }
};

SolveReport LemkeSolver::solve(const LcpProblem& problem, LcpSolution& solution)
{
  SolveReport report;
  solution.z = starting_point(problem, {});  // wherever pivoting ends, there is a z to be judged
  report.residual = residual(problem, solution.z, solution.w);
  if (kind(problem) == LcpKind::lcp) {
    make_attempts({problem, problem.M, problem.q, nullptr}, solution, report);
    return report;
  }
  const OrdinaryForm ordinary(problem);
  solve_ordinary(problem, ordinary, solution, report);
  if (report.ok() || !ordinary.left_pivots_alone()) return report;
  if (report.status == SolveStatus::stalled && is_at_round_off(problem, solution.z)) return report;
  SolveReport again;
  again.iterations = report.iterations;
  again.residual = report.residual;
  solve_ordinary(problem, OrdinaryForm(problem, 0.0), solution, again);
  return again;
}

void LemkeSolver::solve_ordinary(const LcpProblem& problem, const OrdinaryForm& ordinary,
                                 LcpSolution& solution, SolveReport& report)
{
  switch (ordinary.outcome()) {
    case OrdinaryForm::Outcome::reduced:
      make_attempts({problem, ordinary.M(), ordinary.q(), &ordinary}, solution, report);
      break;
    case OrdinaryForm::Outcome::inconsistent:
      report.status = SolveStatus::no_solution;
      report.note = "an equation contradicts the others";
      break;
    case OrdinaryForm::Outcome::stuck:
      report.status = SolveStatus::stalled;
      report.note = "an equation is left that no free variable can take over";
      break;
  }
}

void LemkeSolver::make_attempts(const Task& task, LcpSolution& solution, SolveReport& report)
{
  int answers = 0;
  int rays = 0;
  for (int attempt = 0; attempt <= options_.max_restarts; ++attempt) {
    int limit = 100 + 20 * task.size();
    if (options_.max_pivots > 0) limit = std::min(limit, options_.max_pivots - report.iterations);
    if (limit <= 0) break;
    report.restarts = attempt;
    const SolveStatus end = follow(task, attempt, limit);
    report.iterations += path_.pivots();
    if (end == SolveStatus::no_solution) ++rays;
    if (end != SolveStatus::converged) continue;
    ++answers;
    report.residual = take_better(task, solution);
    if (report.residual <= options_.tolerance) break;
    if (is_at_round_off(task.problem, solution.z)) {
      report.note = round_off_note(task.problem, solution.z);
      break;
    }
  }

  if (report.residual <= options_.tolerance) {
    report.status = SolveStatus::converged;
  } else if (answers > 0) {
    report.status = SolveStatus::stalled;
  } else if (rays > options_.max_restarts) {
    report.status = SolveStatus::no_solution;
    report.note = fmt::format("ended on a ray from {} starts", rays);
  } else {
    report.status = SolveStatus::iteration_limit;
  }
}

// Every attempt has its own covering vector and asks for more of z0 than the last; all but the
// first have their own starting basis.
SolveStatus LemkeSolver::follow(const Task& task, int attempt, int max_pivots)
{
  Random random(static_cast<std::uint64_t>(attempt));
  path_.load(task.M, task.q);
  if (attempt > 0) path_.exchange_some_pairs(random, max_pivots);
  const bool ones = attempt == 0 && options_.cover == LemkeOptions::Cover::ones;
  const double end_tolerance = options_.end_tolerance * std::pow(1e-2, attempt);
  const auto cover = [&](int) { return ones ? 1.0 : random.uniform(1.0, 2.0); };
  return path_.follow(cover, {.max_pivots = max_pivots, .end_tolerance = end_tolerance});
}

// Of z where the path ended, z solved anew from its basis in the data as given, and what `solution`
// holds: the one with the least residual, which is returned.
double LemkeSolver::take_better(const Task& task, LcpSolution& solution)
{
  const int n = path_.size();
  z_is_basic_.resize(n);
  z_path_.resize(n);
  for (int k = 0; k < n; ++k) {
    z_is_basic_[k] = path_.z_is_basic(k);
    z_path_[k] = path_.z_value(k);
  }
  if (task.ordinary) {
    basis_ = task.ordinary->given_basis(z_is_basic_);
    z_path_ = task.ordinary->given_variables(z_path_);
  } else {
    basis_.assign(z_is_basic_.size(), BasisSide::lower);
    for (std::size_t k = 0; k < basis_.size(); ++k)
      if (z_is_basic_[k]) basis_[k] = BasisSide::between;
  }
  polisher_.solve(task.problem, basis_, z_polished_);

  double best = residual(task.problem, solution.z, solution.w);
  for (const VectorXd* z : {&z_path_, &z_polished_}) {
    const double found = residual(task.problem, *z, w_);
    if (found >= best) continue;
    best = found;
    solution.z = *z;
    solution.w = w_;
  }
  return best;
}

SolveReport solve_lemke(const LcpProblem& problem, LcpSolution& solution,
                        const LemkeOptions& options)
{
  validate(problem);
  return LemkeSolver(options).solve(problem, solution);
}

}  // namespace tact
