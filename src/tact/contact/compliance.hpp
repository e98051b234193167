// W = J A^-1 J' of the contacts on one component: how each of them answers to the others.
//
//   A = L L',  Y = L^-1 J',  W = Y' Y
//
// Y is made for eight columns of J' at a time, one a SIMD lane, from the first row on that is not
// zero. Contacts can be appended: their columns join Y, and W gets new rows and columns.
//
// Numbers are addressed by slots, three in a row for a contact. Every batch of contacts starts at a
// multiple of eight; slots in between belong to no contact, and their rows of W are zero.
#pragma once

#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/linalg/block_cholesky.hpp>
#include <tact/linalg/lanes.hpp>

namespace tact {

class Compliance {
 public:
  void clear() { groups_ = 0; }  // forgets all contacts

  // The blocks of each contact; node `first_node` is the first of the component. Their slots follow
  // on those there are. The factor must be the same until clear(). Allocates only when there were
  // never so many contacts.
  void append(const BlockCholesky& factor, std::span<const std::span<const RowBlock>> contacts,
              int first_node);

  int slots() const { return 8 * groups_; }
  int stride() const { return stride_; }  // of W; the rest of a row beyond slots() is not set
  // Three rows of a contact, or columns: W is symmetric. On a 64-byte boundary.
  const double* row(int slot) const { return W_.data() + static_cast<std::size_t>(slot) * stride_; }

 private:
  void reserve(int groups);
  double* column_group(int group) { return Y_.data() + static_cast<std::size_t>(group) * depth_; }
  void multiply(int group, int other);

  std::size_t depth_ = 0;       // numbers in eight columns of Y
  int groups_ = 0;              // of eight columns
  std::vector<int> first_row_;  // of each group: block row of Y before which all is zero
  LaneBuffer Y_;
  LaneBuffer W_;
  int stride_ = 0;
};

}  // namespace tact
