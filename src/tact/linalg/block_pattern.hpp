// Which 3 x 3 blocks of a symmetric matrix can differ from zero. Fixed once, at the rest shape:
// which nodes of a mesh act on each other does not change while it moves.
//
// A block has a slot, its place in an array of values. Slots run row by row, with ascending columns
// in a row, over both triangles.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace tact {

class BlockPattern {
 public:
  BlockPattern() = default;
  // Couples in any order, repeated or with equal members as they come. The diagonal is always
  // there. Throws Error if a couple names a row that does not exist.
  BlockPattern(int rows, std::span<const std::array<int, 2>> couples);

  int rows() const { return static_cast<int>(first_slot_.size()) - 1; }
  int block_count() const { return first_slot_.back(); }

  std::span<const int> columns(int row) const  // ascending
  {
    return {columns_.data() + first_slot_[row], columns_.data() + first_slot_[row + 1]};
  }
  // The slot of columns(row)[k] is first_slot(row) + k. first_slot(rows()) is block_count().
  int first_slot(int row) const { return first_slot_[row]; }
  int diagonal_slot(int row) const { return diagonal_slot_[row]; }
  int slot(int row, int column) const;  // -1 where there is none

  friend bool operator==(const BlockPattern&, const BlockPattern&) = default;

 private:
  std::vector<int> first_slot_ = {0};
  std::vector<int> columns_;
  std::vector<int> diagonal_slot_;
};

}  // namespace tact
