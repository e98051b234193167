// Projected Gauss-Seidel.
#pragma once

#include <tact/core/solve_report.hpp>
#include <tact/lcp/lcp_problem.hpp>

namespace tact {

struct PgsOptions {
  double tolerance = 1e-9;  // on residual(), absolute
  int max_sweeps = 0;       // 0: 20,000
};

// Converges for symmetric positive semidefinite M that have a solution, at a rate that suffers with
// their condition. Needs M_ii > 0 in every row, else `unsupported`. Starts from solution.z where
// that has the right length, else from the bounds.
SolveReport solve_pgs(const LcpProblem& problem, LcpSolution& solution,
                      const PgsOptions& options = {});

}  // namespace tact
