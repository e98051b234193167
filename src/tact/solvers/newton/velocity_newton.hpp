// Newton's method in the velocities of an island, for bodies that are pressed together over many
// contacts: sweeps over these get on slowly, however exact each is.
//
//   u = q + J x,   lambda = C(lambda_0 - rho u),   F(x) = A x - rest - J' lambda = 0
//
// C cuts to the cone (law.hpp), and lambda_0 is the answer so far. A solution with lambda =
// lambda_0 obeys the contact law for any rho > 0; lambda_0 follows lambda when F is small: a
// proximal point method. With the bounds of friction held, F is the gradient of a convex function
// phi, and
//   K = A + J' (rho H) J,   H = dC/dy at these bounds
// its second derivative: symmetric, positive definite, and as sparse as A but for the nodes that
// share a contact. A step is -K^-1 F, to a hundredth, halved until phi falls; then the bounds
// follow. docs/newton.md tells when that converges, and how fast.
#pragma once

#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/diagonal_blocks.hpp>
#include <tact/contact/law.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/linalg/stale_cholesky.hpp>
#include <tact/solvers/newton/node_rows.hpp>

namespace tact {

struct VelocityNewtonOptions {
  double tolerance = 1e-3;  // m/s, on what Residuals::worst() is
  // Both in factorisations of K, in single precision, or what takes as long.
  double max_work = 80.0;
  double patience = 12.0;  // gives up where so much has not halved the residual
  FrictionLaw law = FrictionLaw::disc;
};

struct VelocityNewtonReport {
  SolveStatus status = SolveStatus::iteration_limit;
  int steps = 0;
  int factors = 0;     // of K; the other steps use an older one (StaleCholesky)
  double worst = 0.0;  // m/s: of the answer

  bool ok() const { return status == SolveStatus::converged; }
};

class VelocityNewton {
 public:
  // Contacts and all components that they act on; D has the diagonal blocks of A. The problem and D
  // must outlive the solve. `factors`: null or a factor of A for each component of the problem,
  // whose order of elimination is taken over where that is good.
  void load(const ContactProblem& problem, const DiagonalBlocks& D, std::span<const int> contacts,
            std::span<const int> components, std::span<const BlockCholesky* const> factors = {});

  // x = v - v*, the nodes of the components one after the other, and lambda, three a contact: the
  // start, and the best answer that was met.
  VelocityNewtonReport solve(const VelocityNewtonOptions& options, VectorXd& x, VectorXd& lambda);

 private:
  struct Row {
    Vector3d q = Vector3d::Zero();  // m/s
    double mu = 0.0;
    double scale = 0.0;             // 1/kg, of the natural map
    double rho = 0.0;               // kg
    Matrix3d H = Matrix3d::Zero();  // kg: rho H, as it is in K
  };

  // What is known at one x.
  struct Point {
    VectorXd x, u, y, lambda, F;  // F = A x - rest - J' lambda
    double worst = 0.0;           // m/s
    double momentum = 0.0;        // m/s: the part of `worst` that F is
  };

  int nodes() const { return static_cast<int>(node_.size()); }
  std::vector<int> known_order(std::span<const int> components,
                               std::span<const BlockCholesky* const> factors) const;
  void load_matrix(std::span<const int> components, std::span<const BlockCholesky* const> factors);
  void load_blocks(std::span<const int> components);
  void load_rows(std::span<const int> contacts);
  void choose_rho();
  void evaluate(const VectorXd& lambda_0, FrictionLaw law, Point& at) const;
  void measure(FrictionLaw law, Point& at) const;
  void find_velocities(const VectorXd& x, VectorXd& u) const;
  void restart_curvature();
  void find_curvature(const VectorXd& y, FrictionLaw law);
  VectorXd bounds_at(const VectorXd& y) const;
  void keep_statuses(const VectorXd& lambda_0, FrictionLaw law, VectorXd& x);
  void follow(const Point& at, FrictionLaw law, VectorXd& lambda_0) const;
  double merit(const VectorXd& x, const VectorXd& lambda_0, const VectorXd& bounds,
               FrictionLaw law);
  double search(const Point& at, const VectorXd& lambda_0, const VectorXd& step, FrictionLaw law);

  const ContactProblem* problem_ = nullptr;
  const DiagonalBlocks* D_ = nullptr;
  std::vector<int> component_;    // of the problem: those of the island
  std::vector<int> first_local_;  // one a component of the island, and the number of nodes
  std::vector<int> node_;         // local node -> node of the problem
  std::vector<int> local_;        // node of the problem -> local node
  std::vector<Row> rows_;
  NodeRows J_;  // with local nodes
  BlockMatrix A_, K_;
  StaleCholesky system_;  // of K
  VectorXd rest_;         // of the island, zeros where the problem has none
  VectorXd trial_, trial_u_, product_;
};

}  // namespace tact
