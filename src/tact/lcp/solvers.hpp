// The table of LCP solvers, and the one door through which the command, tests and benches call
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tact/core/solve_report.hpp>
#include <tact/core/solver_guide.hpp>
#include <tact/lcp/lcp_problem.hpp>

namespace tact {

struct LcpOptions {
  double tolerance = 1e-9;  // on residual(), absolute, in the units of the problem
  int max_iterations = 0;   // 0: each solver chooses from the size of the problem
};

struct LcpSolver {
  std::string_view name;
  SolverGuide guide;
  SolveReport (*solve)(const LcpProblem&, LcpSolution&, const LcpOptions&);
};

// All solvers but `auto`, in the order in which `--solver all` runs them.
const std::vector<LcpSolver>& lcp_solvers();

// Solves by a named solver or by "auto". Measures the residual and the time; `converged` in the
// report means that residual() of the answer is within the tolerance, whatever the solver thinks.
// "block-pivoting" and "pgs" start from solution.z where it has the right length; the others do not
// look at it. "auto" takes block pivoting for large symmetric positive definite M and else Lemke,
// falls back on the other and, for small problems, on enumeration; its note tells how each ended.
// Throws Error for an unknown name and for a problem that validate() refuses.
SolveReport solve_lcp(const LcpProblem& problem, LcpSolution& solution, std::string_view solver,
                      const LcpOptions& options = {});

}  // namespace tact
