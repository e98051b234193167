// Solves A v = b, component by component: by Cholesky, or by preconditioned conjugate gradients
// where these take less time. A alone decides which, so that a run that goes on from a checkpoint
// does the same.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <tact/linalg/block_cholesky.hpp>
#include <tact/linalg/block_pcg.hpp>
#include <tact/sim/linear_dynamics.hpp>

namespace tact {

struct DynamicsOptions {
  // Up to this many nodes a component may be factored. Components that joints hold together are
  // factored whatever their size: stiff joints are what conjugate gradients are worst at.
  int max_factored_nodes = 5000;
  // Up to this many nodes it always is: contact solvers want the factors of small bodies.
  int min_iterated_nodes = 1000;
  PcgOptions pcg = {.tolerance = 1e-10, .max_iterations = 2000};
};

struct DynamicsReport {
  int pcg_iterations = 0;  // summed over components
  bool solved = true;      // false: some A was not positive definite, or did not converge
  int component = -1;      // the first of those
};

class DynamicsSolver {
 public:
  DynamicsSolver(const World& world, const DynamicsOptions& options = {});

  // v: on entry the guess that conjugate gradients start from, on return the answer.
  DynamicsReport solve(const std::vector<BlockMatrix>& A, const VectorXd& b, VectorXd& v);

  // Components that conjugate gradients would solve are only brought near the answer to b + f, to
  // an error e with e' A e <= speed^2 m, m their mass: as that is more than e' M e, v is off by no
  // more than `speed` (m/s). What is left, b - A v, goes to `rest`; the others are solved, and have
  // none.
  DynamicsReport come_near(const std::vector<BlockMatrix>& A, const VectorXd& b, const VectorXd& f,
                           double speed, VectorXd& v, VectorXd& rest);

  // The factors after solve(), one a component, null where the last solve made none.
  std::span<const BlockCholesky* const> factors() const { return factors_; }

 private:
  struct Part {
    int first = 0;  // of its entries in v
    std::optional<BlockCholesky> cholesky;
    bool may_iterate = true;
    BlockPcg pcg;
    VectorXd b, x;
    bool factored = false;  // in the last solve
    PcgReport report;
  };
  bool iterates(const Part& part, const BlockMatrix& A) const;
  void solve(Part& part, const BlockMatrix& A, const VectorXd& b, VectorXd& v) const;
  void come_near(Part& part, const BlockMatrix& A, const VectorXd& b, const VectorXd& f,
                 double speed, VectorXd& v, VectorXd& rest) const;
  DynamicsReport summary();

  DynamicsOptions options_;
  std::vector<Part> parts_;  // one a component
  std::vector<const BlockCholesky*> factors_;
};

}  // namespace tact
