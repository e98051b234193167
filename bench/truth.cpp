#include <bench/truth.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include <bench/truth_situations.hpp>
#include <tact/files/text_file.hpp>
#include <tact/run/problem_solve.hpp>

namespace tact {
namespace {

constexpr double asked_of_all = 1e-6;           // m/s, of every solver
constexpr double asked_of_truth = 1e-10;        // m/s
constexpr double fall_in_a_step = 9.81 * 0.01;  // m/s, in the longest step of the situations
constexpr int most_truth_iterations = 5000;

SolvedProblem by_solver(const Problem& problem, const std::string& solver, double tolerance,
                        FrictionLaw law, int most_iterations = most_truth_iterations)
{
  ProblemOptions options;
  options.tolerance = tolerance;
  options.max_iterations = most_iterations;
  options.law = law;
  return solve(problem, solver, options);
}

// The largest difference of sliding velocities where the true answer presses.
double creep_of(const ContactProblem& problem, const ContactSolution& answer,
                const ContactSolution& truth)
{
  const VectorXd u = contact_velocities(problem, answer.v);
  const VectorXd u_true = contact_velocities(problem, truth.v);
  double largest = 0.0;
  for (int c = 0; c < problem.size(); ++c)
    if (truth.lambda[3 * c] > 0.0)
      largest = std::max(largest, (u - u_true).segment<2>(3 * c + 1).norm());
  return largest;
}

TruthRow row_of(const TruthSituation& situation, const Problem& problem, const std::string& solver,
                const ContactSolution& truth)
{
  FrictionLaw law = FrictionLaw::disc;
  SolvedProblem solved = by_solver(problem, solver, asked_of_all, law);
  if (solved.report.status == SolveStatus::unsupported) {
    law = FrictionLaw::pyramid;
    solved = by_solver(problem, solver, asked_of_all, law);
  }
  TruthRow row;
  row.situation = situation.name;
  row.contacts = problem.contacts();
  row.allowed_creep = allowed_creep(std::get<ContactProblem>(problem.data), truth);
  row.solver = solver;
  row.friction = law == FrictionLaw::disc ? "disc" : "pyramid";
  row.status = name(solved.report.status);
  row.seconds = solved.report.seconds;
  row.residual = solved.report.residual;
  if (solved.report.status != SolveStatus::unsupported)
    row.creep = creep_of(std::get<ContactProblem>(problem.data),
                         std::get<ContactSolution>(solved.solution), truth);
  return row;
}

bool keeps_to_truth(const TruthRow& row)
{
  return row.status == "converged" && row.creep <= row.allowed_creep;
}

}  // namespace

double allowed_creep(const ContactProblem& problem, const ContactSolution& truth)
{
  const VectorXd u_free = contact_velocities(problem, problem.v_star);
  double approach = 0.0;
  for (int c = 0; c < problem.size(); ++c)
    if (truth.lambda[3 * c] > 0.0) approach = std::max(approach, -u_free[3 * c]);
  return std::sqrt(asked_of_all * std::min(approach, fall_in_a_step));
}

std::vector<TruthRow> measure_truth(const BenchOptions& options)
{
  std::vector<TruthRow> rows;
  for (const TruthSituation& situation : truth_situations()) {
    if (!options.quiet) fmt::print(stderr, "bench truth: {}\n", situation.name);
    const Problem problem{"contact", situation.problem(), {}};
    const SolvedProblem truth = by_solver(problem, "auto", asked_of_truth, FrictionLaw::disc, 0);
    if (!truth.report.ok() && !options.quiet)
      fmt::print(stderr, "bench truth: the true answer is known to {:.0e} m/s only\n",
                 truth.report.residual);
    std::vector<std::string> solvers = {"auto"};
    for (const std::string& solver : solvers_for(problem)) solvers.push_back(solver);
    for (const std::string& solver : solvers)
      rows.push_back(row_of(situation, problem, solver, std::get<ContactSolution>(truth.solution)));
  }
  return rows;
}

int run_truth_bench(const BenchOptions& options)
{
  const std::vector<TruthRow> rows = measure_truth(options);
  if (!options.json_file.empty()) write_text(options.json_file, truth_json(rows));
  if (!options.plot_file.empty()) write_text(options.plot_file, truth_plot(rows));
  fmt::print("{}", truth_table(rows));
  const bool true_everywhere = std::all_of(rows.begin(), rows.end(), [](const TruthRow& row) {
    return row.solver != "auto" || keeps_to_truth(row);
  });
  return true_everywhere ? 0 : 3;
}

}  // namespace tact
