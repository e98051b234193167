#include <tact/lcp/tableau.hpp>

#include <cassert>
#include <numeric>
#include <utility>

namespace tact {
namespace {

// Whole cache lines a row, and an odd number of them: with an even one, the entries of a column
// fall into few sets of the cache and evict each other.
int padded(int columns)
{
  const int lines = (columns + 7) / 8;
  return 8 * (lines | 1);
}

// y += factor x, in whole vectors because the two do not overlap.
void add_multiple(double factor, const double* __restrict x, double* __restrict y, int count)
{
  for (int j = 0; j < count; ++j) y[j] += factor * x[j];
}

}  // namespace

void Tableau::reset(int rows, int columns)
{
  rows_ = rows;
  columns_ = columns;
  stride_ = padded(columns);
  if (cells_.size() < index(rows)) cells_.resize(index(rows));
  if (constants_.size() < rows) constants_.resize(rows);
  if (column_.size() != rows) column_.resize(rows);
  cells_.head(index(rows)).setZero();
  constants_.setZero();

  basic_.resize(rows);
  nonbasic_.resize(columns);
  place_.resize(rows + columns);
  std::iota(basic_.begin(), basic_.end(), 0);
  std::iota(nonbasic_.begin(), nonbasic_.end(), rows);
  std::iota(place_.begin(), place_.end(), 0);
}

const VectorXd& Tableau::column(int c)
{
  const double* cell = cells_.data() + c;
  for (int r = 0; r < rows_; ++r, cell += stride_) column_[r] = *cell;
  return column_;
}

// basic_r = q_r + sum_j T_rj y_j, solved for y_c and put into the other rows:
//
//   row r:  y_c     = -q_r / p + basic_r / p - sum_{j != c} (T_rj / p) y_j,       p = T_rc
//   row i:  basic_i = q_i + T_ic y_c + sum_{j != c} T_ij y_j
//
// With T_ic set to zero first, every other row is one addition of T_ic times the new row r.
void Tableau::pivot(int r, int c)
{
  column(c);
  double* const pivot_row = row(r);
  const double p = pivot_row[c];
  assert(p != 0.0);
  for (int j = 0; j < stride_; ++j) pivot_row[j] /= -p;
  pivot_row[c] = 1.0 / p;
  constants_[r] /= -p;

  for (int i = 0; i < rows_; ++i) {
    const double factor = column_[i];
    if (i == r || factor == 0.0) continue;  // contact problems are full of zeros
    row(i)[c] = 0.0;
    add_multiple(factor, pivot_row, row(i), stride_);
    constants_[i] += factor * constants_[r];
  }

  int& leaving = basic_[r];
  int& entering = nonbasic_[c];
  std::swap(place_[leaving], place_[entering]);
  std::swap(leaving, entering);
}

}  // namespace tact
