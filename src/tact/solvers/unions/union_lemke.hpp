// Lemke's algorithm on the max and the summation form.
//
// From z = 0 its path ends on a ray at once: the columns of d and of the g_i in the max form have
// no negative entries. So the auxiliary variables are first pivoted to where they belong without
// impulses (a principal pivotal transform), which leaves the rows of crossed groups to be repaired:
//   h_i + a_i,   h_i + d - gamma + a_s   and   d - gamma + a_s,   all three equal to a_i < 0
// for the widest side i. The variable p of the last stands in no row; a path on which that row is
// the first to reach 0 drives p up for ever. Hence the covering vector: heavy on the last of the
// three, and a little heavier on the first than on the second, whose variable is the impulse p_i.
// These two belong together: with weights of their own, or with sides that differ much, paths of
// many groups end on rays.
//
// Neither matrix is copositive, so that a path can still end on a ray though there are solutions.
// It then starts anew with another covering vector, and with sides drawn at random taken for the
// widest.
#pragma once

#include <vector>

#include <tact/core/solve_report.hpp>
#include <tact/lcp/lemke.hpp>
#include <tact/solvers/unions/union_lcp.hpp>

namespace tact {

// Keeps its memory from problem to problem.
class UnionLemke {
 public:
  // On residual() of the LCP, absolute.
  explicit UnionLemke(double tolerance = 1e-9) : tolerance_(tolerance) {}

  // `no_solution`: every attempt ended on a ray; the note tells how many did. Problems with free
  // variables (joints) go to LemkeSolver, which starts from z = 0 and from random bases.
  SolveReport solve(const UnionLcp& unions, LcpSolution& solution);

 private:
  std::vector<int> chosen_sides(const UnionLcp& unions, int attempt) const;
  void transform(const LcpProblem& problem, const std::vector<int>& exchanged);
  SolveStatus follow(const UnionLcp& unions, int attempt);
  void take_better(const LcpProblem& problem, LcpSolution& solution, SolveReport& report);

  double tolerance_;
  std::vector<char> is_exchanged_;  // whether w and z have changed places
  MatrixXd M_;                      // of the transformed problem
  VectorXd q_;
  LemkePath path_;
  BasisSolver polisher_;
  Basis basis_;
  VectorXd z_, w_;
};

}  // namespace tact
