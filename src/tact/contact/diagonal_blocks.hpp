// D^-1, the inverse diagonal blocks of A: 3 x 3 a node, 6 x 6 a rigid body.
#pragma once

#include <vector>

#include <tact/contact/contact_problem.hpp>

namespace tact {

class DiagonalBlocks {
 public:
  // False: a block is not positive definite. Allocates when the problem has more nodes than before.
  bool load(const ContactProblem& problem);

  int nodes() const { return static_cast<int>(own_.size()); }

  // The other node of a rigid body, -1 for a node that is none.
  int partner(int node) const { return partner_[node]; }
  // Whether the node is the angular velocity of a rigid body.
  bool turns(int node) const { return partner_[node] >= 0 && partner_[node] < node; }
  // The block of D^-1 in row `node`, in its own column and in its partner's.
  const Matrix3d& own(int node) const { return own_[node]; }
  Matrix3d cross(int node) const;

  // kg: of the node alone, without what holds it to its neighbours.
  double mass(int node) const { return mass_[node]; }

  // D^-1 r at a node. r: the three entries of the node, with its partner's beside them.
  Vector3d solve(int node, const double* r) const;

 private:
  void load_rigid(int node, const Matrix6d& inverse);

  std::vector<Matrix3d> own_;
  std::vector<int> partner_;
  std::vector<int> rigid_;       // which rigid body, -1
  std::vector<Matrix3d> cross_;  // one a rigid body: row of the linear, column of the angular part
  std::vector<double> mass_;
};

// trace(J M^-1 J') / 3 of a contact, 1/kg: its response if nodes were free of each other (rigid
// bodies stay whole). The true response trace(J A^-1 J') / 3 is never larger, since A >= M.
double response(const ContactProblem& problem, const DiagonalBlocks& D, const ContactRows& contact);
// The same of a bilateral row, J M^-1 J'.
double response(const ContactProblem& problem, const DiagonalBlocks& D, const BilateralRow& row);

}  // namespace tact
