// The basis systems of structured Lemke: which rows and columns make the kernel, and the values of
// all basic variables from it.
//
// With h a row's constant part (bias, or the direct effect of the driving variable), for a contact
// whose lambda is basic and x one of its basic phi:
//   phi_x  = mu theta - sum_{j != x} phi_j + c_gamma z0 + h_gamma       from row gamma
//   lambda = -(D_x . v + c_x z0 + h_x)                                  from row sigma_x
//   v      = v_0 + V y + c* z0
//   V_theta = N + mu D_x,   V_phi,j = D_j - D_x,   c* = sum c_gamma D_x
// What is left are the rows nu and sigma_j - sigma_x in the unknowns theta, phi_j, z0: the kernel.
#include <algorithm>
#include <bit>
#include <cmath>

#include <tact/solvers/pivoting/structured_path.hpp>

namespace tact {
namespace {

constexpr double correct_basis_above = 1e-13;  // kernel residual, relative to the first z0
constexpr double refactor_basis_above = 1e-10;

}  // namespace

Twist StructuredPath::direction_twist(int contact, int side, int direction) const
{
  const Twist* rows = problem_->contacts()[contact].rows[side];
  return combine(0.0, rows[0], cos_[direction], rows[1], sin_[direction], rows[2]);
}

// Names the content of a row or column: the pair and the phi it is taken relative to.
std::int64_t StructuredPath::key(const Pair& pair, int x) const
{
  const std::int64_t d = pyramid_->d;
  const std::int64_t row = pair.row == Pair::Row::normal  ? d
                           : pair.row == Pair::Row::bound ? d + 1
                                                          : pair.direction;
  return ((pair.contact * (d + 2)) + row) * (d + 1) + x + 1;
}

StructuredRow StructuredPath::velocity_row(const Pair& pair) const
{
  const WhitenedContact& c = problem_->contacts()[pair.contact];
  const int x = pair.row == Pair::Row::friction ? basis_[pair.contact].x : -1;
  StructuredRow row;
  row.key = key(pair, x);
  row.contact = pair.contact;
  row.direction = pair.direction;
  row.less = x;
  row.kind = pair.row == Pair::Row::normal ? StructuredRow::Kind::nu : StructuredRow::Kind::sigma;
  row.cover = cover_[place(pair)];
  if (x >= 0) row.cover -= cover_[place({pair.contact, Pair::Row::friction, x})];
  for (int s = 0; s < 2; ++s) {
    row.body[s] = c.body[s];
    row.side[s] = pair.row == Pair::Row::normal ? c.rows[s][0]
                                                : direction_twist(pair.contact, s, pair.direction);
    if (x >= 0) row.side[s].add(-1.0, direction_twist(pair.contact, s, x));
  }
  return row;
}

StructuredRow StructuredPath::bound_row(int contact) const
{
  const Pair pair{contact, Pair::Row::bound, 0};
  StructuredRow row;
  row.key = key(pair, -1);
  row.contact = contact;
  row.kind = StructuredRow::Kind::gamma;
  row.cover = cover_[place(pair)];
  row.body[0] = row.body[1] = problem_->bodies();
  return row;
}

StructuredColumn StructuredPath::impulse_column(const Pair& pair) const
{
  const WhitenedContact& c = problem_->contacts()[pair.contact];
  const int x = basis_[pair.contact].x;
  const bool normal = pair.row == Pair::Row::normal;
  StructuredColumn column;
  column.key = key(pair, x);
  column.kind = normal ? StructuredColumn::Kind::theta : StructuredColumn::Kind::phi;
  column.contact = pair.contact;
  column.direction = pair.direction;
  column.mu = c.mu;
  for (int s = 0; s < 2; ++s) {
    column.body[s] = c.body[s];
    column.side[s] = normal ? c.rows[s][0] : direction_twist(pair.contact, s, pair.direction);
    if (x >= 0) column.side[s].add(normal ? c.mu : -1.0, direction_twist(pair.contact, s, x));
  }
  return column;
}

void StructuredPath::choose_x(Basis& basis) const
{
  if (!basis.lambda || basis.phi == 0) {
    basis.x = -1;
  } else if (basis.x < 0 || (basis.phi >> basis.x & 1u) == 0) {
    basis.x = std::countr_zero(basis.phi);
  }
}

void StructuredPath::add_rows_of(int contact)
{
  Basis& basis = basis_[contact];
  choose_x(basis);
  if (basis.x >= 0) {
    const double c_gamma = cover_[place({contact, Pair::Row::bound, 0})];
    const int* body = problem_->contacts()[contact].body;
    for (int s = 0; s < 2; ++s) {
      cover_twist_[body[s]].add(c_gamma, direction_twist(contact, s, basis.x));
    }
    cover_key_ = cover_key_ * 1000003u + static_cast<std::uint64_t>(contact * 64 + basis.x + 1);
  }
  const auto add = [&](const Pair& pair) {
    rows_.push_back(velocity_row(pair));
    columns_.push_back(impulse_column(pair));
  };
  if (basis.theta) add({contact, Pair::Row::normal, 0});
  for (std::uint64_t rest = basis.phi; rest != 0; rest &= rest - 1) {
    const int j = std::countr_zero(rest);
    if (j != basis.x) add({contact, Pair::Row::friction, j});
  }
}

// The row of the missing pair, whose members are both nonbasic while z0 is basic.
void StructuredPath::add_missing_row()
{
  const Basis& basis = basis_[missing_.contact];
  const bool lambda_from_missing =
      missing_.row == Pair::Row::friction && basis.lambda && basis.phi == 0;
  const bool bound = missing_.row == Pair::Row::bound || lambda_from_missing;
  rows_.push_back(bound ? bound_row(missing_.contact) : velocity_row(missing_));
  StructuredColumn z0;
  z0.kind = StructuredColumn::Kind::z0;
  z0.body[0] = z0.body[1] = problem_->bodies();
  z0.key = static_cast<std::int64_t>(cover_key_ >> 2 | std::uint64_t{1} << 62);  // past all others
  columns_.push_back(z0);
}

bool StructuredPath::rebuild_kernel()
{
  rows_.clear();
  columns_.clear();
  cover_twist_.assign(problem_->k().size(), Twist{});
  cover_key_ = 0;
  int number = 0;
  for (const WhitenedRow& from : problem_->bilateral()) {
    StructuredRow row;
    StructuredColumn column;
    row.key = column.key = -1 - number;
    row.contact = column.contact = number++;
    row.kind = StructuredRow::Kind::bilateral;
    column.kind = StructuredColumn::Kind::beta;
    for (int s = 0; s < 2; ++s) {
      row.body[s] = column.body[s] = from.body[s];
      row.side[s] = column.side[s] = from.side[s];
    }
    rows_.push_back(row);
    columns_.push_back(column);
  }
  for (const int contact : present_) add_rows_of(contact);
  if (z0_basic_) add_missing_row();
  largest_kernel_ = std::max(largest_kernel_, static_cast<int>(rows_.size()));
  return kernel_.set(rows_, columns_, cover_twist_);
}

// The constant part of a row: bias in the values, the direct effect of the driving variable in the
// slopes (-1 on the row of a driven w, so that the row holds that w at 1).
double StructuredPath::inhomogeneity(const Pair& pair, Right right) const
{
  using Row = Pair::Row;
  const WhitenedContact& c = problem_->contacts()[pair.contact];
  if (right == Right::free_velocity) {
    if (pair.row == Row::normal) return c.bias[0];
    if (pair.row == Row::bound) return 0.0;
    return cos_[pair.direction] * c.bias[1] + sin_[pair.direction] * c.bias[2];
  }
  if (pair.contact != missing_.contact) return 0.0;
  if (!driving_z_) return pair == missing_ ? -1.0 : 0.0;
  if (missing_.row == Row::bound) return pair.row == Row::friction ? 1.0 : 0.0;
  if (pair.row != Row::bound) return 0.0;
  return missing_.row == Row::normal ? c.mu : -1.0;
}

double StructuredPath::inhomogeneity(const StructuredRow& row, Right right) const
{
  using Row = Pair::Row;
  switch (row.kind) {
    case StructuredRow::Kind::bilateral:
      return right == Right::free_velocity ? problem_->bilateral()[row.contact].bias : 0.0;
    case StructuredRow::Kind::nu: return inhomogeneity({row.contact, Row::normal, 0}, right);
    case StructuredRow::Kind::gamma: return inhomogeneity({row.contact, Row::bound, 0}, right);
    case StructuredRow::Kind::sigma: break;
  }
  const double own = inhomogeneity({row.contact, Row::friction, row.direction}, right);
  if (row.less < 0) return own;
  return own - inhomogeneity({row.contact, Row::friction, row.less}, right);
}

void StructuredPath::evaluate(Right right, Evaluation& out)
{
  out.entries.resize(present_.size() * stride_);
  out.kernel.resize(kernel_.capacity());
  solve_kernel(right, out);
  for (const int contact : present_) evaluate_slacks(contact, right, out);
  scatter_kernel(out);
  for (const int contact : present_) evaluate_bounds(contact, right, out);
  if (!z0_basic_) return;
  out.entries[place(missing_)] =
      right == Right::free_velocity ? out.z0 : 0.0;  // z0 is no candidate
}

void StructuredPath::solve_kernel(Right right, Evaluation& out)
{
  std::fill(out.kernel.begin(), out.kernel.end(), 0.0);
  add_impulses(right, out);
  double error = kernel_residuals(right, out);  // of y = 0: the right side itself
  const double scale = right == Right::free_velocity ? std::max(z0_first_, 1e-300) : error;
  for (int round = 0; round < 3; ++round) {
    kernel_.solve(right_.data(), correction_.data());
    for (int j = 0; j < kernel_.size(); ++j) out.kernel[j] -= correction_[j];
    add_impulses(right, out);
    if (!kernel_.keeps_inverse()) return;
    const double before = error;
    error = kernel_residuals(right, out);
    if (error <= correct_basis_above * scale) return;
    if (round == 1 && (error > refactor_basis_above * scale || error > 0.2 * before))
      kernel_.refactor();
  }
}

// v = v_0 + V y + c* z0, with v_0 the free velocity or the wrench of the driving variable.
void StructuredPath::add_impulses(Right right, Evaluation& out) const
{
  const std::vector<Twist>& k = problem_->k();
  if (right == Right::free_velocity) {
    out.v = k;
  } else {
    out.v.assign(k.size(), Twist{});
    const WhitenedContact& c = problem_->contacts()[missing_.contact];
    const int x = basis_[missing_.contact].x;
    for (int s = 0; s < 2; ++s) {
      Twist& v = out.v[c.body[s]];
      if (driving_z_ && missing_.row == Pair::Row::normal) v.add(1.0, c.rows[s][0]);
      if (driving_z_ && missing_.row == Pair::Row::friction) {
        v.add(1.0, direction_twist(missing_.contact, s, missing_.direction));
      }
      if (x < 0) continue;
      const double h = inhomogeneity({missing_.contact, Pair::Row::bound, 0}, right);
      if (h != 0.0) v.add(h, direction_twist(missing_.contact, s, x));
    }
  }
  out.z0 = 0.0;
  for (int j = 0; j < kernel_.size(); ++j) {
    const StructuredColumn& column = kernel_.column(j);
    if (column.kind == StructuredColumn::Kind::z0) {
      out.z0 = out.kernel[j];
      for (std::size_t b = 0; b < out.v.size(); ++b) out.v[b].add(out.z0, cover_twist_[b]);
    } else {
      for (int s = 0; s < 2; ++s) out.v[column.body[s]].add(out.kernel[j], column.side[s]);
    }
  }
}

// right_[p] = what row p of the kernel is away from zero; returns the largest.
double StructuredPath::kernel_residuals(Right right, const Evaluation& out)
{
  double largest = 0.0;
  std::fill(right_.begin(), right_.end(), 0.0);
  for (int p = 0; p < kernel_.size(); ++p) {
    const StructuredRow& row = kernel_.row(p);
    double e = row.cover * out.z0 + inhomogeneity(row, right);
    if (row.kind == StructuredRow::Kind::gamma) {
      for (int j = 0; j < kernel_.size(); ++j) {
        const StructuredColumn& column = kernel_.column(j);
        const bool own = column.contact == row.contact;
        if (own && column.kind == StructuredColumn::Kind::theta) e += column.mu * out.kernel[j];
        if (own && column.kind == StructuredColumn::Kind::phi) e -= out.kernel[j];
      }
    } else {
      e += relative_velocity(row.side[0], row.side[1], row.body, out.v);
    }
    right_[p] = e;
    largest = std::max(largest, std::abs(e));
  }
  return largest;
}

// nu, lambda and all sigma of a contact; those whose impulse is basic are overwritten afterwards.
void StructuredPath::evaluate_slacks(int contact, Right right, Evaluation& out) const
{
  const WhitenedContact& c = problem_->contacts()[contact];
  const Basis& basis = basis_[contact];
  double* entries = &out.entries[basis.block * stride_];
  const double* cover = &cover_[basis.block * stride_];
  const int d = pyramid_->d;
  const bool free = right == Right::free_velocity;
  const double u_n = relative_velocity(c.rows[0][0], c.rows[1][0], c.body, out.v);
  if (!has_friction(contact)) {
    std::fill_n(entries, stride_, 0.0);
    entries[d] = u_n + cover[d] * out.z0 + (free ? c.bias[0] : 0.0);
    return;
  }
  double u_1 = relative_velocity(c.rows[0][1], c.rows[1][1], c.body, out.v);
  double u_2 = relative_velocity(c.rows[0][2], c.rows[1][2], c.body, out.v);
  if (free) {
    u_1 += c.bias[1];
    u_2 += c.bias[2];
  }
  // Every direction has the same direct effect: 1 when this contact's lambda is driven.
  const bool own = !free && missing_.contact == contact && driving_z_;
  const double direct = own && missing_.row == Pair::Row::bound ? 1.0 : 0.0;
  double lambda = 0.0;
  if (basis.lambda) {
    const int x = basis.x >= 0 ? basis.x : missing_.direction;
    const double driven_w =
        !free && !driving_z_ && missing_ == Pair{contact, Pair::Row::friction, x} ? -1.0 : 0.0;
    lambda = -(cos_[x] * u_1 + sin_[x] * u_2 + cover[x] * out.z0 + direct + driven_w);
  }
  const double common = lambda + direct;
  for (int j = 0; j < stride_; ++j) {
    entries[j] = cos_[j] * u_1 + sin_[j] * u_2 + cover[j] * out.z0 + common;
  }
  std::fill(entries + d, entries + stride_, 0.0);
  entries[d] = u_n + cover[d] * out.z0 + (free ? c.bias[0] : 0.0);
  entries[d + 1] = lambda;
}

void StructuredPath::scatter_kernel(Evaluation& out)
{
  for (const int contact : present_) theta_[contact] = phi_sum_[contact] = 0.0;
  for (int j = 0; j < kernel_.size(); ++j) {
    const StructuredColumn& column = kernel_.column(j);
    if (column.kind == StructuredColumn::Kind::theta) {
      theta_[column.contact] = out.kernel[j];
      out.entries[place({column.contact, Pair::Row::normal, 0})] = out.kernel[j];
    } else if (column.kind == StructuredColumn::Kind::phi) {
      phi_sum_[column.contact] += out.kernel[j];
      out.entries[place({column.contact, Pair::Row::friction, column.direction})] = out.kernel[j];
    }
  }
}

// gamma, or the phi that row gamma determines. The driven theta or phi acts through h_gamma.
void StructuredPath::evaluate_bounds(int contact, Right right, Evaluation& out) const
{
  if (!has_friction(contact)) return;
  const Basis& basis = basis_[contact];
  const Pair bound{contact, Pair::Row::bound, 0};
  const double left = problem_->contacts()[contact].mu * theta_[contact] - phi_sum_[contact] +
                      cover_[place(bound)] * out.z0 + inhomogeneity(bound, right);
  if (!basis.lambda) out.entries[place(bound)] = left;
  if (basis.x >= 0) out.entries[place({contact, Pair::Row::friction, basis.x})] = left;
}

}  // namespace tact
