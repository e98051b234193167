// Triangular solves with eight right sides, one a lane. Entries of L are the same for all lanes, so
// nothing is added up across lanes and every step is a multiple of a group of eight.
#include <algorithm>

#include <tact/linalg/block_cholesky.hpp>
#include <tact/linalg/elimination.hpp>
#include <tact/linalg/panel.hpp>

namespace tact {

namespace {

// Row k of all right sides.
struct Lanes8 {
  Lanes part[lanes_per_8];
};

Lanes8* row(double* y, int k)
{
  return reinterpret_cast<Lanes8*>(y) + k;
}

void subtract(Lanes8& a, double factor, const Lanes8& b)
{
  for (int h = 0; h < lanes_per_8; ++h) a.part[h] -= factor * b.part[h];
}

// The three components of a node.
struct Node8 {
  Lanes8 at[3];
};

// y := L_cc^-1 y or L_cc^-T y; t: the inverse of the triangle.
template <bool transposed>
void multiply_triangle(const Padded3* t, int height, Lanes8* y)
{
  Node8 product = {};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) {
      const double entry = numbers(t + j * height)[i];
      if constexpr (transposed) {
        subtract(product.at[j], -entry, y[i]);
      } else {
        subtract(product.at[i], -entry, y[j]);
      }
    }
  }
  for (int i = 0; i < 3; ++i) y[i] = product.at[i];
}

// The y_i of block row r, less its product with the columns first, ..., first + count - 1, of which
// z are the right sides.
void subtract_row(const Padded3* panel, int height, int r, int count, const Lanes8* z, Lanes8* y)
{
  Node8 rest = {y[0], y[1], y[2]};
  for (int k = 0; k < count; ++k) {
    const double* l = numbers(panel + k * height + r);
    for (int i = 0; i < 3; ++i) subtract(rest.at[i], l[i], z[k]);
  }
  for (int i = 0; i < 3; ++i) y[i] = rest.at[i];
}

// The y_j of block column c, less the product of its transposed with block row r, where x stands.
void subtract_column(const Padded3* panel, int height, int c, int r, const Lanes8* x, Node8& y)
{
  for (int j = 0; j < 3; ++j) {
    const double* l = numbers(panel + (3 * c + j) * height + r);
    for (int i = 0; i < 3; ++i) subtract(y.at[j], l[i], x[i]);
  }
}

bool any_nonzero(const double* y, int count)
{
  return std::any_of(y, y + count, [](double value) { return value != 0.0; });
}

}  // namespace

void BlockCholesky::solve_lower(double* y, int first) const
{
  const Elimination& e = *elimination_;
  if (e.order.empty()) return;
  for (int s = e.supernode_of[first]; s < e.supernode_count(); ++s) {
    const Supernode& node = e.supernodes[s];
    Lanes8* z = row(y, 3 * node.first_column);
    if (!any_nonzero(y + 24 * node.first_column, 24 * node.width)) continue;
    const Padded3* panel = as_rows(values_.data()) + node.panel;
    for (int c = 0; c < node.width; ++c) {
      subtract_row(panel, node.height, c, 3 * c, z, z + 3 * c);
      multiply_triangle<false>(panel + 3 * c * node.height + c, node.height, z + 3 * c);
    }
    for (int r = node.width; r < node.height; ++r) {
      const int below = e.rows[node.first_row + r - node.width];
      subtract_row(panel, node.height, r, 3 * node.width, z, row(y, 3 * below));
    }
  }
}

void BlockCholesky::solve_upper(double* y) const
{
  const Elimination& e = *elimination_;
  for (int s = e.supernode_count() - 1; s >= 0; --s) {
    const Supernode& node = e.supernodes[s];
    const Padded3* panel = as_rows(values_.data()) + node.panel;
    Lanes8* z = row(y, 3 * node.first_column);
    for (int c = node.width - 1; c >= 0; --c) {
      Node8 rest = {z[3 * c], z[3 * c + 1], z[3 * c + 2]};
      for (int r = c + 1; r < node.width; ++r) {
        subtract_column(panel, node.height, c, r, z + 3 * r, rest);
      }
      for (int r = node.width; r < node.height; ++r) {
        const int below = e.rows[node.first_row + r - node.width];
        subtract_column(panel, node.height, c, r, row(y, 3 * below), rest);
      }
      for (int j = 0; j < 3; ++j) z[3 * c + j] = rest.at[j];
      multiply_triangle<true>(panel + 3 * c * node.height + c, node.height, z + 3 * c);
    }
  }
}

}  // namespace tact
