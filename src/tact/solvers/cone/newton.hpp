// Semismooth Newton on Alart and Curnier's function, for the problem made regular by a proximal
// term:
//
//   F(lambda, u) = 0,   u = W lambda + q + alpha (lambda - centre)
//   (A + B (W + alpha I)) dlambda = -F
//
// Equations of a contact's own impulse are used beforehand (alart_curnier.hpp): where most of n
// contacts slide the matrix has 2 n rows, not 3 n, and is factored in a third of the time. alpha =
// 0 is the plain problem; its matrix is singular where contacts are redundant, and gets `damping`
// on B's side then.
//
// In velocities (velocity_system.hpp) the same step is dlambda = -(g + G du), with
//   G = (A + alpha B)^-1 B,   g = (A + alpha B)^-1 F
//
// How long a step is, and which may raise |F|: watchdog.hpp.
#pragma once

#include <vector>

#include <tact/solvers/cone/alart_curnier.hpp>
#include <tact/solvers/cone/search.hpp>
#include <tact/solvers/newton/watchdog.hpp>

namespace tact {

struct NewtonTask {
  double alpha = 0.0;
  double damping = 0.0;  // times |F|: added to alpha in the matrix alone
  double target = 0.0;   // |F| that is enough
  int max_steps = 30;
  int patience = 12;  // steps in which |F| has to fall by 30 %
};

struct NewtonEnd {
  int steps = 0;
  double residual = 0.0;  // |F| of the point returned
  bool reached = false;
};

template <int D>
class Newton {
 public:
  explicit Newton(Search<D>& search);

  // From `lambda` to the best point found; `centre` is that of the proximal term.
  NewtonEnd solve(VectorXd& lambda, const VectorXd& centre, const NewtonTask& task);

  // |F| at lambda as the centre: what a solve from there starts with.
  double residual(const VectorXd& lambda, double alpha = 0.0);

 private:
  struct Point {
    VectorXd lambda, u;
    double residual = 0.0;
  };
  struct Direction {
    VectorXd lambda, u;
  };

  void use_alpha(double alpha);
  double measure(const VectorXd& lambda, const VectorXd& u) const;
  bool find_direction(const Point& at, double alpha, double regularisation);
  bool are_velocities_cheaper(double regularisation) const;
  bool find_in_impulses(double regularisation);
  bool find_in_velocities(const Point& at, double regularisation);
  void linearise(const Point& at);
  ContactVector<D> step_of(int contact) const;
  bool factor(double regularisation);
  void fill(double regularisation);
  bool choose_step(Point& at, double reference, double best);

  Search<D>& search_;
  const BlockProblem<D>& problem_;
  std::vector<AlartCurnier<D>> law_;
  double law_alpha_ = 0.0;  // that law_ was made for
  std::vector<ReducedContact<D>> reduced_;
  std::vector<int> first_row_;  // of each contact in the system of all
  int rows_ = 0;                // of that system
  VectorXd right_;              // its right side, and then its answer xi
  std::vector<Matrix3d> G_;     // of the system in velocities
  VectorXd g_, response_;
  Direction direction_;
  VectorXd u_;  // of residual()
  Watchdog<Point, Direction> watchdog_;
};

extern template class Newton<2>;
extern template class Newton<3>;

// The solver on its own: Newton from some sweeps of Gauss-Seidel, without a proximal term. Where it
// stalls more sweeps bring it nearer, each time twice as many.
template <int D>
SolveStatus newton_alone(Search<D>& search, const VectorXd& start, int max_steps);

}  // namespace tact
