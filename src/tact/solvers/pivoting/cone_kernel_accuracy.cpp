// How the kernel of cone-state Lemke stays accurate: corrections each pivot, refactoring,
// polishing.
#include <algorithm>
#include <cmath>
#include <limits>

#include <tact/solvers/pivoting/cone_kernel.hpp>

namespace tact {
namespace {

constexpr double correct_above = 1e-14;   // residual of the active rows, relative to the first z0
constexpr double refactor_above = 1e-10;  // refactoring earlier reorders the path by noise

}  // namespace

void ConeKernel::rebuild_y()
{
  y_ = problem_->k();
  for (int j = 0; j < size_; ++j) {
    const KernelColumn& column = columns_[j];
    for (int s = 0; s < 2; ++s) y_[column.body[s]].add(x_[j], column.side[s]);
  }
}

// right_[p] = U_p . y + bias_p + cover_p z0, which is zero in exact arithmetic; returns the
// largest.
double ConeKernel::row_residuals()
{
  const double z0 = z0_value();
  double largest = 0.0;
  for (int p = 0; p < size_; ++p) {
    const KernelRow& row = rows_[p];
    right_[p] =
        relative_velocity(row.side[0], row.side[1], row.body, y_) + row.bias + row.cover * z0;
    largest = std::max(largest, std::abs(right_[p]));
  }
  std::fill(right_.begin() + size_, right_.begin() + round_up_8(size_ + 1), 0.0);
  return largest;
}

// What round-off alone can leave in row_residuals(): impulses that cancel in y lose digits there.
// Far above 1e-10 of the velocities where a heavy body rests on a light one.
double ConeKernel::row_rounding() const
{
  constexpr double roundings = 8.0 * std::numeric_limits<double>::epsilon();
  double row_length = 0.0, impulse = 0.0;
  for (int p = 0; p < size_; ++p)
    for (const Twist& side : rows_[p].side)
      row_length = std::max(row_length, std::sqrt(dot(side, side)));
  for (int j = 0; j < size_; ++j)
    for (const Twist& side : columns_[j].side)
      impulse += std::abs(x_[j]) * std::sqrt(dot(side, side));
  return roundings * row_length * impulse;
}

double ConeKernel::direction_noise() const
{
  const bool drives_slack = driving_.kind == Driving::Kind::slack;
  if (!drives_slack && size_ > 6 * problem_->bodies())
    return std::numeric_limits<double>::infinity();
  const int driven = drives_slack ? driving_.row : -1;
  double largest = 0.0;
  for (int p = 0; p < size_; ++p) {
    const KernelRow& row = rows_[p];
    const double slope =
        relative_velocity(row.side[0], row.side[1], row.body, dy_) + row.cover * z0_slope();
    if (p != driven) largest = std::max(largest, std::abs(slope));
  }
  return largest;
}

void ConeKernel::apply_correction()
{
  z_.multiply(right_.data(), work_.data());
  for (int j = 0; j < size_; ++j) x_[j] -= work_[j];
  rebuild_y();
  ++corrections_;
}

bool ConeKernel::correct(double scale)
{
  rebuild_y();
  double error = row_residuals();
  for (int round = 0; round < 2 && error > correct_above * scale; ++round) {
    apply_correction();
    const double before = error;
    error = row_residuals();
    if (error > 0.2 * before) break;  // as good as this inverse gets
  }
  if (error <= refactor_above * scale || error <= row_rounding()) return true;
  if (!refactor()) return false;
  error = row_residuals();
  return error <= refactor_above * scale || error <= row_rounding();
}

bool ConeKernel::factor()
{
  lu_.begin(size_);
  for (int p = 0; p < size_; ++p) {
    for (int j = 0; j < size_; ++j) lu_(p, j) = entry(rows_[p], columns_[j]);
  }
  return lu_.factor();
}

bool ConeKernel::refactor()
{
  ++refactors_;
  if (!factor()) return false;
  z_.set_columns(size_, [this](int p, double* column) {
    std::fill_n(column, size_, 0.0);
    column[p] = 1.0;
    lu_.solve(column);
  });
  // Rows hold with the basics alone when z0 is one of them, else with z0 at its driven value.
  const double z0 = z0_ == size_ ? x_[size_] : 0.0;
  const std::vector<Twist>& k = problem_->k();
  for (int p = 0; p < size_; ++p) {
    const KernelRow& row = rows_[p];
    work_[p] =
        -relative_velocity(row.side[0], row.side[1], row.body, k) - row.bias - row.cover * z0;
  }
  lu_.solve(work_.data());
  std::copy_n(work_.begin(), size_, x_.begin());
  rebuild_y();
  return true;
}

void ConeKernel::finish()
{
  if (driving_.kind == Driving::Kind::slack) {  // row and z0 go; Z is not needed any more
    const int last = size_ - 1;
    rows_[driving_.row] = rows_[last];
    columns_[z0_] = columns_[last];
    x_[z0_] = x_[last];
    note(columns_[z0_], z0_);
    --size_;
  } else if (z0_ != size_) {  // the driving column takes the place of z0
    columns_[z0_] = columns_[size_];
    x_[z0_] = x_[size_];
    note(columns_[z0_], z0_);
  }
  z0_ = -1;
  rebuild_y();
}

bool ConeKernel::polish()
{
  if (!factor()) return false;
  std::fill_n(x_.begin(), size_, 0.0);
  for (int round = 0; round < 2; ++round) {  // solve, then refine once
    rebuild_y();
    row_residuals();
    lu_.solve(right_.data());
    for (int j = 0; j < size_; ++j) x_[j] -= right_[j];
  }
  rebuild_y();
  return true;
}

}  // namespace tact
