#include <tact/solvers/pivoting/structured_path.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <tact/core/stop.hpp>
#include <tact/solvers/pivoting/cover_table.hpp>

namespace tact {
namespace {

constexpr double smallest_fall = 1e-11;  // basic variables that fall slower do not block
constexpr double never = std::numeric_limits<double>::infinity();
constexpr double largest_cover = 1e6;  // of rows that join late, when z0 is already tiny

std::uint64_t bit(int direction)
{
  return std::uint64_t{1} << direction;
}

}  // namespace

void StructuredPath::load(const WhitenedProblem& problem, const FrictionPyramid& pyramid)
{
  problem_ = &problem;
  pyramid_ = &pyramid;
  stride_ = round_up_8(pyramid.d + 2);
  cos_.assign(stride_, 0.0);
  sin_.assign(stride_, 0.0);
  std::copy_n(pyramid.cos_d.begin(), pyramid.d, cos_.begin());
  std::copy_n(pyramid.sin_d.begin(), pyramid.d, sin_.begin());
  theta_.assign(problem.size(), 0.0);
  phi_sum_.assign(problem.size(), 0.0);
}

SolveStatus StructuredPath::run(const Options& options)
{
  options_ = options;
  const SolveStatus started = start();
  if (started != SolveStatus::converged || !z0_basic_) return started;
  for (;;) {
    end_if_stopped();
    if (!rebuild_kernel()) return SolveStatus::stalled;
    evaluate(Right::free_velocity, value_);
    evaluate(Right::driving, slope_);
    const Leaving leaving = ratio_test();
    const double z0 = value_.z0, dz0 = slope_.z0;
    if (dz0 < 0.0 && (leaving.t == never || z0 / -dz0 <= leaving.t ||
                      z0 + leaving.t * dz0 <= options_.end_tolerance * z0_first_)) {
      set_basic_z(missing_, driving_z_);
      z0_basic_ = false;
      ++pivots_;
      if (!rebuild_kernel()) return SolveStatus::stalled;
      evaluate(Right::free_velocity, value_);
      return SolveStatus::converged;
    }
    if (leaving.t == never) return SolveStatus::no_solution;
    if (++pivots_ > options_.max_pivots) return SolveStatus::iteration_limit;
    const bool joins = basis_[leaving.pair.contact].block < 0;
    if (joins) {
      for (std::size_t b = 0; b < value_.v.size(); ++b) value_.v[b].add(leaving.t, slope_.v[b]);
      join(leaving.pair.contact, value_.v, z0 + leaving.t * dz0);
      if (cover_[place({leaving.pair.contact, Pair::Row::friction, 0})] > largest_cover) {
        return SolveStatus::stalled;
      }
    }
    exchange(leaving.pair);
  }
}

// z0 enters for the row that it has to cover most.
SolveStatus StructuredPath::start()
{
  const int n = problem_->size();
  basis_.assign(n, Basis{});
  present_.clear();
  normal_cover_.resize(3 * static_cast<std::size_t>(n));
  for (int c = 0; c < n; ++c) normal_cover_[3 * c] = cover_vector(c + options_.first_cover)[0];
  normals_.load(*problem_);
  normals_.set_cover(normal_cover_.data());
  cover_.clear();
  kernel_.begin(problem_->bodies());
  right_.assign(kernel_.capacity() + 8, 0.0);
  correction_.assign(kernel_.capacity() + 8, 0.0);
  z0_basic_ = false;
  missing_ = {};
  pivots_ = largest_kernel_ = 0;
  if (options_.all_rows) {
    for (int c = 0; c < n; ++c) join(c, problem_->k(), never);
  }
  if (!rebuild_kernel()) return SolveStatus::stalled;
  evaluate(Right::free_velocity, value_);

  const NormalLanes::Hit deepest = normals_.deepest(value_.v);
  Leaving first{{deepest.contact, Pair::Row::normal, 0}, deepest.t, 0.0};
  for (const int c : present_) {
    const double* w = &value_.entries[basis_[c].block * stride_];
    const double* cover = &cover_[basis_[c].block * stride_];
    const int d = pyramid_->d;
    if (-w[d] / cover[d] > first.t) first = {{c, Pair::Row::normal, 0}, -w[d] / cover[d], 0.0};
    for (int j = 0; j < d && has_friction(c); ++j) {
      if (-w[j] / cover[j] > first.t) first = {{c, Pair::Row::friction, j}, -w[j] / cover[j], 0.0};
    }
  }
  if (!(first.t > 0.0)) return SolveStatus::converged;
  z0_first_ = first.t;
  if (basis_[first.pair.contact].block < 0) join(first.pair.contact, value_.v, first.t);
  missing_ = first.pair;
  driving_z_ = true;
  z0_basic_ = true;
  pivots_ = 1;
  return SolveStatus::converged;
}

// The friction rows of a contact enter with w basic. Their cover makes all of them positive at the
// current z0, so the basis stays feasible for the larger problem.
void StructuredPath::join(int contact, const std::vector<Twist>& v, double z0)
{
  Basis& basis = basis_[contact];
  basis.block = static_cast<int>(present_.size());
  present_.push_back(contact);
  normals_.set_active(contact, true);
  cover_.resize(present_.size() * stride_, 0.0);
  double* cover = &cover_[basis.block * stride_];
  std::fill_n(cover, stride_, 0.0);
  const WhitenedContact& c = problem_->contacts()[contact];
  cover[pyramid_->d] = normal_cover_[3 * contact];
  if (!has_friction(contact)) return;
  double enough = 1.0;
  if (z0 < never) {
    const double u_1 = relative_velocity(c.rows[0][1], c.rows[1][1], c.body, v) + c.bias[1];
    const double u_2 = relative_velocity(c.rows[0][2], c.rows[1][2], c.body, v) + c.bias[2];
    for (int j = 0; j < pyramid_->d; ++j) {
      enough = std::max(enough, 1.0 - 2.0 * (cos_[j] * u_1 + sin_[j] * u_2) / z0);
    }
  }
  const int offset = (contact + 1) * (pyramid_->d + 1) + options_.first_cover;
  for (int j = 0; j < pyramid_->d; ++j) cover[j] = enough * cover_vector(offset + j)[0];
  // An impulse: the velocity cover over the contact's own inverse mass.
  const double response = dot(c.rows[0][0], c.rows[0][0], c.rows[1][0], c.rows[1][0]);
  cover[pyramid_->d + 1] = cover_vector(offset + pyramid_->d)[0] / response;
}

int StructuredPath::place(const Pair& pair) const
{
  const int block = basis_[pair.contact].block * stride_;
  if (pair.row == Pair::Row::friction) return block + pair.direction;
  return block + pyramid_->d + (pair.row == Pair::Row::bound ? 1 : 0);
}

bool StructuredPath::basic_z(const Pair& pair) const
{
  const Basis& basis = basis_[pair.contact];
  if (pair.row == Pair::Row::normal) return basis.theta;
  if (pair.row == Pair::Row::bound) return basis.lambda;
  return (basis.phi & bit(pair.direction)) != 0;
}

void StructuredPath::set_basic_z(const Pair& pair, bool is_z)
{
  Basis& basis = basis_[pair.contact];
  switch (pair.row) {
    case Pair::Row::normal: basis.theta = is_z; return;
    case Pair::Row::bound: basis.lambda = is_z; return;
    case Pair::Row::friction:
      basis.phi = is_z ? basis.phi | bit(pair.direction) : basis.phi & ~bit(pair.direction);
  }
}

// The driving member of the missing pair enters; the pair that lost a member is missing now, and
// the complement of what left is driven.
void StructuredPath::exchange(const Pair& leaving)
{
  const bool left_z = basic_z(leaving);
  set_basic_z(missing_, driving_z_);
  set_basic_z(leaving, false);
  missing_ = leaving;
  driving_z_ = !left_z;
}

StructuredPath::Leaving StructuredPath::ratio_test() const
{
  Leaving first{{}, never, 0.0};
  const NormalLanes::Hit hit =
      normals_.first_to_close(value_.v, slope_.v, value_.z0, slope_.z0, smallest_fall);
  if (hit.contact >= 0) first = {{hit.contact, Pair::Row::normal, 0}, hit.t, hit.slope};
  for (const int contact : present_) consider_block(contact, first);
  return first;
}

// Ties go to the steepest slope: the largest pivot.
void StructuredPath::consider_block(int contact, Leaving& first) const
{
  const int block = basis_[contact].block * stride_, d = pyramid_->d;
  const double *value = &value_.entries[block], *slope = &slope_.entries[block];
  for (int i = 0; i < stride_; i += lane_width) {
    const Lanes v = *as_lanes(value + i), s = *as_lanes(slope + i);
    const Lanes positive = v > 0.0 ? v : Lanes{};
    const Lanes t = s < -smallest_fall ? -positive / s : broadcast(never);
    for (int l = 0; l < lane_width; ++l) {
      if (!(t[l] < first.t || (t[l] == first.t && s[l] < first.slope))) continue;
      const int row = i + l;
      const auto kind = row < d    ? Pair::Row::friction
                        : row == d ? Pair::Row::normal
                                   : Pair::Row::bound;
      first = {{contact, kind, row < d ? row : 0}, t[l], s[l]};
    }
  }
}

double StructuredPath::certificate() const
{
  double worst = normals_.worst_approach(value_.v);
  for (const int contact : present_) {
    const double* entries = &value_.entries[basis_[contact].block * stride_];
    for (int i = 0; i < stride_; ++i) {
      if (!std::isfinite(entries[i])) return never;
      worst = std::max(worst, -entries[i]);
    }
  }
  return z0_first_ > 0.0 ? worst / z0_first_ : worst;
}

void StructuredPath::impulses(VectorXd& impulse) const
{
  impulse.setZero(3 * problem_->size());
  for (const int contact : present_) {
    const Basis& basis = basis_[contact];
    const double* entries = &value_.entries[basis.block * stride_];
    auto lambda = impulse.segment<3>(3 * contact);
    if (basis.theta) lambda[0] = std::max(entries[pyramid_->d], 0.0);
    for (std::uint64_t rest = basis.phi; rest != 0; rest &= rest - 1) {
      const int j = std::countr_zero(rest);
      lambda[1] += std::max(entries[j], 0.0) * cos_[j];
      lambda[2] += std::max(entries[j], 0.0) * sin_[j];
    }
  }
}

void StructuredPath::bilateral_impulses(VectorXd& beta) const
{
  beta.setZero(static_cast<Eigen::Index>(problem_->bilateral().size()));
  for (int j = 0; j < kernel_.size(); ++j) {
    const StructuredColumn& column = kernel_.column(j);
    if (column.kind == StructuredColumn::Kind::beta) beta[column.contact] = value_.kernel[j];
  }
}

}  // namespace tact
