// Contact solvers that form the LCP in full: what the structured ones are measured by.
#pragma once

#include <tact/contact/contact_problem.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/lcp/lemke.hpp>
#include <tact/solvers/pivoting/pyramid_lcp.hpp>

namespace tact {

struct StandardOptions {
  int directions = 8;  // sides of the friction pyramid
  int max_pivots = 0;  // 0: chosen from the size
};

// [Lloyd05] `standard`: forms M and hands it to dense Lemke. Keeps its memory between solves.
class StandardLemke {
 public:
  explicit StandardLemke(const StandardOptions& options = {});

  SolveReport solve(const ContactProblem& problem, ContactSolution& solution);

 private:
  FrictionPyramid pyramid_;
  WhitenedProblem whitened_;
  PyramidLcp dense_;
  LemkeSolver lemke_;
  LcpSolution answer_;
  VectorXd beta_;
  std::vector<Twist> y_;
};

// Frictionless contact by block principal pivoting on W = N'N; `unsupported` when some mu > 0.
SolveReport solve_frictionless_block_pivoting(const ContactProblem& problem,
                                              ContactSolution& solution, int max_exchanges = 0);

}  // namespace tact
