// Systems in W = J A^-1 J', solved in the velocities where A is sparse and W is not:
//
//   K = A + J' G J,  G one 3 x 3 block a contact (newton/node_rows.hpp)
//   dlambda = -(g + G u)  with  u = W dlambda:   u = -J K^-1 J' g
//
// G of contacts that slide is unsymmetric, since pressing makes friction. Without that part K has a
// sparse Cholesky factor, with which GMRES takes some 15 iterations to K itself. A factor serves
// while few contacts change.
//
// On three cloths between soft solids, 1,350 contacts and 3,252 nodes, a Newton step takes 35 ms,
// with a dense factorisation in impulses 115.
#pragma once

#include <span>
#include <vector>

#include <tact/linalg/block_cholesky.hpp>
#include <tact/linalg/gmres.hpp>
#include <tact/solvers/newton/node_rows.hpp>

namespace tact {

// How W of a problem in space came about: plain data, in the units of the problem.
struct VelocityForm {
  BlockMatrix A;  // kg: symmetric positive definite
  NodeRows J;
};

class VelocitySystem {
 public:
  // scale: a factor for the rows of J of each contact.
  VelocitySystem(const VelocityForm& form, std::span<const double> scale);

  // u = W x
  void multiply(const VectorXd& x, VectorXd& u);

  // u = J K^-1 J' g, with tolerance on the velocities. False: not found.
  bool solve(std::span<const Matrix3d> G, const VectorXd& g, double tolerance, VectorXd& u);

  // x := (W + rho)^-1 x. False: singular to working precision.
  bool factor_shifted(double rho);
  void solve_shifted(VectorXd& x);

  // Operations of a Newton step and of a solve with W + rho, as factorisation_work() counts them.
  double step_work() const;
  double solve_work() const;

  int factors() const { return factors_; }  // so far
  int iterations() const { return gmres_.iterations(); }

 private:
  void scatter(const VectorXd& x, VectorXd& p) const;  // p = J' x
  void gather(const VectorXd& v, VectorXd& u) const;   // u = J v
  void assemble(std::span<const Matrix3d> G, BlockMatrix& K) const;
  bool factor(std::span<const Matrix3d> G);
  bool is_factor_near(std::span<const Matrix3d> G) const;
  bool iterate(int max_iterations, double tolerance);

  NodeRows J_;
  BlockMatrix A_, K_, K_symmetric_;
  BlockCholesky response_;           // of A
  BlockCholesky factor_;             // of K_symmetric_
  std::vector<Matrix3d> symmetric_;  // G without what makes it unsymmetric
  std::vector<Matrix3d> factored_;   // the G that factor_ is of; empty: none
  double rho_ = 0.0;
  Gmres gmres_;
  int factors_ = 0;
  VectorXd p_, b_, v_, product_;
};

}  // namespace tact
