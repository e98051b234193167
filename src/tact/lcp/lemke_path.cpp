#include <tact/lcp/lemke_path.hpp>

#include <algorithm>
#include <cmath>

#include <tact/core/stop.hpp>
#include <tact/lcp/lcp_problem.hpp>

namespace tact {
namespace {

// All in equilibrated data, where the largest entry of every row and column of M is near 1.
constexpr double zero_slope = 1e-11;         // against the largest of the column: no pivot on less
constexpr double tie = 1e-13;                // against max |q|: what round-off alone sets apart
constexpr double value_round_off = 1e-15;    // of constant + step x slope, against the constant
constexpr double lexicographic_tie = 1e-10;  // of entries of B^-1 over slopes
constexpr double sound_pivot = 0.05;         // for transforms, which are free to pass one over

}  // namespace

void LemkePath::load(const MatrixXd& M, const VectorXd& q)
{
  const int n = static_cast<int>(q.size());
  scale_.fit(M);
  tableau_.reset(n, n + 1);
  double largest_q = 0.0;
  for (int i = 0; i < n; ++i) {
    tableau_.constant(i) = scale_.row[i] * q[i];
    largest_q = std::max(largest_q, std::abs(tableau_.constant(i)));
    double* const row = tableau_.row(i);
    for (int j = 0; j < n; ++j) row[j] = scale_.row[i] * M(i, j) * scale_.column[j];
  }
  tie_tolerance_ = tie * largest_q;
  pivots_ = 0;
}

void LemkePath::exchange_some_pairs(Random& random, int max_pivots)
{
  for (int k = 0; k < size() && pivots_ < max_pivots; ++k) {
    if (random.uniform() < 0.5 || std::abs(tableau_.row(k)[k]) < sound_pivot) continue;
    tableau_.pivot(k, k);
    ++pivots_;
  }
}

double LemkePath::z_value(int k) const
{
  if (!z_is_basic(k)) return 0.0;
  return scale_.column[k] * std::max(0.0, tableau_.constant(tableau_.row_of(z(k))));
}

SolveStatus LemkePath::follow_covered(const Rules& rules)
{
  int r = first_leaving_row();
  int c = size();  // of z0
  if (r < 0) return SolveStatus::converged;
  while (pivots_ < rules.max_pivots) {
    end_if_stopped();
    const int leaving = tableau_.basic(r);
    tableau_.pivot(r, c);
    ++pivots_;
    if (leaving == z0()) return SolveStatus::converged;
    c = tableau_.column_of(partner(leaving));  // driven up next
    r = leaving_row(tableau_.column(c), rules);
    if (r < 0) return SolveStatus::no_solution;
  }
  return SolveStatus::iteration_limit;
}

// The first z0 is the least that makes all basic variables nonnegative. Of the rows that ask for it
// the last is lexicographically the least. None (-1) where the basis is a solution already.
int LemkePath::first_leaving_row()
{
  int row = -1;
  first_z0_ = 0.0;
  start_.clear();
  for (int r = 0; r < size(); ++r) {
    start_.push_back(tableau_.basic(r));
    const double needed = -tableau_.constant(r) / tableau_.row(r)[size()];
    if (needed <= 0.0 || needed < first_z0_) continue;
    first_z0_ = needed;
    row = r;
  }
  return row;
}

int LemkePath::leaving_row(const VectorXd& column, const Rules& rules)
{
  const double steep = -zero_slope * column.lpNorm<Eigen::Infinity>();
  double step = infinity;
  for (int r = 0; r < size(); ++r)
    if (column[r] < steep) step = std::min(step, std::max(0.0, tableau_.constant(r)) / -column[r]);
  if (step == infinity) return -1;

  const auto value_after = [&](int r) { return tableau_.constant(r) + step * column[r]; };
  const auto is_zero_after = [&](int r) {
    return value_after(r) <= tie_tolerance_ + value_round_off * std::abs(tableau_.constant(r));
  };
  const int z0_row = tableau_.row_of(z0());
  if (column[z0_row] < steep && value_after(z0_row) <= rules.end_tolerance * first_z0_)
    return z0_row;

  tied_.clear();
  for (int r = 0; r < size(); ++r)
    if (column[r] < steep && is_zero_after(r)) tied_.push_back(r);
  return tied_.size() == 1 ? tied_.front() : lexicographic_minimum(column);
}

// Of the tied rows, the one for which (row of B^-1) / -slope is lexicographically least. The column
// of B^-1 that belongs to a variable of the first basis is a unit vector while the variable is
// basic, and else its tableau column with the sign turned: nothing has to be computed.
int LemkePath::lexicographic_minimum(const VectorXd& column)
{
  for (std::size_t j = 0; j < start_.size() && tied_.size() > 1; ++j) {
    const int variable = start_[j];
    const bool basic = tableau_.is_basic(variable);
    const int place = basic ? tableau_.row_of(variable) : tableau_.column_of(variable);
    const auto entry = [&](int r) {
      const double of_inverse = basic ? (r == place ? 1.0 : 0.0) : -tableau_.row(r)[place];
      return of_inverse / -column[r];
    };
    double least = infinity;
    for (const int r : tied_) least = std::min(least, entry(r));
    const double limit = least + lexicographic_tie * std::max(1.0, std::abs(least));
    std::erase_if(tied_, [&](int r) { return entry(r) > limit; });
  }
  return tied_.front();
}

}  // namespace tact
