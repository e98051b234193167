// Newton's system of an interior point on a coupled problem, with nodes and contacts eliminated:
// six equations per rigid body, whatever the number of contacts, as sparse as bodies that touch.
//
//   dz = r_c - T (J_B dw_B + G dx + r),   M_B dw_B = J_B' dz,   dx = D^-1 G' dz
//
// J_B and G are the columns of bodies and of nodes in scaled rows P^-1 J, P = diag(mu, 1, 1). Where
// no node has two contacts, nodes answer to their own contact alone: with S = G D^-1 G'
//
//   dz = (I + T S)^-1 (r_c - T r) - (I + T S)^-1 T J_B dw_B
//   (M_B + sum J_B' (I + T S)^-1 T J_B) dw_B = sum J_B' (I + T S)^-1 (r_c - T r)
//
// T is not symmetric: it has the derivative of De Saxce's shift.
#pragma once

#include <vector>

#include <tact/solvers/coupling/coupled_problem.hpp>
#include <tact/solvers/newton/body_lu.hpp>

namespace tact {

class CondensedSystem {
 public:
  // What an interior point knows of a contact.
  struct Term {
    Matrix3d T = Matrix3d::Zero();
    Vector3d r = Vector3d::Zero();
    Vector3d r_c = Vector3d::Zero();
  };

  // Whether no node has two contacts and every contact moves something, bodies among it.
  [[nodiscard]] static bool applies(const CoupledProblem& problem);

  // `proximal`: so many times the contact's own response is added to S, which keeps the matrix away
  // from singular where impulses are not determined. The problem must outlive the system.
  void load(const CoupledProblem& problem, double proximal);

  // False: singular to working precision.
  bool factor(const std::vector<Term>& terms);
  // dz, three entries a contact, for the r and r_c of the terms; T is that of factor().
  void solve(const std::vector<Term>& terms, VectorXd& dz);

  // J_B dw_B + G dx + proximal: dy without r and without the derivative of the shift. Of the last
  // solve.
  Vector3d velocity(int contact, const VectorXd& dz) const;

 private:
  struct Piece {
    int first = 0, last = 0;  // contacts
    std::vector<Matrix6d> K;  // by place in lu_
    VectorXd force;
  };

  void find_places();
  Matrix36d rows(const CoupledContact& contact, const BodySupport& support) const;

  const CoupledProblem* problem_ = nullptr;
  std::vector<Matrix3d> S_;        // of each contact, scaled
  std::vector<Matrix3d> inverse_;  // (I + T S)^-1
  std::vector<Piece> pieces_;
  BodyLu lu_;
  std::vector<int> place_;  // of the blocks of each contact, in lu_: body a with body b
  std::vector<int> first_place_;
  VectorXd dw_;  // six entries a body
};

// Divides the first row and column, or the first entry, by mu; 1 stands for contacts without
// friction.
[[nodiscard]] double cone_scale(const CoupledContact& contact);

}  // namespace tact
