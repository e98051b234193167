// Contact between lone rigid bodies, solved exactly: proximal point outside, semismooth Newton
// inside, with linear systems in the velocities of the bodies. docs/rigid-islands.md
//
//   u = q + J x,   x = J' lambda           in coordinates in which every body's A is the identity
//   Phi(lambda) = lambda - C(lambda - R u_a) = 0,   u_a = u + alpha (lambda - lambda_0)
//
// C cuts to the cone (law.hpp), R = diag(1 / (w_nn + alpha), 1 / (w_TT + alpha)), after
// [Alart and Curnier 1991]. alpha (lambda - lambda_0) is a proximal term: it makes every inner
// problem regular, also where contacts are redundant, and it holds what the law leaves open at
// lambda_0, the impulses of the last step. lambda_0 follows lambda, and alpha falls while that is
// easy.
//
// Newton's step, with C' the derivative of the branch that each contact is in:
//   H = I - C' (I - alpha R),   G = H^-1 C' R,   g = H^-1 Phi
//   (I + J' G J) dx = -J' g,    dlambda = -g - G J dx
// The matrix has 6 rows per body, however many contacts there are, and is as sparse as bodies that
// touch: an arch or a stack takes linear time. How long a step is: watchdog.hpp.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/diagonal_blocks.hpp>
#include <tact/contact/judge.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/solvers/newton/body_lu.hpp>
#include <tact/solvers/newton/watchdog.hpp>

namespace tact {

struct RigidNewtonOptions {
  double tolerance = 1e-8;  // m/s, on what Residuals::natural is
  double goal = 1e-10;      // m/s: goes on to this while every inner problem gains a digit
  FrictionLaw law = FrictionLaw::disc;
  double alpha = 1e-4;  // the first, times a contact's own response
  int max_steps = 200;  // Newton's, of all inner problems
  double max_work =
      std::numeric_limits<double>::infinity();  // the same, in products of 6 x 6 blocks
  int patience = 12;                            // inner problems without a gain
};

struct RigidNewtonReport {
  SolveStatus status = SolveStatus::iteration_limit;
  int steps = 0;       // factorisations
  int rounds = 0;      // inner problems
  double worst = 0.0;  // m/s: of the answer

  bool ok() const { return status == SolveStatus::converged; }
};

class RigidNewton {
 public:
  // Contacts, and the first nodes of all bodies that they act on, ascending: lone rigid bodies or
  // lone nodes. `scales`: response() of all contacts of the problem.
  void load(const ContactProblem& problem, const DiagonalBlocks& D, std::span<const int> contacts,
            std::span<const int> bodies, std::span<const double> scales);

  // lambda, three numbers per contact: the start, and the best answer that was met.
  RigidNewtonReport solve(const RigidNewtonOptions& options, std::span<double> lambda);

  double work() const { return lu_.work(); }  // of a step, in products of 6 x 6 blocks

 private:
  using Matrix36 = Eigen::Matrix<double, 3, 6>;

  struct Row {
    Vector3d q = Vector3d::Zero();       // m/s
    double mu = 0.0, scale = 0.0;        // scale: of the natural map
    double w_n = 0.0, w_t = 0.0;         // 1/kg: its own response, the largest of both tangents
    double w = 0.0;                      // their mean
    std::array<int, 2> body = {-1, -1};  // the second may be the world
    std::array<Matrix36, 2> J;
    std::array<int, 4> place;  // of the blocks (a, a), (a, b), (b, a), (b, b) in lu_
    Matrix3d G;                // of the last linearisation
    Vector3d g;
  };

  using Impulses = std::vector<Vector3d>;  // one per contact; velocities too

  struct Point {
    Impulses lambda, u;  // u with the proximal term
    double residual = 0.0;
  };

  int size() const { return static_cast<int>(rows_.size()); }
  void load_row(const ContactProblem& problem, const DiagonalBlocks& D, const ContactRows& from,
                std::span<const int> bodies, Row& row);
  void find_places();
  void find_velocities(const Impulses& lambda, bool with_q, Impulses& u);
  Vector3d phi(const Row& row, const Vector3d& lambda, const Vector3d& u) const;
  double measure(const Impulses& lambda, const Impulses& u) const;
  double offer(const Impulses& lambda);

  bool is_over() const;
  bool solve_inner(Impulses& lambda);
  bool find_direction(const Point& at);
  void linearise(const Point& at);
  bool choose_step(Point& at, double reference, double best);

  RigidNewtonOptions options_;
  RigidNewtonReport report_;
  std::vector<Row> rows_;
  std::vector<Matrix6d> whitening_;  // one per body: L^-T of A = L L'
  std::vector<std::array<int, 2>> couples_;
  BodyLu lu_;
  double alpha_ = 0.0;
  int inner_steps_ = 0;
  Impulses point_, centre_, best_, cut_, cut_u_;
  std::vector<Vector6d> x_;    // one per body
  std::vector<double> bests_;  // |Phi| after each step of an inner problem
  Point at_, direction_;
  Watchdog<Point> watchdog_;
};

}  // namespace tact
