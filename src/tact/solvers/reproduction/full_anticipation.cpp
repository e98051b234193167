#include <tact/solvers/reproduction/full_anticipation.hpp>

#include <vector>

#include <fmt/core.h>

#include <tact/contact/delassus.hpp>
#include <tact/contact/judge.hpp>
#include <tact/core/stop.hpp>
#include <tact/solvers/cone/friction_problem_of.hpp>

namespace tact {
namespace {

constexpr int most_dense_contacts = 3000;  // W of so many takes 650 MB

// One linear system a row of J, as the paper counts them.
MatrixXd form_delassus(const ContactProblem& problem, const CondensedContact& condensed)
{
  MatrixXd W = MatrixXd::Zero(3 * problem.size(), 3 * problem.size());
  VectorXd unit = VectorXd::Zero(3 * problem.size());
  for (Eigen::Index row = 0; row < unit.size(); ++row) {
    unit[row] = 1.0;
    const VectorXd x = condensed.response(unit);
    unit[row] = 0.0;
    for (int c = 0; c < problem.size(); ++c) {
      const ContactRows& contact = problem.contacts[c];
      auto u = W.col(row).segment<3>(3 * c);
      for (int b = contact.first; b < contact.first + contact.count; ++b)
        u += problem.blocks[b].J * x.segment<3>(3 * problem.blocks[b].node);
    }
  }
  return W;
}

// The warm start, brought into the cones; zero where there is none.
VectorXd start_of(const ContactProblem& problem, const ContactSolution& solution, FrictionLaw law)
{
  VectorXd lambda = VectorXd::Zero(3 * problem.size());
  if (solution.lambda.size() != lambda.size() || !solution.lambda.allFinite()) return lambda;
  for (int c = 0; c < problem.size(); ++c)
    lambda.segment<3>(3 * c) =
        clamp_to_cone(solution.lambda.segment<3>(3 * c), problem.contacts[c].mu, law);
  return lambda;
}

}  // namespace

SolveReport solve_full_anticipation(const ContactProblem& problem, ContactSolution& solution,
                                    const FullAnticipationOptions& options)
{
  if (problem.size() > most_dense_contacts)
    return unsupported(fmt::format("W of {} contacts would be too large, the most is {}",
                                   problem.size(), most_dense_contacts));
  SolveReport report;
  const int n = problem.size();
  const CondensedContact condensed(problem);
  DiagonalBlocks D;
  D.load(problem);
  const MatrixXd W = form_delassus(problem, condensed);
  VectorXd lambda = start_of(problem, solution, options.law);
  ColumnsDelassus columns{W, W * lambda};
  std::vector<OwnResponse> own;
  std::vector<double> scale;
  for (int c = 0; c < n; ++c) {
    own.emplace_back(W.block<3, 3>(3 * c, 3 * c));
    scale.push_back(response(problem, D, problem.contacts[c]));
    columns.u.segment<3>(3 * c) += contact_velocity(problem, problem.contacts[c], problem.v_star);
  }
  const auto law = [&](int c, const Vector3d& u, const Vector3d& lambda_c) {
    return relax(own[c], {.mu = problem.contacts[c].mu}, options.law, u, lambda_c);
  };
  for (;; ++report.iterations) {
    end_if_stopped();
    NaturalSum sum;
    for (int c = 0; c < n; ++c)
      sum.add(columns.velocity(c), lambda.segment<3>(3 * c), problem.contacts[c].mu, scale[c],
              options.law);
    if (sum.rms() <= options.tolerance) report.status = SolveStatus::converged;
    if (report.ok() || report.iterations == options.max_sweeps) break;
    sweep<3>(columns, ContactNumbers(0, n), law, lambda.data());
  }
  solution = condensed.solution(lambda);
  return report;
}

}  // namespace tact
