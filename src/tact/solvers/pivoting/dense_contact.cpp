#include <tact/solvers/pivoting/dense_contact.hpp>

#include <algorithm>

#include <tact/lcp/block_pivoting.hpp>

namespace tact {
namespace {

constexpr double relative_tolerance = 1e-11;  // of the LCP residual, against its largest |q|

double tolerance_for(const LcpProblem& lcp)
{
  return relative_tolerance * (lcp.q.size() > 0 ? lcp.q.cwiseAbs().maxCoeff() : 0.0);
}

}  // namespace

StandardLemke::StandardLemke(const StandardOptions& options)
    : pyramid_(options.directions), lemke_({.tolerance = 0.0, .max_pivots = options.max_pivots})
{
}

SolveReport StandardLemke::solve(const ContactProblem& problem, ContactSolution& solution)
{
  whitened_.load(problem);
  dense_.load(whitened_, pyramid_);
  lemke_.set_tolerance(tolerance_for(dense_.lcp()));
  SolveReport report = lemke_.solve(dense_.lcp(), answer_);
  if (whitened_.contradictory()) report.status = SolveStatus::no_solution;
  dense_.read(answer_.z, solution.lambda, beta_, y_);
  whitened_.write(y_, beta_, solution);
  return report;
}

SolveReport solve_frictionless_block_pivoting(const ContactProblem& problem,
                                              ContactSolution& solution, int max_exchanges)
{
  const auto slides = [](const ContactRows& contact) { return contact.mu > 0.0; };
  if (std::any_of(problem.contacts.begin(), problem.contacts.end(), slides))
    return unsupported("block pivoting takes frictionless contacts only (mu = 0)");
  WhitenedProblem whitened;
  whitened.load(problem);
  const FrictionPyramid pyramid;
  PyramidLcp dense;
  dense.load(whitened, pyramid);
  LcpSolution answer;
  SolveReport report = solve_block_pivoting(
      dense.lcp(), answer,
      {.tolerance = tolerance_for(dense.lcp()), .max_exchanges = max_exchanges});
  VectorXd beta;
  std::vector<Twist> y;
  dense.read(answer.z, solution.lambda, beta, y);
  whitened.write(y, beta, solution);
  return report;
}

}  // namespace tact
