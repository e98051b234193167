#include <tact/solvers/coupling/full_rows.hpp>

#include <algorithm>

namespace tact {

void FullRows::begin(int rows)
{
  first_run_.assign(1, 0);
  first_entry_.assign(1, 0);
  first_run_.reserve(rows + 1);
  first_entry_.reserve(rows + 1);
  runs_.clear();
}

void FullRows::add_row(std::span<const int> columns)
{
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (k > 0 && columns[k] == columns[k - 1] + 1) {
      ++runs_.back().length;
    } else {
      runs_.push_back({columns[k], 1, static_cast<int>(k)});
    }
  }
  first_run_.push_back(static_cast<int>(runs_.size()));
  first_entry_.push_back(first_entry_.back() + 9 * columns.size());
}

void FullRows::allot()
{
  if (entries_.size() < first_entry_.back()) entries_.resize(first_entry_.back());
}

int FullRows::place(int row, int column) const
{
  const auto begin = runs_.begin() + first_run_[row], end = runs_.begin() + first_run_[row + 1];
  const auto after =
      std::upper_bound(begin, end, column, [](int c, const Run& run) { return c < run.first; });
  const Run& run = *(after - 1);
  return run.place + column - run.first;
}

Vector3d FullRows::times(int row, const double* x) const
{
  const double* entry = entries_.data() + first_entry_[row];
  const std::size_t stride = this->stride(row);
  Vector3d product = Vector3d::Zero();
  for (int r = first_run_[row]; r < first_run_[row + 1]; ++r) {
    const Run& run = runs_[r];
    const Eigen::Map<const VectorXd> part(x + 3 * run.first, 3 * run.length);
    for (int k = 0; k < 3; ++k) {
      product[k] += Eigen::Map<const VectorXd>(entry + k * stride, 3 * run.length).dot(part);
    }
    entry += 3 * run.length;
  }
  return product;
}

std::size_t FullRows::bytes() const
{
  return first_entry_.back() * sizeof(double) + runs_.size() * sizeof(Run) +
         first_run_.size() * (sizeof(int) + sizeof(std::size_t));
}

}  // namespace tact
