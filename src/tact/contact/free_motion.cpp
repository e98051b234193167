#include <tact/contact/free_motion.hpp>

#include <utility>
#include <vector>

namespace tact {

bool find_free_motion(ContactProblem& problem, int component, const PcgOptions& options,
                      int& iterations)
{
  int first = 0;
  for (int k = 0; k < component; ++k) first += problem.A[k].rows();
  const BlockMatrix& A = problem.A[component];
  auto v = problem.v_star.segment(3 * first, A.size());
  auto rest = problem.rest.segment(3 * first, A.size());
  if (rest.isZero(0.0)) return true;
  BlockPcg pcg;
  if (!pcg.prepare(A)) return false;
  VectorXd x = v, b;
  multiply(A, x, b);
  b += rest;
  const PcgReport report = pcg.solve(A, b, x, options);
  iterations += report.iterations;
  v = x;
  rest.setZero();
  return report.converged;
}

ContactProblem about_free_motion(ContactProblem problem)
{
  if (problem.rest.size() == 0) return problem;
  constexpr PcgOptions to_round_off{.tolerance = 1e-13, .max_iterations = 20000};
  int iterations = 0;
  for (int k = 0; k < problem.components(); ++k)
    (void)find_free_motion(problem, k, to_round_off, iterations);
  problem.rest.resize(0);
  return problem;
}

}  // namespace tact
