// How much of each entry of a tableau may be what rounding left, followed from pivot to pivot.
#pragma once

#include <cmath>

#include <tact/lcp/tableau.hpp>

namespace tact {

// Beside every entry T_ij the size E_ij of the largest error that came into it: its own rounding,
// u |T_ij|, and the errors of the three entries from which a pivot makes it. Sizes are taken for
// largest, not added up, so E is an estimate and no bound. It tells what cancelled from what is
// small because the data are: no threshold against the largest entry can, where the data themselves
// span ten orders of magnitude.
class PivotRoundOff {
 public:
  // Of a tableau whose entries are data, good to their last digit.
  void reset(const Tableau& tableau);

  // What tableau.pivot(r, c) is going to do to the errors; to be called before it.
  void pivot(const Tableau& tableau, int r, int c);

  // Whether an entry or a constant may be nothing but round-off.
  bool is_noise(const Tableau& tableau, int r, int c) const
  {
    return std::abs(tableau.row(r)[c]) <= margin * error_(r, c);
  }
  bool is_constant_noise(const Tableau& tableau, int r) const
  {
    return std::abs(tableau.constant(r)) <= margin * error_(r, tableau.columns());
  }

 private:
  static constexpr double margin = 100.0;  // errors that add up

  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  RowMajor error_;  // the constants in a last column
  VectorXd size_;   // of the new pivot row
  VectorXd row_error_;
};

}  // namespace tact
