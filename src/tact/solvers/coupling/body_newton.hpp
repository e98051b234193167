// Newton's method in the velocities of rigid bodies alone, for problems in which no node has more
// than one contact.
//
// Hold the bodies at some velocity z: then contacts with nodes do not see each other, and each has
// an impulse lambda_c(z) of its own, found in closed form or by a few local passes. What is left
// are six equations a body,
//
//   F(z) = M z - sum_c J_c' lambda_c(z) - J_r' lambda_r = 0,   contact law (q_r + J_r z, lambda_r)
//
// r being the contacts of rigid bodies alone, if there are any. Newton's step has the matrix
// K = M + sum_c J_c' H_c J_c, H_c = -d lambda_c / d u_c, and solves the small contact problem of r
// by Gauss-Seidel on J_r K^-1 J_r'. One evaluation of F and K is one pass over the contacts, in
// parallel pieces and SIMD lanes: a sweep with the bodies held. Steps are shortened until |K^-1
// F|_M falls (Deuflhard's natural monotonicity test).
//
// On one body it takes some six sweeps, whatever the number of contacts: the collective mode, on
// which sweeps that let the body follow each contact converge slowly, is what it solves for.
#pragma once

#include <vector>

#include <tact/linalg/dense_lu.hpp>
#include <tact/solvers/coupling/compact_rows.hpp>
#include <tact/solvers/coupling/coupled_problem.hpp>

namespace tact {

class BodyNewton {
 public:
  // Whether no node has two contacts, every contact moves something, and what is dense stays small.
  [[nodiscard]] static bool applies(const CoupledProblem& problem);

  // Allocates when there is more than before. The rows: of the same problem, in one chunk.
  void load(const CoupledProblem& problem);

  // From the velocities of bodies in w, until the velocities that lambda gives to bodies are within
  // `tolerance` (m/s, at their contacts) of those that it was found for. Returns the sweeps made;
  // lambda is that of the last.
  int solve(const CompactRows& rows, double tolerance, int max_sweeps, VectorXd& lambda,
            const VectorXd& w);

  // Of the last solve.
  bool reached() const { return reached_; }

  // Contacts of one body in lanes; else one by one, for comparison.
  bool use_lanes = true;

 private:
  struct Piece {
    RowRange contacts;
    MatrixXd K;
    VectorXd force;
  };

  void hold(const CompactRows& rows, const VectorXd& z, VectorXd& lambda);  // lambda(z), K, F
  void hold_piece(const CompactRows& rows, const VectorXd& z, double* lambda, Piece& piece) const;
  static void hold_contact(const CompactRows& rows, int c, const VectorXd& z, double* lambda,
                           Piece& piece);
  bool find_step(const CompactRows& rows, double tolerance, const VectorXd& lambda);
  void relax_rigid(const CompactRows& rows, double accuracy);  // m/s
  double mismatch() const;                                     // m/s
  double mass_norm(const VectorXd& x) const;

  std::vector<Matrix6d> mass_, inverse_;
  std::vector<double> reach_;  // m: longest arm of a body
  std::vector<Piece> pieces_;
  int first_rigid_ = 0;  // contacts from here on are of rigid bodies alone
  bool reached_ = false, rigid_settled_ = false;

  VectorXd z_, trial_, step_;
  VectorXd F_;                     // at z_
  VectorXd start_;                 // Newton's z without impulses of rigid contacts
  MatrixXd K_;                     // at z_
  DenseLu factor_;                 // of an earlier K_, while steps are tried
  std::vector<VectorXd> columns_;  // K^-1 J_r', three a rigid contact
  VectorXd rigid_lambda_, old_rigid_lambda_;
};

}  // namespace tact
