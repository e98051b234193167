// The numeric part. Supernodes are finished from left to right; a finished panel is subtracted from
// the panels on its right at once ("right-looking"), so that no work matrix is needed:
//
//   panel(s):  L_jj L_jj' = A_jj,  L_ij = A_ij L_jj^-T                       j in s, i >= j
//   target:    A_ij -= sum_k L_ik L_jk                               k in s; i, j rows below s, i >= j
//
// Both inner loops are the same product: three columns of the target, a few block rows in registers.
#include <tact/linalg/block_cholesky.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <tact/core/error.hpp>
#include <tact/linalg/elimination.hpp>
#include <tact/linalg/panel.hpp>

namespace tact {

namespace {

// A pivot that lost all its digits is as good as negative: what is left of a_ii is round-off.
constexpr double smallest_pivot = 8.0 * std::numeric_limits<double>::epsilon();  // times a_ii

// Three columns of a panel and some of its rows, as the target of a product.
struct Tile {
  Padded3* columns;  // row 0 of the first column
  int height;        // the distance of columns
};

// tile(row_of(r), c) -= sum_k panel(first + r, k) panel(pivot_row, k)[c],  r < count
template <int count, class RowOf>
void subtract_product(const Padded3* panel, int height, int columns, int first, int pivot_row,
                      const Tile& tile, const RowOf& row_of)
{
  Padded3 sum[3][count];
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < count; ++r) sum[c][r] = tile.columns[c * tile.height + row_of(r)];
  }
  const Padded3* column = panel;
  for (int k = 0; k < columns; ++k, column += height) {
    const double* pivot = as_doubles(column + pivot_row);
    for (int r = 0; r < count; ++r) {
      const Padded3 l = column[first + r];
      for (int c = 0; c < 3; ++c) sum[c][r] -= l * pivot[c];
    }
  }
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < count; ++r) tile.columns[c * tile.height + row_of(r)] = sum[c][r];
  }
}

// A_jj = L_jj L_jj' in the lower triangle of a block, replaced by L_jj^-1. False unless the pivots are
// positive beyond round-off of the diagonal of `original`, the block of A.
bool invert_factor(Padded3* block, int height, const Matrix3d& original, Matrix3d& inverse)
{
  double* c0 = as_doubles(block);
  double* c1 = as_doubles(block + height);
  double* c2 = as_doubles(block + 2 * height);
  const auto sound = [&](double pivot, int i) {
    return pivot > smallest_pivot * original(i, i) && pivot > 0.0 && std::isfinite(pivot);
  };
  const double d0 = c0[0];
  const double i0 = 1.0 / std::sqrt(d0);
  const double l10 = c0[1] * i0, l20 = c0[2] * i0;
  const double d1 = c1[1] - l10 * l10;
  const double i1 = 1.0 / std::sqrt(d1);
  const double l21 = (c1[2] - l20 * l10) * i1;
  const double d2 = c2[2] - l20 * l20 - l21 * l21;
  const double i2 = 1.0 / std::sqrt(d2);
  if (!sound(d0, 0) || !sound(d1, 1) || !sound(d2, 2)) return false;
  const double m10 = -l10 * i0 * i1;
  const double m21 = -l21 * i1 * i2;
  const double m20 = -(l20 * i0 + l21 * m10) * i2;
  inverse << i0, 0.0, 0.0, m10, i1, 0.0, m20, m21, i2;
  for (int j = 0; j < 3; ++j) {
    block[j * height] = Padded3{inverse(0, j), inverse(1, j), inverse(2, j), 0.0};
  }
  return true;
}

// Rows first ... of three columns, times L_jj^-T.
void scale_rows(Padded3* columns, int height, int first, const Matrix3d& inverse)
{
  Padded3 *c0 = columns, *c1 = columns + height, *c2 = columns + 2 * height;
  for (int r = first; r < height; ++r) {
    const Padded3 a0 = c0[r], a1 = c1[r], a2 = c2[r];
    c0[r] = a0 * inverse(0, 0);
    c1[r] = a0 * inverse(1, 0) + a1 * inverse(1, 1);
    c2[r] = a0 * inverse(2, 0) + a1 * inverse(2, 1) + a2 * inverse(2, 2);
  }
}

bool factor_panel(const BlockMatrix& A, const Elimination& e, const Supernode& node, Padded3* panel)
{
  for (int j = 0; j < node.width; ++j) {
    const Tile tile{panel + 3 * j * node.height, node.height};
    if (j > 0) {
      for_chunks<4>(node.height - j, [&]<int count>(int start) {
        const int first = j + start;
        subtract_product<count>(panel, node.height, 3 * j, first, j, tile,
                                [&](int r) { return first + r; });
      });
    }
    Matrix3d inverse;
    const Matrix3d& original = A.blocks[e.diagonal_slots[node.first_column + j]];
    if (!invert_factor(tile.columns + j, node.height, original, inverse)) return false;
    scale_rows(tile.columns, node.height, j + 1, inverse);
  }
  return true;
}

// Subtracts a finished panel from the columns of one target.
void update_target(const Elimination& e, const Supernode& node, const PanelUpdate& update,
                   Padded3* values)
{
  const Padded3* panel = values + node.panel;
  const Supernode& target = e.supernodes[update.target];
  const int* target_rows = e.target_rows.data() + update.first_target_row;
  const int rows = node.height - node.width - update.first_below;
  for (int j = 0; j < update.count; ++j) {
    const Tile tile{values + target.panel + 3 * target_rows[j] * target.height, target.height};
    const int pivot_row = node.width + update.first_below + j;
    for_chunks<4>(rows - j, [&]<int count>(int start) {
      const int* place = target_rows + j + start;
      subtract_product<count>(panel, node.height, 3 * node.width, pivot_row + start, pivot_row,
                              tile, [&](int r) { return place[r]; });
    });
  }
}

// Targets differ, so that their order does not matter: large panels are subtracted on several threads.
void update_targets(const Elimination& e, int supernode, Padded3* values)
{
  constexpr double worth_threads = 2e4;  // products of blocks: some 50 us
  const Supernode& node = e.supernodes[supernode];
  const int first = node.first_update, last = e.supernodes[supernode + 1].first_update;
  const double below = node.height - node.width;
  if (0.5 * node.width * below * below < worth_threads) {
    for (int u = first; u < last; ++u) update_target(e, node, e.updates[u], values);
    return;
  }
  tbb::parallel_for(
      first, last, [&](int u) { update_target(e, node, e.updates[u], values); },
      tbb::simple_partitioner());
}

void scatter(const BlockMatrix& A, const Elimination& e, Padded3* values)
{
  for (const BlockPlace& to : e.places) {
    const double* block = A.blocks[to.slot].data();
    for (int j = 0; j < 3; ++j) values[to.place + j * to.height] = load3(block + 3 * j);
  }
}

}  // namespace

BlockCholesky::BlockCholesky(const BlockPattern& pattern)
    : elimination_(std::make_shared<const Elimination>(analyse(pattern))),
      values_(4 * static_cast<std::size_t>(elimination_->supernodes.back().panel))
{
}

bool BlockCholesky::factor(const BlockMatrix& A)
{
  const Elimination& e = *elimination_;
  if (static_cast<int>(A.blocks.size()) != e.block_count) {
    throw Error(
        fmt::format("BlockCholesky: the matrix has {} blocks, expected the {} of the pattern "
                    "that was analysed",
                    A.blocks.size(), e.block_count));
  }
  std::fill(values_.begin(), values_.end(), 0.0);
  Padded3* values = as_padded(values_.data());
  scatter(A, e, values);
  for (int s = 0; s < e.supernode_count(); ++s) {
    const Supernode& node = e.supernodes[s];
    if (!factor_panel(A, e, node, values + node.panel)) return false;
    update_targets(e, s, values);
  }
  return true;
}

const std::vector<int>& BlockCholesky::order() const
{
  return elimination_->order;
}

const std::vector<int>& BlockCholesky::position() const
{
  return elimination_->position;
}

int BlockCholesky::factor_block_count() const
{
  return elimination_->factor_block_count;
}

double BlockCholesky::work() const
{
  return elimination_->work;
}

}  // namespace tact
