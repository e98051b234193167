// Triangular solves, supernode by supernode. With P the panel of a supernode, its columns y and its
// rows below x:
//
//   L z = b      y := L_ss^-1 y,  x -= P_below y
//   L' z = b     y := L_ss^-T (y - P_below' x)
//
// The sums over a supernode stay in registers or on the stack, so that there is no scratch to share.
#include <algorithm>

#include <tact/linalg/block_cholesky.hpp>
#include <tact/linalg/elimination.hpp>
#include <tact/linalg/panel.hpp>

namespace tact {

namespace {

// What a solve sees of one supernode.
struct Panel {
  const Padded3* values;
  int width, height;
  const int* columns;  // the node of each column
  const int* rows;     // the row of L of each row below

  const Padded3* column(int k) const { return values + k * height; }  // k counts numbers
};

Panel panel_of(const Elimination& e, const LaneBuffer& values, int s)
{
  const Supernode& node = e.supernodes[s];
  return {.values = as_padded(values.data()) + node.panel,
          .width = node.width,
          .height = node.height,
          .columns = e.order.data() + node.first_column,
          .rows = e.rows.data() + node.first_row};
}

// Rows `row` of three columns, times the components of a node.
Padded3 product(const Panel& p, int c, int row, Padded3 y)
{
  return p.column(3 * c)[row] * y[0] + p.column(3 * c + 1)[row] * y[1] +
         p.column(3 * c + 2)[row] * y[2];
}

// sum_j += panel(first + r, 3 c + j) z_r, component by component
void add_transposed(const Panel& p, int c, int first, const Padded3* z, int count, Padded3* sum)
{
  const Padded3 *l0 = p.column(3 * c) + first, *l1 = l0 + p.height, *l2 = l1 + p.height;
  Padded3 s0 = sum[0], s1 = sum[1], s2 = sum[2];
  for (int r = 0; r < count; ++r) {
    s0 += l0[r] * z[r];
    s1 += l1[r] * z[r];
    s2 += l2[r] * z[r];
  }
  sum[0] = s0, sum[1] = s1, sum[2] = s2;
}

void solve_lower(const Panel& p, const int* order, double* x)
{
  Padded3 y[max_supernode_width];
  for (int c = 0; c < p.width; ++c) y[c] = load3(x + 3 * p.columns[c]);
  for (int c = 0; c < p.width; ++c) {
    y[c] = product(p, c, c, y[c]);
    store3(y[c], x + 3 * p.columns[c]);
    for (int r = c + 1; r < p.width; ++r) y[r] -= product(p, c, r, y[c]);
  }
  for_chunks<8>(p.height - p.width, [&]<int count>(int start) {
    Padded3 sum[count] = {};
    const Padded3* column = p.values + p.width + start;
    for (int c = 0; c < p.width; ++c) {
      for (int j = 0; j < 3; ++j, column += p.height) {
        const double y_j = as_doubles(y + c)[j];
        for (int r = 0; r < count; ++r) sum[r] += column[r] * y_j;
      }
    }
    for (int r = 0; r < count; ++r) {
      double* x_r = x + 3 * order[p.rows[start + r]];
      store3(load3(x_r) - sum[r], x_r);
    }
  });
}

// Rows below that are gathered at a time.
constexpr int gather_size = 64;

void solve_upper(const Panel& p, const int* order, double* x)
{
  Padded3 sum[3 * max_supernode_width];
  std::fill_n(sum, 3 * p.width, Padded3{});
  for (int start = p.width; start < p.height; start += gather_size) {
    const int count = std::min(gather_size, p.height - start);
    Padded3 below[gather_size];
    for (int r = 0; r < count; ++r) below[r] = load3(x + 3 * order[p.rows[start - p.width + r]]);
    for (int c = 0; c < p.width; ++c) add_transposed(p, c, start, below, count, sum + 3 * c);
  }
  Padded3 y[max_supernode_width];
  for (int c = p.width - 1; c >= 0; --c) {
    Padded3* s = sum + 3 * c;
    add_transposed(p, c, c + 1, y + c + 1, p.width - c - 1, s);
    const Padded3* t = p.column(3 * c) + c;  // the inverse of the triangle
    const Padded3 rest = load3(x + 3 * p.columns[c]) - horizontal_sums(s[0], s[1], s[2]);
    y[c] = horizontal_sums(t[0] * rest, t[p.height] * rest, t[2 * p.height] * rest);
    store3(y[c], x + 3 * p.columns[c]);
  }
}

}  // namespace

void BlockCholesky::solve(VectorXd& x) const
{
  const Elimination& e = *elimination_;
  const int count = e.supernode_count();
  for (int s = 0; s < count; ++s) {
    tact::solve_lower(panel_of(e, values_, s), e.order.data(), x.data());
  }
  for (int s = count - 1; s >= 0; --s) {
    tact::solve_upper(panel_of(e, values_, s), e.order.data(), x.data());
  }
}

}  // namespace tact
