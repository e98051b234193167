// What the solvers of a problem share: the point that is best so far, the accuracy asked for, and
// the count of work. Work is counted, never timed: same input, same path, same bits.
#pragma once

#include <tact/contact/judge.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/solvers/cone/block_problem.hpp>
#include <tact/solvers/cone/linear_system.hpp>
#include <tact/solvers/cone/velocity_system.hpp>

namespace tact {

struct FrictionWork {
  int sweeps = 0;
  int admm_iterations = 0;
  int newton_steps = 0;
  int outer_steps = 0;  // of the proximal point
  int interior_steps = 0;
  int factorisations = 0;
  int krylov_iterations = 0;  // of systems solved in the velocities

  int iterations() const { return sweeps + admm_iterations + newton_steps + interior_steps; }
};

template <int D>
class Search {
 public:
  // Starts from no impulses. max_iterations: of all kinds together.
  Search(const BlockProblem<D>& block_problem, double asked, int max_iterations,
         FrictionMeasure measure = FrictionMeasure::rel_q);

  // Measures a point in scaled numbers, keeps it if it is the best so far, and returns its error:
  // rel_q, or eps_nat over the root mean square of q, which is as free of units.
  // A point that is not finite, or so large that q is lost in it, is infinitely bad.
  double offer(const VectorXd& lambda);
  double offer(const VectorXd& lambda, const VectorXd& u);

  double error() const { return error_; }  // of best()
  const VectorXd& best() const { return best_; }
  FrictionMeasure measure() const { return measure_; }
  bool converged() const { return error_ <= tolerance; }
  bool exhausted() const
  {
    return work.iterations() >= max_iterations_ || work.factorisations >= max_factorisations;
  }
  bool over() const { return converged() || exhausted(); }

  const BlockProblem<D>& problem;
  double tolerance;               // on error()
  int max_factorisations = 4000;  // the hardest known pile of rocks takes 3,156
  FrictionWork work;
  LinearSystem system;                   // its memory serves all solvers
  VelocitySystem* velocities = nullptr;  // used instead where it is there: 3D, cheaper

 private:
  double measured(const VectorXd& lambda, const VectorXd& u) const;

  FrictionMeasure measure_;
  double speed_;  // m/s: what eps_nat is divided by
  int max_iterations_;
  VectorXd best_;
  VectorXd u_;
  double error_;
};

extern template class Search<2>;
extern template class Search<3>;

}  // namespace tact
