// J of contacts by nodes, and what it adds to a matrix of nodes:
//
//   K = A + J' G J,  G one 3 x 3 block a contact
//
// is as sparse as A but for nodes that share a contact. Newton's methods in velocities have it in
// common: they differ in G, and in how they solve with K.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>

namespace tact {

class NodeRows {
 public:
  int contacts() const { return static_cast<int>(first_.size()) - 1; }
  std::span<const RowBlock> of(int contact) const
  {
    return std::span(blocks_).subspan(first_[contact], first_[contact + 1] - first_[contact]);
  }

  void clear();
  void add(const RowBlock& block) { blocks_.push_back(block); }
  void close_contact() { first_.push_back(static_cast<int>(blocks_.size())); }
  void scale(std::span<const double> factors);  // one a contact

  // The nodes that contacts couple, for the pattern of K; and where their blocks stand in it.
  void add_couples(std::vector<std::array<int, 2>>& couples) const;
  void find_slots(const BlockPattern& pattern_of_K);

  // K += J_c' G J_c of a contact.
  void add(int contact, const Matrix3d& G, BlockMatrix& K) const;

  // u += J_c v, and p += J_c' lambda_c.
  void add_velocity(int contact, const VectorXd& v, Vector3d& u) const
  {
    for (const RowBlock& block : of(contact)) u += block.J * v.segment<3>(3 * block.node);
  }
  void add_impulse(int contact, const Vector3d& lambda, VectorXd& p) const
  {
    for (const RowBlock& block : of(contact))
      p.segment<3>(3 * block.node) += block.J.transpose() * lambda;
  }

 private:
  std::vector<int> first_ = {0};  // of each contact's blocks, and their number at the end
  std::vector<RowBlock> blocks_;
  std::vector<int> slots_, first_slot_;  // in K, of each contact's block i with its block j
};

}  // namespace tact
