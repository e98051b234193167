#include <tact/solvers/pivoting/cone_kernel.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tact {

void ConeKernel::begin(const WhitenedProblem& problem, const double* cover)
{
  problem_ = &problem;
  cover_ = cover;
  capacity_ = 6 * problem.bodies() + 5;
  size_ = 0;
  z0_ = -1;
  corrections_ = refactors_ = 0;
  z_.reset(capacity_);
  lu_.reserve(capacity_);
  rows_.resize(capacity_ + 1);
  columns_.resize(capacity_ + 1);
  places_.resize(problem.size());
  for (LaneBuffer* buffer : {&x_, &dx_, &right_, &left_, &work_}) {
    buffer->assign(round_up_8(capacity_ + 1), 0.0);
  }
  y_ = problem.k();
  dy_.assign(y_.size(), Twist{});
}

KernelRow ConeKernel::contact_row(int contact, int slot, std::array<double, 3> weights) const
{
  const WhitenedContact& from = problem_->contacts()[contact];
  const double* cover = cover_ + 3 * contact;
  KernelRow row;
  for (int s = 0; s < 2; ++s) {
    row.side[s] = combine(weights[0], from.rows[s][0], weights[1], from.rows[s][1], weights[2],
                          from.rows[s][2]);
    row.body[s] = from.body[s];
  }
  row.owner = contact;
  row.slot = slot;
  for (int k = 0; k < 3; ++k) {
    row.bias += weights[k] * from.bias[k];
    row.cover += weights[k] * cover[k];
  }
  return row;
}

KernelColumn ConeKernel::contact_column(int contact, int slot, std::array<double, 3> weights) const
{
  const WhitenedContact& from = problem_->contacts()[contact];
  KernelColumn column;
  for (int s = 0; s < 2; ++s) {
    column.side[s] = combine(weights[0], from.rows[s][0], weights[1], from.rows[s][1], weights[2],
                             from.rows[s][2]);
    column.body[s] = from.body[s];
  }
  column.owner = contact;
  column.slot = slot;
  return column;
}

// U . V over the bodies that row and column share. The world's rows are zero, so it may match too.
double ConeKernel::entry(const KernelRow& row, const KernelColumn& column) const
{
  const int *r = row.body, *c = column.body;
  const double cover = column.cover_weight * row.cover;
  if (r[0] == c[0]) {
    if (r[1] == c[1]) return cover + dot(row.side[0], column.side[0], row.side[1], column.side[1]);
    return cover + dot(row.side[0], column.side[0]);
  }
  if (r[0] == c[1]) {
    if (r[1] == c[0]) return cover + dot(row.side[0], column.side[1], row.side[1], column.side[0]);
    return cover + dot(row.side[0], column.side[1]);
  }
  if (r[1] == c[1]) return cover + dot(row.side[1], column.side[1]);
  if (r[1] == c[0]) return cover + dot(row.side[1], column.side[0]);
  return cover;
}

void ConeKernel::note(const KernelRow& row, int place)
{
  if (row.owner != no_owner) places_[row.owner].row[row.slot] = place;
}

void ConeKernel::note(const KernelColumn& column, int place)
{
  if (column.owner != no_owner) places_[column.owner].column[column.slot] = place;
  if (column.cover_weight != 0.0) z0_ = place;
}

void ConeKernel::set_driving_column(const KernelColumn& column, double value, double sign)
{
  columns_[size_] = column;
  x_[size_] = value;
  note(column, size_);
  driving_ = {Driving::Kind::column, 0, sign};
}

void ConeKernel::set_driving_z0(double value, double sign)
{
  KernelColumn z0;
  z0.body[0] = z0.body[1] = problem_->bodies();
  z0.cover_weight = 1.0;
  set_driving_column(z0, value, sign);
}

void ConeKernel::set_driving_slack(int row, double sign)
{
  driving_ = {Driving::Kind::slack, row, sign};
  x_[size_] = 0.0;
}

bool ConeKernel::drives_column_of(int contact, int slot) const
{
  return driving_.kind == Driving::Kind::column && columns_[size_].owner == contact &&
         columns_[size_].slot == slot;
}

void ConeKernel::compute_direction()
{
  std::fill(dy_.begin(), dy_.end(), Twist{});
  if (driving_.kind == Driving::Kind::column) {
    const KernelColumn& entering = columns_[size_];
    for (int p = 0; p < size_; ++p) right_[p] = entry(rows_[p], entering);
    std::fill(right_.begin() + size_, right_.begin() + round_up_8(size_ + 1), 0.0);
    z_.multiply(right_.data(), dx_.data());
    for (int j = 0; j < size_; ++j) dx_[j] *= -driving_.sign;
    dx_[size_] = driving_.sign;
    for (int s = 0; s < 2; ++s) dy_[entering.body[s]].add(driving_.sign, entering.side[s]);
  } else {
    for (int j = 0; j < size_; ++j) dx_[j] = driving_.sign * z_(j, driving_.row);
    dx_[size_] = 0.0;
  }
  for (int j = 0; j < size_; ++j) {
    const KernelColumn& column = columns_[j];
    for (int s = 0; s < 2; ++s) dy_[column.body[s]].add(dx_[j], column.side[s]);
  }
}

void ConeKernel::move(double t)
{
  for (int j = 0; j <= size_; ++j) x_[j] += t * dx_[j];
  for (std::size_t b = 0; b < y_.size(); ++b) y_[b].add(t, dy_[b]);
}

// w = row' K^-1 into work_.
void ConeKernel::row_times_inverse(const KernelRow& row)
{
  for (int j = 0; j < size_; ++j) left_[j] = entry(row, columns_[j]);
  z_.multiply_transposed(left_.data(), work_.data());
}

void ConeKernel::enter_row(const KernelRow& row, double slope)
{
  row_times_inverse(row);
  if (driving_.kind == Driving::Kind::slack) {
    z_.replace_row(driving_.row, work_.data());
    rows_[driving_.row] = row;
    note(row, driving_.row);
    return;
  }
  assert(size_ < capacity_);
  if (driving_.sign < 0.0) {  // border() wants the direction of a growing variable
    for (int j = 0; j < size_; ++j) dx_[j] = -dx_[j];
  }
  z_.border(dx_.data(), work_.data(), driving_.sign * slope);
  rows_[size_] = row;
  note(row, size_);
  ++size_;
}

void ConeKernel::leave_column(int j)
{
  if (driving_.kind == Driving::Kind::slack) {
    remove(driving_.row, j);
    return;
  }
  if (driving_.sign < 0.0) {
    for (int i = 0; i < size_; ++i) dx_[i] = -dx_[i];
  }
  z_.replace_column(j, dx_.data());
  columns_[j] = columns_[size_];
  x_[j] = x_[size_];
  note(columns_[j], j);
}

void ConeKernel::remove(int row, int column)
{
  z_.remove(row, column);
  const int last = size_ - 1;
  if (row != last) {
    rows_[row] = rows_[last];
    note(rows_[row], row);
  }
  if (column != last) {
    columns_[column] = columns_[last];
    x_[column] = x_[last];
    note(columns_[column], column);
  }
  --size_;
}

void ConeKernel::rotate_rows(int contact, double c, double s)
{
  z_.rotate_rows(row_of(contact, 1), row_of(contact, 2), c, s);
}

void ConeKernel::recombine_columns(int contact, const double Q[4])
{
  const int a = column_of(contact, 0), b = column_of(contact, 1), n = column_of(contact, 2);
  z_.recombine(a, b, n, Q);
  for (LaneBuffer* coordinates : {&x_, &dx_}) {
    double* c = coordinates->data();
    const double new_a = Q[0] * c[a] + Q[1] * c[b], new_b = Q[2] * c[a] + Q[3] * c[b];
    c[n] += c[a] + c[b] - new_a - new_b;
    c[a] = new_a;
    c[b] = new_b;
  }
}

void ConeKernel::replace_row_data(int contact, int slot, const KernelRow& row)
{
  rows_[row_of(contact, slot)] = row;
}

void ConeKernel::replace_column_data(int contact, int slot, const KernelColumn& column)
{
  columns_[column_of(contact, slot)] = column;
}

void ConeKernel::rename_column(int contact, int from, int to)
{
  const int place = column_of(contact, from);
  columns_[place].slot = to;
  places_[contact].column[to] = place;
}

void ConeKernel::append(const KernelRow& row, const KernelColumn& column, double value)
{
  rows_[size_] = row;
  note(row, size_);
  columns_[size_] = column;
  x_[size_] = value;
  note(column, size_);
  ++size_;
}

}  // namespace tact
