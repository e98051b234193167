// LU factors of an unsymmetric matrix of 6 x 6 blocks, one row of blocks per rigid body, whose
// pattern is symmetric: bodies that touch. Pivots are sought within a body's own block only, so
// that the order of elimination can be chosen beforehand, by minimum degree: chains of bodies take
// linear time. Does not allocate where there are no more bodies and couples than before.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/core/types.hpp>

namespace tact {

class BodyLu {
 public:
  // Chooses the order of elimination, unless all is as it was last time. Couples: bodies that
  // touch, in any order, repeated as they come.
  void begin(int bodies, std::span<const std::array<int, 2>> couples);

  int bodies() const { return static_cast<int>(order_.size()); }

  // Where a block stands; the bodies must be equal or a couple.
  int place(int row, int column) const;
  int blocks() const { return static_cast<int>(values_.size()); }  // places, those of fill included
  void set_zero();
  Matrix6d& operator[](int place) { return values_[place]; }

  // False: a pivot is zero or not finite, and solve() must not be called.
  bool factor();
  // x := matrix^-1 x, six numbers per body
  void solve(std::span<double> x);

  double work() const { return work_; }  // of one factorisation, in products of 6 x 6 blocks

 private:
  std::span<const int> below(int k) const
  {
    return {rows_.data() + first_[k], rows_.data() + first_[k + 1]};
  }
  int lower(int k) const { return bodies() + first_[k]; }
  int upper(int k) const { return bodies() + static_cast<int>(rows_.size()) + first_[k]; }
  void analyse(int bodies);
  void find_neighbours(int bodies);
  int least_joined(int bodies) const;
  void join_neighbours(int body, int gone);
  void eliminate(int k);

  std::vector<std::array<int, 2>> couples_, fresh_;  // ascending, each once
  std::vector<std::vector<int>> neighbours_;  // of each body while it is not eliminated, ascending
  std::vector<int> merged_;
  // In the order of elimination.
  std::vector<int> order_, position_;  // body eliminated as k-th, and the inverse
  std::vector<int> first_;             // of column k in rows_, and all of them at the end
  std::vector<int> rows_;              // below the diagonal, ascending in each column
  // Diagonal blocks, inverted by factor(); then the blocks below them column by column, then those
  // beside them row by row.
  std::vector<Matrix6d> values_;
  std::vector<Vector6d> ordered_;
  double work_ = 0.0;
};

}  // namespace tact
