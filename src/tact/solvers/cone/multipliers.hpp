// The method of multipliers: the proximal point of proximal_point.hpp with the impulses eliminated
// instead of the velocities. With W = B B' of rank r, y = B' lambda in R^r and C the cut to the
// cone (law.hpp),
//
//   lambda(y) = C(lambda_k - (B y + q) / alpha),   R(y) = y - B' lambda(y) = 0
//   (I + B' G B) dy = -R,   G = dC / alpha                       r x r, however many the contacts
//
// and lambda_k+1 = lambda(y), which is in the cone whatever R is. Where impulses hold each other
// over many more contacts than there are motions it gets to answers that Newton's method on the
// function of Alart and Curnier does not find: of 200 piles of rocks that one leaves eight, at 6e-8
// to 6e-5. Full steps that raise |R| are not let pass here: with a watchdog it ends farther away.
#pragma once

#include <vector>

#include <tact/solvers/cone/search.hpp>

namespace tact {

struct MultiplierOptions {
  double alpha = 1e-3;            // the first; W is scaled to a unit diagonal
  int max_factorisations = 1000;  // r x r
  int patience = 200;             // of these, without a gain of 30 % over its best point so far
};

template <int D>
class MethodOfMultipliers {
 public:
  explicit MethodOfMultipliers(Search<D>& search);

  // Whether W is symmetric and small enough for B. If not, solve() does nothing.
  bool applies() const { return B_.size() > 0; }
  double work() const;  // operations of a solve that takes all its factorisations

  SolveStatus solve(const VectorXd& start, const MultiplierOptions& options);

 private:
  // One y, for the centre and the alpha of the outer step.
  struct Point {
    VectorXd y, lambda, R;
    double residual = 0.0;
  };

  bool take_outer_step(int max_factorisations, int& steps);
  void find_impulses(const VectorXd& y, VectorXd& lambda, bool with_derivative);
  void measure(Point& at, bool with_derivative);
  bool find_direction(const Point& at);
  void choose_step(Point& at);

  Search<D>& search_;
  const BlockProblem<D>& problem_;
  MatrixXd B_;
  VectorXd q_;
  double alpha_ = 0.0;
  VectorXd centre_;
  std::vector<ContactMatrix<D>> G_;
  MatrixXd GB_, matrix_;
  VectorXd direction_, pushed_;
  Point at_, trial_, best_;
};

extern template class MethodOfMultipliers<2>;
extern template class MethodOfMultipliers<3>;

}  // namespace tact
