// The explicit inverse Z = K^-1 of a small square matrix whose rows and columns come and go.
//
// Each change is one rank-one update, 2 r^2 flops, against 2/3 r^3 for a new factorisation: the
// cheaper way for every size that pivoting methods meet here (r up to a few hundred). Round-off
// builds up slowly; whoever solves with Z corrects the solution against the true K and calls
// set_from() when a correction no longer helps.
//
// Z has one row per column of K ("basic") and one column per row of K. Vectors handed in must have
// room for capacity() entries, and those over a row of Z must be zero past size(): loops run over
// whole groups of eight lanes.
#pragma once

#include <vector>

#include <tact/linalg/lanes.hpp>

namespace tact {

class UpdatedInverse {
 public:
  // Makes room for K up to `largest` rows and empties it. Allocates only when it must grow.
  void reset(int largest);

  int size() const { return size_; }
  int capacity() const { return stride_; }
  double operator()(int basic, int k_row) const { return z_[offset(basic) + index(k_row)]; }

  // y = Z b, y over basics, b over rows of K.
  void multiply(const double* b, double* y) const;
  // w' = c' Z, c over basics, w over rows of K (padding of w is set to zero).
  void multiply_transposed(const double* c, double* w) const;

  // K gains a last column b and a last row (c', e). In: minus_zb = -Z b, w = c' Z (w[size()] is
  // scratch), schur = e - c' Z b.
  void border(const double* minus_zb, double* w, double schur);
  // Column `basic` of K becomes b. In: minus_zb = -Z b.
  void replace_column(int basic, const double* minus_zb);
  // Row `k_row` of K becomes c'. In: w = c' Z, overwritten.
  void replace_row(int k_row, double* w);
  // K loses a row and a column; the last row and the last column move into the gaps.
  void remove(int k_row, int basic);

  // Rotates rows p and e of K: (p, e) <- (c p - s e, s p + c e).
  void rotate_rows(int p, int e, double c, double s);
  // Changes basis among three columns of K whose combinations span the same space: given the new
  // coordinates (a', b') = Q (a, b), n' = n + (a + b) - (a' + b') of every vector.
  void recombine(int a, int b, int n, const double Q[4]);

  // Takes over an inverse computed elsewhere: column(p, out) writes the p-th column of K^-1.
  template <class Column>
  void set_columns(int size, const Column& column)
  {
    clear(size);
    for (int p = 0; p < size; ++p) {
      column(p, scratch_.data());
      for (int i = 0; i < size; ++i) z_[offset(i) + index(p)] = scratch_[index(i)];
    }
  }

 private:
  static std::size_t index(int k) { return static_cast<std::size_t>(k); }
  std::size_t offset(int basic) const { return index(basic) * index(stride_); }
  Lanes* lanes(int basic) { return reinterpret_cast<Lanes*>(&z_[offset(basic)]); }
  const Lanes* lanes(int basic) const { return reinterpret_cast<const Lanes*>(&z_[offset(basic)]); }
  int blocks(int count) const { return round_up_8(count) / lane_width; }
  void clear(int size);

  int size_ = 0;
  int stride_ = 0;
  LaneBuffer z_;
  std::vector<double> scratch_;
};

}  // namespace tact
