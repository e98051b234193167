// The numeric part of A = L L'. In a task, supernodes are finished from left to right; a finished
// panel is subtracted from those on its right at once ("right-looking"): no work matrix is needed.
//
//   panel(s):  L_jj L_jj' = A_jj,  L_ij = A_ij L_jj^-T                       j in s, i >= j
//   target:    A_ij -= sum_k L_ik L_jk                            k in s; i, j rows below s, i >= j
//
// Both inner loops are the same product: three columns of the target, a few block rows
// in registers.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include <tact/linalg/block_matrix.hpp>
#include <tact/linalg/elimination.hpp>
#include <tact/linalg/panel.hpp>

namespace tact::panel_factor {

// A pivot that lost all its digits is as good as negative: what is left of a_ii is round-off.
template <class Real>
constexpr double smallest_pivot = 8.0 * std::numeric_limits<Real>::epsilon();  // times a_ii

// Three columns of a panel and some of its rows, as the target of a product.
template <class Real>
struct Tile {
  PanelRow<Real>* columns;  // row 0 of the first column
  int height;               // the distance of columns
};

// Rows of the target: as listed, or in a run.
struct ListedRows {
  const int* rows;
  int operator[](int r) const { return rows[r]; }
  ListedRows from(int r) const { return {rows + r}; }
};

struct RunOfRows {
  int first;
  int operator[](int r) const { return first + r; }
  RunOfRows from(int r) const { return {first + r}; }
};

// tile(places[r], c) -= sum_k panel(first + r, k) panel(pivot_row, k)[c],  r < rows, `count` groups
template <class Real, int count, class Places>
[[gnu::always_inline]] inline void subtract_product(const PanelRow<Real>* panel, int height,
                                                    int columns, int first, int rows, int pivot_row,
                                                    const Tile<Real>& tile, Places places)
{
  constexpr int step = rows_per_wide<Real>;
  PanelWide<Real> sum[3][count] = {};
  const PanelRow<Real>* column = panel;
  for (int k = 0; k < columns; ++k, column += height) {
    const Real* pivot = numbers(column + pivot_row);
    for (int g = 0; g < count; ++g) {
      const PanelWide<Real> l = in_register<Real>(wide_at<Real>(column + first + step * g));
      for (int c = 0; c < 3; ++c) sum[c][g] += l * pivot[c];
    }
  }
#pragma GCC unroll 4
  for (int g = 0; g < count; ++g) {
    const int place = places[step * g];
    const bool all = step == 1 || step * g + 1 < rows;  // of the rows of the group
    PanelRow<Real>* to = tile.columns + place;
    if (all && places[step * (g + 1) - 1] == place + step - 1) {
#pragma GCC unroll 3
      for (int c = 0; c < 3; ++c, to += tile.height)
        set_wide<Real>(to, wide_at<Real>(to) - sum[c][g]);
    } else {
#pragma GCC unroll 3
      for (int c = 0; c < 3; ++c) to[c * tile.height] -= row_of(sum[c][g], 0);
      if (!all) break;
      to = tile.columns + places[step * g + 1];
#pragma GCC unroll 3
      for (int c = 0; c < 3; ++c) to[c * tile.height] -= row_of(sum[c][g], 1);
    }
  }
}

// The same for any number of rows.
template <class Real, class Places>
void subtract_products(const PanelRow<Real>* panel, int height, int columns, int first, int rows,
                       int pivot_row, const Tile<Real>& tile, Places places)
{
  constexpr int step = rows_per_wide<Real>;
  for_chunks<4>(groups_of<Real>(rows), [&]<int count>(int group) {
    const int start = step * group;
    subtract_product<Real, count>(panel, height, columns, first + start,
                                  std::min(rows - start, step * count), pivot_row, tile,
                                  places.from(start));
  });
}

// A_jj = L_jj L_jj' in the lower triangle of a block, replaced by L_jj^-1. False unless the pivots
// are positive beyond round-off of the diagonal of `original`, the block of A.
template <class Real>
bool invert_factor(PanelRow<Real>* block, int height, const Matrix3d& original, Matrix3d& inverse)
{
  const Real* c0 = numbers(block);
  const Real* c1 = numbers(block + height);
  const Real* c2 = numbers(block + 2 * height);
  const auto sound = [&](double pivot, int i) {
    return pivot > smallest_pivot<Real> * original(i, i) && pivot > 0.0 && std::isfinite(pivot);
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
    const Padded3 column = {inverse(0, j), inverse(1, j), inverse(2, j), 0.0};
    block[j * height] = __builtin_convertvector(column, PanelRow<Real>);
  }
  return true;
}

// Rows first ... of three columns, times L_jj^-T.
template <class Real>
void scale_rows(PanelRow<Real>* columns, int height, int first, const Matrix3d& inverse)
{
  PanelRow<Real>*c0 = columns, *c1 = columns + height, *c2 = columns + 2 * height;
  const auto m = [&](int i, int j) { return static_cast<Real>(inverse(i, j)); };
  const Real m00 = m(0, 0), m10 = m(1, 0), m11 = m(1, 1), m20 = m(2, 0), m21 = m(2, 1),
             m22 = m(2, 2);
  for (int r = first; r < height; ++r) {
    const PanelRow<Real> a0 = c0[r], a1 = c1[r], a2 = c2[r];
    c0[r] = a0 * m00;
    c1[r] = a0 * m10 + a1 * m11;
    c2[r] = a0 * m20 + a1 * m21 + a2 * m22;
  }
}

template <class Real>
bool factor_panel(const BlockMatrix& A, const Elimination& e, const Supernode& node,
                  PanelRow<Real>* panel)
{
  for (int j = 0; j < node.width; ++j) {
    const Tile<Real> tile{panel + 3 * j * node.height, node.height};
    if (j > 0) {
      subtract_products<Real>(panel, node.height, 3 * j, j, node.height - j, j, tile, RunOfRows{j});
    }
    Matrix3d inverse;
    const Matrix3d& original = A.blocks[e.diagonal_slots[node.first_column + j]];
    if (!invert_factor<Real>(tile.columns + j, node.height, original, inverse)) return false;
    scale_rows<Real>(tile.columns, node.height, j + 1, inverse);
  }
  return true;
}

// Subtracts a finished panel from the columns of one target.
template <class Real>
void update_target(const Elimination& e, const Supernode& node, const PanelUpdate& update,
                   PanelRow<Real>* values)
{
  const PanelRow<Real>* panel = values + node.panel;
  const Supernode& target = e.supernodes[update.target];
  const int* target_rows = e.target_rows.data() + update.first_target_row;
  const int rows = node.height - node.width - update.first_below;
  for (int j = 0; j < update.count; ++j) {
    const Tile<Real> tile{values + target.panel + 3 * target_rows[j] * target.height,
                          target.height};
    const int pivot_row = node.width + update.first_below + j;
    subtract_products<Real>(panel, node.height, 3 * node.width, pivot_row, rows - j, pivot_row,
                            tile, ListedRows{target_rows + j});
  }
}

// Targets differ, so that their order does not matter: large panels are subtracted on several
// threads.
template <class Real>
void update_own_targets(const Elimination& e, const Supernode& node, PanelRow<Real>* values)
{
  constexpr double worth_threads = 2e4;  // products of blocks: some 50 us
  const double below = node.own_height - node.width;
  const auto update = [&](int u) { update_target<Real>(e, node, e.updates[u], values); };
  if (0.5 * node.width * below * below < worth_threads) {
    for (int u = node.first_update; u < node.first_deferred; ++u) update(u);
  } else {
    tbb::parallel_for(node.first_update, node.first_deferred, update, tbb::simple_partitioner());
  }
}

// What tasks below have to subtract from a panel of this one.
template <class Real>
void fetch_updates(const Elimination& e, int supernode, PanelRow<Real>* values)
{
  const int last = e.supernodes[supernode + 1].first_fetch;
  for (int f = e.supernodes[supernode].first_fetch; f < last; ++f) {
    const PanelUpdate& update = e.updates[e.fetches[f]];
    update_target<Real>(e, e.supernodes[update.source], update, values);
  }
}

// The blocks of A in the columns of a supernode, and zeros elsewhere.
template <class Real>
void fill_panel(const BlockMatrix& A, const Elimination& e, int supernode, PanelRow<Real>* values)
{
  const Supernode &node = e.supernodes[supernode], &next = e.supernodes[supernode + 1];
  std::fill(values + node.panel, values + next.panel, PanelRow<Real>{});
  for (int k = node.first_place; k < next.first_place; ++k) {
    const BlockPlace& to = e.places[k];
    const double* block = A.blocks[to.slot].data();
    for (int j = 0; j < 3; ++j)
      values[to.place + j * node.height] =
          __builtin_convertvector(load3(block + 3 * j), PanelRow<Real>);
  }
}

// False: A is not positive definite to working precision.
template <class Real>
bool factor(const BlockMatrix& A, const Elimination& e, const EliminationTask& task,
            PanelRow<Real>* values)
{
  std::atomic<bool> sound = true;
  for_each_at_once(task.children, [&](int child) {
    if (!factor<Real>(A, e, e.tasks[child], values)) sound = false;
  });
  if (!sound) return false;
  for (const int s : task.supernodes) fill_panel<Real>(A, e, s, values);
  for_each_at_once(task.fetching, [&](int s) { fetch_updates<Real>(e, s, values); });
  for (const int s : task.supernodes) {
    const Supernode& node = e.supernodes[s];
    if (!factor_panel<Real>(A, e, node, values + node.panel)) return false;
    update_own_targets<Real>(e, node, values);
  }
  return true;
}

}  // namespace tact::panel_factor
