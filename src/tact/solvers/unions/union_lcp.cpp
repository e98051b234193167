#include <tact/solvers/unions/union_lcp.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include <tact/core/error.hpp>

namespace tact {
namespace {

void require_plain_sides(const LcpProblem& base, const SideGroups& groups)
{
  for (const int side : groups.all_sides()) {
    if (base.lower_bound(side) == 0.0 && base.upper_bound(side) == infinity) continue;
    throw Error(
        fmt::format("union of half-spaces: row {} has bounds {} and {}, expected 0 and "
                    "infinity: only plain rows can be sides",
                    side, base.lower_bound(side), base.upper_bound(side)));
  }
}

}  // namespace

UnionConstants choose_constants(const LcpProblem& base, const SideGroups& groups)
{
  double largest = 0.0;
  for (const int side : groups.all_sides()) largest = std::max(largest, std::abs(base.q[side]));
  if (largest == 0.0) largest = 1.0;
  return {.velocity_scale = largest, .gamma = 4.0 * largest, .cap = 1e-3 * largest};
}

void validate(const UnionConstants& constants)
{
  const auto& [scale, gamma, cap] = constants;
  if (!(scale > 0.0 && std::isfinite(scale)))
    throw Error(fmt::format("union of half-spaces: velocity scale is {} m/s, expected > 0", scale));
  if (!(gamma > scale && std::isfinite(gamma)))
    throw Error(
        fmt::format("union of half-spaces: gamma is {} m/s, expected more than the velocity "
                    "scale, {} m/s",
                    gamma, scale));
  if (!(cap > 0.0 && std::isfinite(cap)))
    throw Error(fmt::format("union of half-spaces: epsilon / h is {} m/s, expected > 0", cap));
}

void UnionLcp::load(const LcpProblem& base, const SideGroups& groups, UnionForm form,
                    const UnionConstants& constants)
{
  validate(groups, base.size());
  validate(constants);
  require_plain_sides(base, groups);
  groups_ = groups;
  form_ = form;
  constants_ = constants;
  std::vector<char> is_side(base.size(), 0);
  for (const int side : groups.all_sides()) is_side[side] = 1;
  order_.assign(groups.all_sides().begin(), groups.all_sides().end());
  for (int i = 0; i < base.size(); ++i)
    if (!is_side[i]) order_.push_back(i);

  first_ = form == UnionForm::max ? p() + groups.size() : groups.sides();
  const int size = first_ + base.size();
  lcp_.M.setZero(size, size);
  lcp_.q.setZero(size);
  lcp_.lower.resize(0);
  lcp_.upper.resize(0);
  if (base.lower.size() > 0 || base.upper.size() > 0) {
    lcp_.lower.setZero(size);
    lcp_.upper.setConstant(size, infinity);
  }
  add_base_rows(base);
  form == UnionForm::max ? load_max(base) : load_sum(base);
}

// All rows that are no sides, as they are.
void UnionLcp::add_base_rows(const LcpProblem& base)
{
  const int n = base.size(), y = groups_.sides();
  for (int k = y; k < n; ++k) {
    for (int j = 0; j < n; ++j) lcp_.M(first_ + k, first_ + j) = base.M(order_[k], order_[j]);
    lcp_.q[first_ + k] = base.q[order_[k]];
    if (lcp_.lower.size() == 0) continue;
    lcp_.lower[first_ + k] = base.lower_bound(order_[k]);
    lcp_.upper[first_ + k] = base.upper_bound(order_[k]);
  }
}

void UnionLcp::load_max(const LcpProblem& base)
{
  const auto& [scale, gamma, cap] = constants_;
  const int n = base.size();
  for (int group = 0; group < groups_.size(); ++group) {
    lcp_.q[d() + group] = -1.0;
    lcp_.M(p() + group, d() + group) = 1.0;
    lcp_.q[p() + group] = scale - gamma;
    const int begin = groups_.first_side(group);
    for (int i = begin; i < begin + static_cast<int>(groups_[group].size()); ++i) {
      for (const int row : {i, h() + i}) {
        lcp_.M(row, row) = 1.0;
        for (int j = 0; j < n; ++j) lcp_.M(row, first_ + j) = base.M(order_[i], order_[j]);
        lcp_.q[row] = base.q[order_[i]];
      }
      lcp_.q[i] -= scale;
      lcp_.M(d() + group, g() + i) = 1.0;
      lcp_.M(g() + i, i) = 1.0;
      lcp_.M(g() + i, d() + group) = 1.0;
      lcp_.q[g() + i] = -gamma;
      lcp_.M(first_ + i, h() + i) = 1.0;
      lcp_.M(first_ + i, d() + group) = 1.0;
      lcp_.q[first_ + i] = scale - gamma;
    }
  }
}

void UnionLcp::load_sum(const LcpProblem& base)
{
  const double cap = constants_.cap;
  const int n = base.size();
  for (int group = 0; group < groups_.size(); ++group) {
    const int begin = groups_.first_side(group), size = static_cast<int>(groups_[group].size());
    for (int i = begin; i < begin + size; ++i) {
      lcp_.M(i, i) = 1.0;
      for (int j = 0; j < n; ++j) lcp_.M(i, first_ + j) = -base.M(order_[i], order_[j]);
      lcp_.q[i] = -base.q[order_[i]] - cap;
      lcp_.M.block(first_ + i, begin, 1, size).setOnes();
      lcp_.q[first_ + i] = -cap;
    }
  }
}

VectorXd UnionLcp::base_variables(const VectorXd& z) const
{
  VectorXd base_z(static_cast<Eigen::Index>(order_.size()));
  for (std::size_t k = 0; k < order_.size(); ++k)
    base_z[order_[k]] = z[first_ + static_cast<int>(k)];
  return base_z;
}

// The a_i at the variables of `base`, group by group, from the rows of the form itself.
VectorXd UnionLcp::side_velocities(const VectorXd& behind) const
{
  const int y = groups_.sides();
  const auto n = behind.size();
  if (form_ == UnionForm::max)
    return lcp_.M.block(h(), first_, y, n) * behind + lcp_.q.segment(h(), y);
  return -(lcp_.M.block(0, first_, y, n) * behind + lcp_.q.head(y)).array() - constants_.cap;
}

VectorXd UnionLcp::lifted(const VectorXd& base_z) const
{
  VectorXd z = VectorXd::Zero(lcp_.size());
  for (std::size_t k = 0; k < order_.size(); ++k)
    z[first_ + static_cast<int>(k)] = base_z[order_[k]];
  const VectorXd a = side_velocities(z.tail(static_cast<Eigen::Index>(order_.size())));
  form_ == UnionForm::max ? lift_max(a, z) : lift_sum(a, z);
  return z;
}

void UnionLcp::lift_max(const VectorXd& a, VectorXd& z) const
{
  for (int i = 0; i < groups_.sides(); ++i) {
    z[i] = std::max(0.0, constants_.velocity_scale - a[i]);
    z[h() + i] = std::max(0.0, -a[i]);
  }
  for (int group = 0; group < groups_.size(); ++group) {
    const int begin = groups_.first_side(group), size = static_cast<int>(groups_[group].size());
    const auto first = z.begin() + begin;
    const int widest = begin + static_cast<int>(std::min_element(first, first + size) - first);
    z[d() + group] = constants_.gamma - z[widest];
    z[g() + widest] = 1.0;
  }
}

void UnionLcp::lift_sum(const VectorXd& a, VectorXd& z) const
{
  for (int i = 0; i < groups_.sides(); ++i) z[i] = std::max(0.0, a[i] + constants_.cap);
}

UnionLcp::Role UnionLcp::role(int row) const
{
  if (form_ == UnionForm::sum || row < h() || row >= first_) return Role::other;
  return row < p() ? Role::depth : Role::allowed;
}

int UnionLcp::side(int row) const
{
  if (form_ == UnionForm::sum) return -1;
  if (row >= h() && row < p()) return row - h();
  return row >= first_ && row < first_ + groups_.sides() ? row - first_ : -1;
}

VectorXd UnionLcp::free_velocities() const
{
  return side_velocities(VectorXd::Zero(static_cast<Eigen::Index>(order_.size())));
}

std::vector<int> UnionLcp::basic_at_zero(const std::vector<int>& chosen) const
{
  const VectorXd a = free_velocities();
  std::vector<char> is_basic(first_, 0);
  for (int i = 0; i < groups_.sides(); ++i) {
    if (form_ == UnionForm::sum) {
      is_basic[i] = a[i] > -constants_.cap;
    } else {
      is_basic[i] = a[i] < constants_.velocity_scale;
      is_basic[h() + i] = a[i] < 0.0;
    }
  }
  for (int group = 0; group < groups_.size() && form_ == UnionForm::max; ++group) {
    is_basic[d() + group] = is_basic[g() + chosen[group]] = 1;
    is_basic[h() + chosen[group]] = 0;
  }
  std::vector<int> basic;
  for (int k = 0; k < first_; ++k)
    if (is_basic[k]) basic.push_back(k);
  return basic;
}

VectorXd effective_normal_velocities(const SideGroups& groups, UnionForm form, double cap,
                                     const VectorXd& u_n)
{
  VectorXd effective = u_n;
  for (int group = 0; group < groups.size(); ++group) {
    const double widest = opening(groups[group], u_n);
    double sum = -cap;
    for (const int side : groups[group]) sum += std::max(0.0, u_n[side] + cap);
    for (const int side : groups[group]) {
      const double beyond = widest >= 0.0 ? std::max(0.0, -u_n[side]) : 0.0;
      effective[side] = form == UnionForm::max ? beyond + widest : sum;
    }
  }
  return effective;
}

}  // namespace tact
