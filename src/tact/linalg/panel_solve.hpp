// Triangular solves, supernode by supernode. With P the panel of a supernode, its columns y and its
// rows below x:
//
//   L z = b      y := L_ss^-1 y,  x -= P_below y
//   L' z = b     y := L_ss^-T (y - P_below' x)
//
// The sums over a supernode stay in registers or on the stack, so that there is no scratch to
// share. Nodes is where x stands: load(k) and store(k, row) of the node that is eliminated as k-th.
#pragma once

#include <algorithm>

#include <tact/linalg/elimination.hpp>
#include <tact/linalg/panel.hpp>

namespace tact::panel_solve {

// What a solve sees of one supernode.
template <class Real>
struct Panel {
  const PanelRow<Real>* values;
  int first_column, width, height, own_height;
  const int* rows;  // the row of L of each row below

  const PanelRow<Real>* column(int k) const { return values + k * height; }  // k counts numbers
};

template <class Real>
Panel<Real> panel_of(const Elimination& e, const PanelRow<Real>* values, int s)
{
  const Supernode& node = e.supernodes[s];
  return {.values = values + node.panel,
          .first_column = node.first_column,
          .width = node.width,
          .height = node.height,
          .own_height = node.own_height,
          .rows = e.rows.data() + node.first_row};
}

// Row `row` of three columns, times the components of a node.
template <class Real>
PanelRow<Real> product(const Panel<Real>& p, int c, int row, PanelRow<Real> y)
{
  return p.column(3 * c)[row] * y[0] + p.column(3 * c + 1)[row] * y[1] +
         p.column(3 * c + 2)[row] * y[2];
}

// sum_j += panel(first + r, 3 c + j) z_r, component by component; z ends with a row of zeros, which
// is read where `count` is odd.
template <class Real>
void add_transposed(const Panel<Real>& p, int c, int first, const PanelRow<Real>* z, int count,
                    PanelWide<Real>* sum)
{
  const PanelRow<Real>*l0 = p.column(3 * c) + first, *l1 = l0 + p.height, *l2 = l1 + p.height;
  PanelWide<Real> s0 = sum[0], s1 = sum[1], s2 = sum[2];
  for (int r = 0; r < count; r += rows_per_wide<Real>) {
    const PanelWide<Real> z_r = wide_at<Real>(z + r);
    s0 += wide_at<Real>(l0 + r) * z_r;
    s1 += wide_at<Real>(l1 + r) * z_r;
    s2 += wide_at<Real>(l2 + r) * z_r;
  }
  sum[0] = s0, sum[1] = s1, sum[2] = s2;
}

// x -= P y in the rows first ... last of a panel.
template <class Real, class Nodes>
void subtract_rows(const Panel<Real>& p, int first, int last, const PanelRow<Real>* y,
                   const Nodes& x)
{
  constexpr int step = rows_per_wide<Real>;
  for_chunks<8>(groups_of<Real>(last - first), [&]<int count>(int group) {
    PanelWide<Real> sum[count] = {};
    const int start = first + step * group;
    const PanelRow<Real>* column = p.values + start;
    for (int c = 0; c < p.width; ++c) {
      for (int j = 0; j < 3; ++j, column += p.height) {
        const Real y_j = numbers(y + c)[j];
        for (int g = 0; g < count; ++g) sum[g] += wide_at<Real>(column + step * g) * y_j;
      }
    }
    const int* rows = p.rows + start - p.width;
    const auto subtract = [&](int k, PanelRow<Real> value) {
      x.store(rows[k], x.load(rows[k]) - value);
    };
#pragma GCC unroll 8
    for (int g = 0; g < count; ++g) {
      subtract(step * g, row_of(sum[g], 0));
      if (step == 2 && start + step * g + 1 < last) subtract(step * g + 1, row_of(sum[g], 1));
    }
  });
}

template <class Real, class Nodes>
void load_columns(const Panel<Real>& p, const Nodes& x, PanelRow<Real>* y)
{
  for (int c = 0; c < p.width; ++c) y[c] = x.load(p.first_column + c);
}

template <class Real, class Nodes>
void solve_lower(const Panel<Real>& p, const Nodes& x)
{
  PanelRow<Real> y[max_supernode_width];
  load_columns(p, x, y);
  for (int c = 0; c < p.width; ++c) {
    y[c] = product(p, c, c, y[c]);
    x.store(p.first_column + c, y[c]);
    for (int r = c + 1; r < p.width; ++r) y[r] -= product(p, c, r, y[c]);
  }
  subtract_rows(p, p.width, p.own_height, y, x);
}

// Rows below that are gathered at a time.
inline constexpr int gather_size = 64;

template <class Real, class Nodes>
void solve_upper(const Panel<Real>& p, const Nodes& x)
{
  PanelWide<Real> sum[3 * max_supernode_width];
  std::fill_n(sum, 3 * p.width, PanelWide<Real>{});
  for (int start = p.width; start < p.height; start += gather_size) {
    const int count = std::min(gather_size, p.height - start);
    PanelRow<Real> below[gather_size + 1];
    for (int r = 0; r < count; ++r) below[r] = x.load(p.rows[start - p.width + r]);
    below[count] = PanelRow<Real>{};
    for (int c = 0; c < p.width; ++c) add_transposed(p, c, start, below, count, sum + 3 * c);
  }
  PanelRow<Real> y[max_supernode_width + 1];
  y[p.width] = PanelRow<Real>{};
  for (int c = p.width - 1; c >= 0; --c) {
    PanelWide<Real>* s = sum + 3 * c;
    add_transposed(p, c, c + 1, y + c + 1, p.width - c - 1, s);
    const PanelRow<Real>* t = p.column(3 * c) + c;  // the inverse of the triangle
    const PanelRow<Real> below =
        horizontal_sums(sum_of_rows(s[0]), sum_of_rows(s[1]), sum_of_rows(s[2]));
    const PanelRow<Real> rest = x.load(p.first_column + c) - below;
    y[c] = horizontal_sums(t[0] * rest, t[p.height] * rest, t[2 * p.height] * rest);
    x.store(p.first_column + c, y[c]);
  }
}

// What the supernodes of tasks below have to subtract in the columns of one of this task.
template <class Real, class Nodes>
void fetch_rows(const Elimination& e, const PanelRow<Real>* values, int supernode, const Nodes& x)
{
  const int last = e.supernodes[supernode + 1].first_fetch;
  for (int f = e.supernodes[supernode].first_fetch; f < last; ++f) {
    const PanelUpdate& update = e.updates[e.fetches[f]];
    const Panel<Real> p = panel_of<Real>(e, values, update.source);
    PanelRow<Real> y[max_supernode_width];
    load_columns(p, x, y);
    const int first = p.width + update.first_below;
    subtract_rows(p, first, first + update.count, y, x);
  }
}

template <class Real, class Nodes>
void solve_lower(const Elimination& e, const PanelRow<Real>* values, const EliminationTask& task,
                 const Nodes& x)
{
  for_each_at_once(task.children,
                   [&](int child) { solve_lower<Real>(e, values, e.tasks[child], x); });
  for_each_at_once(task.fetching, [&](int s) { fetch_rows<Real>(e, values, s, x); });
  for (const int s : task.supernodes) solve_lower(panel_of<Real>(e, values, s), x);
}

template <class Real, class Nodes>
void solve_upper(const Elimination& e, const PanelRow<Real>* values, const EliminationTask& task,
                 const Nodes& x)
{
  for (int k = static_cast<int>(task.supernodes.size()) - 1; k >= 0; --k)
    solve_upper(panel_of<Real>(e, values, task.supernodes[k]), x);
  for_each_at_once(task.children,
                   [&](int child) { solve_upper<Real>(e, values, e.tasks[child], x); });
}

// x := A^-1 x
template <class Real, class Nodes>
void solve(const Elimination& e, const PanelRow<Real>* values, const Nodes& x)
{
  solve_lower<Real>(e, values, e.tasks[0], x);
  solve_upper<Real>(e, values, e.tasks[0], x);
}

}  // namespace tact::panel_solve
