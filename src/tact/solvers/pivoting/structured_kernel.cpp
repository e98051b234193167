#include <tact/solvers/pivoting/structured_kernel.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tact {
namespace {

constexpr int factor_up_to = 26;         // rows: below this a fresh LU is cheaper than it is risky
constexpr double smallest_pivot = 1e-9;  // of an update; smaller ones call for a refactorisation

double shared_dot(const Twist* u, const int* row_body, const Twist* v, const int* column_body)
{
  double sum = 0.0;
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) {
      if (row_body[a] == column_body[b]) sum += dot(u[a], v[b]);
    }
  }
  return sum;
}

// Entries of `now` that `wanted` does not have (stale), and of `wanted` that `now` does not
// (fresh).
template <class Item>
void compare(const std::vector<Item>& now, const std::vector<Item>& wanted,
             std::vector<std::pair<std::int64_t, int>>& sorted, std::vector<int>& stale,
             std::vector<int>& fresh)
{
  const auto missing = [&](const std::vector<Item>& from, const std::vector<Item>& in,
                           std::vector<int>& out) {
    sorted.clear();
    for (std::size_t i = 0; i < in.size(); ++i) sorted.emplace_back(in[i].key, static_cast<int>(i));
    std::sort(sorted.begin(), sorted.end());
    out.clear();
    for (std::size_t i = 0; i < from.size(); ++i) {
      const auto found = std::lower_bound(sorted.begin(), sorted.end(), std::pair(from[i].key, 0));
      if (found == sorted.end() || found->first != from[i].key) out.push_back(static_cast<int>(i));
    }
  };
  missing(now, wanted, stale);
  missing(wanted, now, fresh);
}

}  // namespace

void StructuredKernel::begin(int bodies)
{
  capacity_ = round_up_8(6 * bodies + 8);
  keep_inverse_ = 6 * bodies + 2 > factor_up_to;
  rows_.clear();
  columns_.clear();
  rows_.reserve(capacity_);
  columns_.reserve(capacity_);
  lu_.reserve(capacity_);
  if (keep_inverse_) inverse_.reset(capacity_);
  for (LaneBuffer* buffer : {&right_, &left_, &direction_, &work_}) {
    buffer->assign(capacity_ + 8, 0.0);
  }
  refactors_ = 0;
}

double StructuredKernel::entry(const StructuredRow& row, const StructuredColumn& column) const
{
  using Kind = StructuredColumn::Kind;
  if (row.kind == StructuredRow::Kind::gamma) {
    if (column.kind == Kind::z0) return row.cover;
    if (column.kind == Kind::beta || column.contact != row.contact) return 0.0;
    return column.kind == Kind::theta ? column.mu : -1.0;
  }
  if (column.kind == Kind::z0) {
    return relative_velocity(row.side[0], row.side[1], row.body, *cover_twist_) + row.cover;
  }
  return shared_dot(row.side, row.body, column.side, column.body);
}

bool StructuredKernel::set(const std::vector<StructuredRow>& rows,
                           const std::vector<StructuredColumn>& columns,
                           const std::vector<Twist>& cover_twist)
{
  if (rows.size() != columns.size() || static_cast<int>(rows.size()) > capacity_) return false;
  cover_twist_ = &cover_twist;
  if (keep_inverse_ && update(rows, columns)) return true;
  rows_ = rows;
  columns_ = columns;
  return refactor();
}

bool StructuredKernel::refactor()
{
  ++refactors_;
  const int r = size();
  lu_.begin(r);
  for (int p = 0; p < r; ++p) {
    for (int j = 0; j < r; ++j) lu_(p, j) = entry(rows_[p], columns_[j]);
  }
  if (!lu_.factor()) return false;
  if (keep_inverse_) {
    inverse_.set_columns(r, [this, r](int p, double* column) {
      std::fill_n(column, r, 0.0);
      column[p] = 1.0;
      lu_.solve(column);
    });
  }
  return true;
}

void StructuredKernel::solve(const double* right, double* x) const
{
  if (keep_inverse_) {
    inverse_.multiply(right, x);
  } else {
    std::copy_n(right, size(), x);
    lu_.solve(x);
  }
}

// From the old kernel to the new one: grow first, then replace, then shrink.
bool StructuredKernel::update(const std::vector<StructuredRow>& rows,
                              const std::vector<StructuredColumn>& columns)
{
  compare(rows_, rows, sorted_keys_, stale_rows_, fresh_rows_);
  compare(columns_, columns, sorted_keys_, stale_columns_, fresh_columns_);
  const std::size_t changes = fresh_rows_.size() + fresh_columns_.size();
  if (rows_.empty() || 2 * changes > rows_.size()) return false;
  while (fresh_rows_.size() > stale_rows_.size()) {
    if (fresh_columns_.empty()) return false;
    if (!border(rows[fresh_rows_.back()], columns[fresh_columns_.back()])) return false;
    fresh_rows_.pop_back();
    fresh_columns_.pop_back();
  }
  while (!fresh_columns_.empty() && !stale_columns_.empty()) {
    if (!replace_column(stale_columns_.back(), columns[fresh_columns_.back()])) return false;
    fresh_columns_.pop_back();
    stale_columns_.pop_back();
  }
  while (!fresh_rows_.empty() && !stale_rows_.empty()) {
    if (!replace_row(stale_rows_.back(), rows[fresh_rows_.back()])) return false;
    fresh_rows_.pop_back();
    stale_rows_.pop_back();
  }
  if (!fresh_rows_.empty() || !fresh_columns_.empty()) return false;
  while (
      !stale_rows_.empty()) {  // ascending order: the last one in the list is moved by none before
    if (stale_columns_.empty() || !remove(stale_rows_.back(), stale_columns_.back())) return false;
    stale_rows_.pop_back();
    stale_columns_.pop_back();
  }
  return stale_columns_.empty();
}

// direction_ = -K^-1 b for the column's b.
void StructuredKernel::column_direction(const StructuredColumn& column)
{
  std::fill(right_.begin(), right_.end(), 0.0);
  for (int p = 0; p < size(); ++p) right_[p] = entry(rows_[p], column);
  inverse_.multiply(right_.data(), direction_.data());
  for (int j = 0; j < size(); ++j) direction_[j] = -direction_[j];
}

void StructuredKernel::row_times_inverse(const StructuredRow& row)
{
  for (int j = 0; j < size(); ++j) left_[j] = entry(row, columns_[j]);
  inverse_.multiply_transposed(left_.data(), work_.data());
}

bool StructuredKernel::border(const StructuredRow& row, const StructuredColumn& column)
{
  column_direction(column);
  row_times_inverse(row);
  double schur = entry(row, column);
  for (int j = 0; j < size(); ++j) schur += left_[j] * direction_[j];
  if (!(std::abs(schur) > smallest_pivot)) return false;
  inverse_.border(direction_.data(), work_.data(), schur);
  rows_.push_back(row);
  columns_.push_back(column);
  return true;
}

bool StructuredKernel::replace_column(int j, const StructuredColumn& column)
{
  column_direction(column);
  if (!(std::abs(direction_[j]) > smallest_pivot)) return false;
  inverse_.replace_column(j, direction_.data());
  columns_[j] = column;
  return true;
}

bool StructuredKernel::replace_row(int p, const StructuredRow& row)
{
  row_times_inverse(row);
  if (!(std::abs(work_[p]) > smallest_pivot)) return false;
  inverse_.replace_row(p, work_.data());
  rows_[p] = row;
  return true;
}

bool StructuredKernel::remove(int p, int j)
{
  if (!(std::abs(inverse_(j, p)) > smallest_pivot)) return false;
  inverse_.remove(p, j);
  rows_[p] = rows_.back();
  rows_.pop_back();
  columns_[j] = columns_.back();
  columns_.pop_back();
  return true;
}

}  // namespace tact
