// Every complementary basis in turn: for small problems on which nothing else can be relied on.
#pragma once

#include <tact/core/solve_report.hpp>
#include <tact/lcp/lcp_problem.hpp>

namespace tact {

struct EnumerationOptions {
  double tolerance = 1e-9;  // on residual(), absolute
  int max_bases = 1 << 16;  // a problem with more is `unsupported`: 16 plain pairs
};

// Two bases a variable with one bound, three a box, one a free variable, all multiplied; infinity
// beyond the range of double.
double count_bases(const LcpProblem& problem);

// Takes the first basis that holds a solution. A singular one may hold many points: whether one of
// them keeps to the bounds is a feasibility problem, itself an LCP with a skew matrix, which
// Lemke's algorithm decides. So `no_solution` after all bases is a proof, up to round-off.
SolveReport solve_enumeration(const LcpProblem& problem, LcpSolution& solution,
                              const EnumerationOptions& options = {});

}  // namespace tact
