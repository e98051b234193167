// The ordinary LCP inside a mixed or boxed one: free variables pivoted into the basis, to stay
// there.
#pragma once

#include <vector>

#include <tact/lcp/complementary_basis.hpp>
#include <tact/lcp/equilibration.hpp>
#include <tact/lcp/one_sided_form.hpp>
#include <tact/lcp/pivot_round_off.hpp>
#include <tact/lcp/tableau.hpp>

namespace tact {

// An equation e (its slack always 0) and a free variable f leave the problem together by a pivot on
// T_ef. Where the block of equations and free variables is singular, pairs c of complementary
// variables go between: the pivots (e, c1), (c1, c2), ..., (ck, f) exchange the roles of the two
// variables of each pair (a principal pivotal transform), and the rest is again an ordinary LCP. Of
// the shortest such paths the one with the largest smallest pivot is taken, in equilibrated data.
// An entry that may be nothing but round-off is no pivot, and zero in the end.
class OrdinaryForm {
 public:
  enum class Outcome {
    reduced,       // M and q below are an ordinary LCP with the same solutions
    inconsistent,  // an equation has lost all its coefficients but not its constant: no solution
    stuck,         // an equation remains that no free variable can take over
  };

  // Pivots below `least_pivot` are left alone: equations computed from others, which depend on each
  // other up to their rounding, are to be dropped. Where data span many orders of magnitude such a
  // pivot may be a true one, and 0 takes every one that stands out of the round-off.
  explicit OrdinaryForm(const LcpProblem& problem, double least_pivot = 1e-10);

  // Whether an entry that stood out of the round-off was left alone.
  bool left_pivots_alone() const { return left_alone_; }

  Outcome outcome() const { return outcome_; }
  const MatrixXd& M() const { return M_; }
  const VectorXd& q() const { return q_; }

  // The basis of the given problem in which the z of the ordinary one are basic where told.
  Basis given_basis(const std::vector<bool>& z_is_basic) const;

  // The variables of the given problem for the z of the ordinary one.
  VectorXd given_variables(const VectorXd& z) const;

 private:
  struct Node;
  void load();
  bool is_pivot(int r, int c) const;
  bool eliminate_one();
  std::vector<int> widest_shortest_path() const;
  std::vector<int> widest_way_out(const std::vector<Node>& nodes, std::size_t level) const;
  void visit_pairs(std::vector<Node>& nodes, std::size_t level, std::vector<int>& unvisited) const;
  Outcome examine_leftovers();
  bool is_contradiction(int equation) const;
  void extract();
  int partner(int variable) const;

  OneSidedForm one_sided_;
  Equilibration scale_;
  Tableau tableau_;
  PivotRoundOff round_off_;
  double least_pivot_;
  bool left_alone_ = false;
  double largest_q_ = 0.0;      // of the equilibrated data
  std::vector<int> equations_;  // rows of the equations not yet eliminated
  std::vector<int> free_;       // columns of the free variables not yet eliminated
  std::vector<int> pairs_;      // rows of the one-sided form that are complementary
  Outcome outcome_ = Outcome::reduced;
  MatrixXd M_;
  VectorXd q_;
};

}  // namespace tact
