#include <tact/solvers/islandwise.hpp>

#include <algorithm>
#include <utility>

#include <tact/core/error.hpp>
#include <tact/linalg/parallel.hpp>

namespace tact {
namespace {

ContactSolution free_motion(const ContactProblem& problem)
{
  return {.v = problem.v_star,
          .lambda = VectorXd::Zero(3 * problem.size()),
          .beta = VectorXd::Zero(static_cast<Eigen::Index>(problem.bilateral.size()))};
}

}  // namespace

IslandwiseSolver::IslandwiseSolver(SolveInOneCall method, const ContactOptions& options,
                                   MakeContactSolver otherwise)
    : method_(std::move(method)), options_(options), otherwise_(std::move(otherwise))
{
}

void IslandwiseSolver::begin(const ContactProblem& problem,
                             std::span<const BlockCholesky* const> factors)
{
  if (!D_.load(problem))
    throw Error("contact problem: a diagonal block of A is not positive definite");
  factors_.assign(factors.begin(), factors.end());
}

ContactReport IslandwiseSolver::solve_otherwise(IslandProblem& island,
                                                ContactSolution& solution) const
{
  std::vector<const BlockCholesky*> factors;
  if (!factors_.empty())
    for (const int component : island.members().components) factors.push_back(factors_[component]);
  const std::unique_ptr<ContactSolver> solver = otherwise_(options_);
  solver->begin(island.problem(), factors);
  return solver->solve(island.problem(), solution);
}

IslandwiseSolver::Answer IslandwiseSolver::solve_island(IslandProblem& island,
                                                        const ContactProblem& problem,
                                                        const ContactSolution& start) const
{
  island.problem().groups.clear();  // who chose the sides has put those that do not push far away
  Answer answer{.solution = island.part(problem, start), .report = {}};
  const SolveReport solved = method_(island.problem(), answer.solution, options_);
  answer.refused = solved.status == SolveStatus::unsupported;
  if (answer.refused && !otherwise_) {
    answer = {.solution = free_motion(island.problem()), .report = {}};
    answer.report.status = SolveStatus::unsupported;
    answer.report.note = solved.note;
    return answer;
  }
  if (answer.refused) {
    answer.solution = island.part(problem, start);
    answer.report = solve_otherwise(island, answer.solution);
    answer.report.refusal = solved.note;
    return answer;
  }
  answer.report.status = solved.status;
  answer.report.iterations = solved.iterations;
  answer.report.note = solved.note;
  return answer;
}

ContactReport IslandwiseSolver::solve(ContactProblem& problem, ContactSolution& solution)
{
  std::vector<IslandProblem> islands = split_into_islands(problem);
  std::vector<Answer> answers(islands.size());
  run_largest_first(static_cast<int>(islands.size()),
                    [&](int k) { answers[k] = solve_island(islands[k], problem, solution); });
  solution = free_motion(problem);
  ContactReport all;
  for (std::size_t k = 0; k < islands.size(); ++k) {
    const Answer& answer = answers[k];
    islands[k].put(answer.solution, solution);
    all.iterations = std::max(all.iterations, answer.report.iterations);
    all.inexact += answer.report.inexact;
    if (all.note.empty()) all.note = answer.report.note;
    if (all.history.empty()) all.history = answer.report.history;
    if (!answer.report.ok()) all.status = answer.report.status;
    if (!answer.refused) continue;
    if (all.refused++ > 0) continue;
    const std::vector<int>& contacts = islands[k].members().contacts;
    all.refused_contact = contacts.empty() ? -1 : contacts.front();
    all.refusal = answer.report.refusal;
  }
  all.residuals = meter_.measure(problem, solution, D_, options_.law);
  if (options_.keep_history && all.history.empty()) all.history = {all.residuals.worst()};
  all.status = judged(all.status, all.residuals.worst(), options_.tolerance);
  return all;
}

}  // namespace tact
