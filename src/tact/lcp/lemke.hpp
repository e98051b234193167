// Lemke's algorithm for every LCP of the project: plain, mixed and boxed.
#pragma once

#include <vector>

#include <tact/core/solve_report.hpp>
#include <tact/lcp/complementary_basis.hpp>
#include <tact/lcp/lemke_path.hpp>
#include <tact/lcp/ordinary_form.hpp>

namespace tact {

struct LemkeOptions {
  enum class Cover { ones, random };  // random: in [1, 2], from a fixed seed

  double tolerance = 1e-9;      // on residual(), absolute: the certificate of an answer
  int max_pivots = 0;           // in all attempts together; 0: 100 + 20 x size in each
  int max_restarts = 12;        // with other covering vectors, from other bases
  Cover cover = Cover::random;  // of the first attempt; the others are random
  double end_tolerance = 1e-8;  // z0 wins near-ties below this share of its start
};

// Keeps its workspace from problem to problem: after the first of a size it allocates no matrix.
class LemkeSolver {
 public:
  explicit LemkeSolver(const LemkeOptions& options = {}) : options_(options) {}
  void set_tolerance(double tolerance) { options_.tolerance = tolerance; }

  // Requires a problem that validate() accepts. What was in `solution` plays no part.
  // `stalled` with a note that tells the round-off: the answer is as good as numbers of double
  // precision can be in rows of such large entries, and yet above the tolerance.
  // `no_solution`: every attempt ended on a ray. For positive semidefinite M (more generally
  // copositive plus) this means that no z >= 0 has M z + q >= 0; else it is strong evidence only.
  SolveReport solve(const LcpProblem& problem, LcpSolution& solution);

 private:
  struct Task;  // the given problem and the ordinary one in it
  void solve_ordinary(const LcpProblem& problem, const OrdinaryForm& ordinary,
                      LcpSolution& solution, SolveReport& report);
  void make_attempts(const Task& task, LcpSolution& solution, SolveReport& report);
  SolveStatus follow(const Task& task, int attempt, int max_pivots);
  double take_better(const Task& task, LcpSolution& solution);

  LemkeOptions options_;
  LemkePath path_;
  BasisSolver polisher_;
  Basis basis_;
  std::vector<bool> z_is_basic_;
  VectorXd z_path_, z_polished_, w_;
};

// Validates, then solves once.
SolveReport solve_lemke(const LcpProblem& problem, LcpSolution& solution,
                        const LemkeOptions& options = {});

}  // namespace tact
