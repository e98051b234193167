#include <tact/lcp/pivot_round_off.hpp>

#include <algorithm>
#include <limits>

namespace tact {
namespace {

constexpr double unit_round_off = 0.5 * std::numeric_limits<double>::epsilon();

}  // namespace

void PivotRoundOff::reset(const Tableau& tableau)
{
  const int n = tableau.columns();
  error_.resize(tableau.rows(), n + 1);
  for (int i = 0; i < tableau.rows(); ++i) {
    for (int j = 0; j < n; ++j) error_(i, j) = unit_round_off * std::abs(tableau.row(i)[j]);
    error_(i, n) = unit_round_off * std::abs(tableau.constant(i));
  }
}

// With p = T_rc and x_j = |T_rj / p|, the new row r is x_j in size (1/|p| in column c), and
// T_ij becomes T_ij - T_ic x_j, T_ic becomes T_ic / p.
void PivotRoundOff::pivot(const Tableau& tableau, int r, int c)
{
  const int n = tableau.columns();
  const double p = std::abs(tableau.row(r)[c]);
  const double p_error = error_(r, c) / p;  // relative
  size_.resize(n + 1);
  row_error_.resize(n + 1);
  for (int j = 0; j <= n; ++j) {
    const double entry = j < n ? tableau.row(r)[j] : tableau.constant(r);
    size_[j] = j == c ? 1.0 / p : std::abs(entry) / p;
    const double own = j == c ? 0.0 : error_(r, j) / p;
    row_error_[j] = std::max({own, size_[j] * p_error, unit_round_off * size_[j]});
  }
  for (int i = 0; i < tableau.rows(); ++i) {
    if (i == r) continue;
    const double factor = std::abs(tableau.row(i)[c]), factor_error = error_(i, c);
    if (factor == 0.0 && factor_error == 0.0) continue;
    error_(i, c) = 0.0;  // what was there has gone into the new entry whole
    for (int j = 0; j <= n; ++j)
      error_(i, j) = std::max({error_(i, j), factor * row_error_[j], factor_error * size_[j]});
  }
  error_.row(r) = row_error_.transpose();
}

}  // namespace tact
