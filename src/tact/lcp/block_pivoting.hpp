// Block principal pivoting: whole sets of variables change sides at once.
#pragma once

#include <tact/core/solve_report.hpp>
#include <tact/lcp/lcp_problem.hpp>

namespace tact {

struct BlockPivotingOptions {
  double tolerance = 1e-9;  // on residual(), absolute
  int max_exchanges = 0;    // linear solves in all; 0: 500 + 20 x size
};

// For P-matrices (symmetric positive definite ones above all), where it ends after finitely many
// exchanges, mostly three to eight; for positive semidefinite ones through proximal steps. Starts
// from the sides on which solution.z stands where that has the right length, so that a solution of
// a nearby problem saves most exchanges. Other matrices may end with `iteration_limit` or
// `stalled`.
SolveReport solve_block_pivoting(const LcpProblem& problem, LcpSolution& solution,
                                 const BlockPivotingOptions& options = {});

}  // namespace tact
