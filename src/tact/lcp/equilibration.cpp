#include <tact/lcp/equilibration.hpp>

#include <algorithm>
#include <cmath>

namespace tact {
namespace {

constexpr int passes = 6;  // the excess of a largest entry over 1 shrinks to its root in each
constexpr double close_to_1 = 4;  // rows and columns within this factor are left as they are

double power_of_two_near(double x)
{
  return std::exp2(std::round(std::log2(x)));
}

}  // namespace

void Equilibration::fit(const Eigen::Ref<const MatrixXd>& M)
{
  const Eigen::Index n = M.rows();
  row.setOnes(n);
  column.setOnes(n);
  row_largest_.resize(n);
  column_largest_.resize(n);
  for (int pass = 0; pass < passes; ++pass) {
    row_largest_.setZero();
    for (Eigen::Index j = 0; j < n; ++j) {
      const double* const entries = M.col(j).data();
      double largest = 0.0;
      for (Eigen::Index i = 0; i < n; ++i) {
        const double size = std::abs(entries[i]) * row[i] * column[j];
        row_largest_[i] = std::max(row_largest_[i], size);
        largest = std::max(largest, size);
      }
      column_largest_[j] = largest;
    }
    double farthest = 1.0;
    const auto approach = [&farthest](VectorXd& scale, const VectorXd& largest) {
      for (Eigen::Index i = 0; i < scale.size(); ++i) {
        if (largest[i] == 0.0) continue;
        farthest = std::max({farthest, largest[i], 1.0 / largest[i]});
        scale[i] /= std::sqrt(largest[i]);
      }
    };
    approach(row, row_largest_);
    approach(column, column_largest_);
    if (farthest < close_to_1) break;
  }
  row = row.unaryExpr(&power_of_two_near);
  column = column.unaryExpr(&power_of_two_near);
}

}  // namespace tact
