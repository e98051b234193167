#include <tact/linalg/gmres.hpp>

#include <algorithm>
#include <cmath>

namespace tact {

// w_ less its part along the columns before: twice, or rounding leaves some of it.
void Gmres::orthogonalise(int column)
{
  const auto known = basis_.leftCols(column + 1);
  for (int pass = 0; pass < 2; ++pass) {
    const VectorXd along = known.transpose() * w_;
    w_.noalias() -= known * along;
    hessenberg_.col(column).head(column + 1) += along;
  }
  const double length = w_.norm();
  hessenberg_(column + 1, column) = length;
  if (length > 0.0) basis_.col(column + 1) = w_ / length;
}

// Applies the rotations so far to the new column, and a new one that clears its last entry.
void Gmres::rotate(int column)
{
  auto h = hessenberg_.col(column);
  for (int i = 0; i < column; ++i) {
    const double above = h[i];
    h[i] = cosine_[i] * above + sine_[i] * h[i + 1];
    h[i + 1] = cosine_[i] * h[i + 1] - sine_[i] * above;
  }
  const double length = std::hypot(h[column], h[column + 1]);
  cosine_.push_back(length > 0.0 ? h[column] / length : 1.0);
  sine_.push_back(length > 0.0 ? h[column + 1] / length : 0.0);
  h[column] = length;
  h[column + 1] = 0.0;
  right_[column + 1] = -sine_[column] * right_[column];
  right_[column] *= cosine_[column];
}

bool Gmres::solve(const Map& map, const VectorXd& b, VectorXd& x, const GmresOptions& options)
{
  x.setZero(b.size());
  const double length = b.norm();
  if (length == 0.0) return true;
  const int most = std::max(1, options.max_iterations);
  basis_.resize(b.size(), most + 1);
  hessenberg_.setZero(most + 1, most);
  right_.setZero(most + 1);
  cosine_.clear();
  sine_.clear();
  basis_.col(0) = b / length;
  right_[0] = length;
  int count = 0;
  bool reached = false;
  while (count < most && !reached) {
    ++iterations_;
    w_ = basis_.col(count);
    map(w_);
    orthogonalise(count);
    const bool spans_answer = hessenberg_(count + 1, count) == 0.0;
    rotate(count);
    ++count;
    reached = spans_answer || std::abs(right_[count]) <= options.tolerance * length;
  }
  const auto R = hessenberg_.topLeftCorner(count, count).triangularView<Eigen::Upper>();
  x.noalias() = basis_.leftCols(count) * R.solve(right_.head(count));
  return reached && x.allFinite();
}

}  // namespace tact
