// Lemke's path through the almost complementary bases of an ordinary LCP, on a dense tableau.
#pragma once

#include <vector>

#include <tact/core/random.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/lcp/equilibration.hpp>
#include <tact/lcp/tableau.hpp>

namespace tact {

// Follows the solutions of  0 <= w = M z + q + c z0  perp  z >= 0  from large z0 to z0 = 0, c > 0
// being the covering vector. Every point of the path is a basis in which one pair has neither
// variable; the one whose partner has just left is driven up until another variable reaches zero.
// Ties are broken by the lexicographic rule, so no basis can come twice in exact arithmetic.
class LemkePath {
 public:
  struct Rules {
    int max_pivots = 0;
    double end_tolerance = 1e-8;  // z0 wins near-ties below this share of its start
  };

  // Starts anew with the basis w, in equilibrated data.
  void load(const MatrixXd& M, const VectorXd& q);

  // Exchanges the roles of w_k and z_k (a principal pivotal transform) for about half of all k,
  // drawn at random, as far as the pivots are sound. Another start for problems on which the path
  // from z = 0 ends on a ray. To be called between load() and follow().
  void exchange_some_pairs(Random& random, int max_pivots);

  // Fills the covering vector through `cover(row)` > 0 and follows the path. `no_solution`: it ends
  // on a ray, which for some matrices proves that there is none.
  template <class Cover>
  SolveStatus follow(const Cover& cover, const Rules& rules)
  {
    for (int r = 0; r < tableau_.rows(); ++r) tableau_.row(r)[size()] = cover(r);
    return follow_covered(rules);
  }

  int size() const { return tableau_.rows(); }
  int pivots() const { return pivots_; }  // since load()
  bool z_is_basic(int k) const { return tableau_.is_basic(z(k)); }
  double z_value(int k) const;  // where the path stands, in the units of M and q

 private:
  SolveStatus follow_covered(const Rules& rules);
  int first_leaving_row();
  int leaving_row(const VectorXd& column, const Rules& rules);
  int lexicographic_minimum(const VectorXd& column);

  // Variables of the tableau; w_k is variable k.
  int z(int k) const { return size() + k; }
  int z0() const { return 2 * size(); }
  int partner(int variable) const
  {
    return variable < size() ? variable + size() : variable - size();
  }

  Equilibration scale_;
  Tableau tableau_;
  int pivots_ = 0;
  double first_z0_ = 0.0;       // its value at the start of the path
  double tie_tolerance_ = 0.0;  // a basic variable below it counts as zero
  std::vector<int> start_;      // variables of the first basis, for the lexicographic rule
  std::vector<int> tied_;       // rows that reach zero together
};

}  // namespace tact
