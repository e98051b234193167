// The springs of a cloth in the order of the rows of A: each spring stands twice, once in the row
// of either end, so that a vertex sums its own springs and threads take rows. The same ranges of
// rows give the same bits. What is computed twice costs less than a second pass over memory.
//
// Seen from vertex a, with d = x_b - x_a, l = |d|, n = d / l and c = damping x k:
//   force  f = (k (l - l_0) + c n . (v_b - v_a)) n
//   block  B = h (c + h k) n n' + h^2 k max(0, 1 - l_0 / l) (1 - n n'),   A_aa += B, A_ab -= B
// The block across a compressed spring would be negative and is left out. A spring of length zero
// has no direction: it pulls nowhere, is damped alike in all directions, and B = h (c + h k) 1.
#pragma once

#include <array>
#include <vector>

#include <tact/bodies/cloth.hpp>

namespace tact {

class SpringRows {
 public:
  SpringRows(int vertex_count, const std::vector<ClothSpring>& springs, double damping);

  void add_couples(int first_node, std::vector<std::array<int, 2>>& couples) const;
  void bind(const BlockPattern& pattern, int first_node);
  int diagonal_slot(int vertex) const { return diagonal_slot_[vertex]; }

  // For the rows first_vertex <= a < last_vertex. x, v, b and f have three numbers a vertex; A and
  // b are added to. The damping cancels in b = h F + (M - h dF/dv) v, so v is not asked for.
  struct Range {
    int first_vertex = 0, last_vertex = 0;
  };
  void add_linearised(Range rows, double dt, const double* x, BlockMatrix& A, double* b) const;
  void add_forces(Range rows, const double* x, const double* v, double* f) const;

 private:
  struct Batch;
  void measure(Batch& batch, int first, const double* x) const;
  void linearise(Batch& batch, int first, double dt) const;

  double damping_;              // s
  std::vector<int> row_start_;  // ends of vertex a: row_start_[a] to row_start_[a + 1]
  std::vector<int> a_, b_;      // vertices, a is the row; one entry an end of a spring, as below
  std::vector<double> stiffness_, rest_length_;
  std::vector<int> slot_, diagonal_slot_;  // of (a, b) an end and of (a, a) a vertex
};

}  // namespace tact
