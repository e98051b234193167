#include <tact/solvers/pivoting/normal_lanes.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace tact {
namespace {

constexpr double no_hit = std::numeric_limits<double>::infinity();

template <class Mask>
bool any(Mask mask)
{
  std::int64_t found = 0;
  for (int l = 0; l < lane_width; ++l) found |= mask[l];
  return found != 0;
}

}  // namespace

void NormalLanes::load(const WhitenedProblem& problem)
{
  const std::vector<WhitenedContact>& contacts = problem.contacts();
  world_ = problem.bodies();
  order_.resize(contacts.size());
  std::iota(order_.begin(), order_.end(), 0);
  const auto pair = [&](int c) { return std::tuple(contacts[c].body[0], contacts[c].body[1], c); };
  const auto before = [&](int a, int b) { return pair(a) < pair(b); };
  if (!std::is_sorted(order_.begin(), order_.end(), before)) {
    std::sort(order_.begin(), order_.end(), before);
  }

  groups_.clear();
  contact_of_.clear();
  lane_of_.resize(contacts.size());
  int lane = lane_width;  // the open group is full
  for (const int c : order_) {
    const int a = contacts[c].body[0], b = contacts[c].body[1];
    if (lane == lane_width || groups_.back().body[0] != a || groups_.back().body[1] != b) {
      groups_.push_back({{a, b}});
      contact_of_.resize(lane_width * groups_.size(), -1);
      lane = 0;
    }
    lane_of_[c] = static_cast<int>(lane_width * (groups_.size() - 1)) + lane;
    contact_of_[lane_of_[c]] = c;
    ++lane;
  }

  const std::size_t lanes = contact_of_.size();
  normals_.assign(12 * lanes, 0.0);
  bias_.assign(lanes, 0.0);
  cover_.assign(lanes, 1.0);
  closed_.assign(lanes, 1.0);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const int group = lane_of_[c] / lane_width, l = lane_of_[c] % lane_width;
    double* normal = &normals_[12 * lane_width * group + l];
    for (int s = 0; s < 2; ++s) {
      for (int k = 0; k < 6; ++k) normal[lane_width * (6 * s + k)] = contacts[c].rows[s][0][k];
    }
    bias_[lane_of_[c]] = contacts[c].bias[0];
    closed_[lane_of_[c]] = 0.0;
  }
}

void NormalLanes::set_cover(const double* cover)
{
  for (std::size_t c = 0; c < lane_of_.size(); ++c) {
    cover_[lane_of_[c]] = cover[3 * c];
  }
}

void NormalLanes::set_active(int contact, bool active)
{
  closed_[lane_of_[contact]] = active ? 1.0 : 0.0;
}

Lanes NormalLanes::velocity(std::size_t group, const std::vector<Twist>& y) const
{
  const Lanes* n = as_lanes(&normals_[12 * lane_width * group]);
  Lanes u = {};
  for (int s = 0; s < 2; ++s) {
    if (groups_[group].body[s] == world_) continue;
    const Twist& body = y[groups_[group].body[s]];
    for (int k = 0; k < 6; ++k) u += n[6 * s + k] * body[k];
  }
  return u;
}

NormalLanes::Hit NormalLanes::first_to_close(const std::vector<Twist>& y,
                                             const std::vector<Twist>& dy, double z0, double dz0,
                                             double slope_tolerance) const
{
  const Lanes *bias = as_lanes(bias_.data()), *cover = as_lanes(cover_.data()),
              *closed = as_lanes(closed_.data());
  Hit first{-1, no_hit, 0.0};
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Lanes value = bias[g] + cover[g] * z0 + velocity(g, y);
    const Lanes slope = cover[g] * dz0 + velocity(g, dy);
    value = value > 0.0 ? value : Lanes{};
    const auto closing = (slope < -slope_tolerance) & (closed[g] == 0.0);
    const Lanes t = closing ? -value / slope : broadcast(no_hit);
    if (!any(t < first.t)) continue;
    for (int l = 0; l < lane_width; ++l) {
      if (t[l] < first.t) first = {contact_of_[lane_width * g + l], t[l], slope[l]};
    }
  }
  return first;
}

NormalLanes::Hit NormalLanes::deepest(const std::vector<Twist>& y) const
{
  const Lanes *bias = as_lanes(bias_.data()), *cover = as_lanes(cover_.data()),
              *closed = as_lanes(closed_.data());
  Hit deepest;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Lanes t = closed[g] == 0.0 ? -(bias[g] + velocity(g, y)) / cover[g] : Lanes{};
    if (!any(t > deepest.t)) continue;
    for (int l = 0; l < lane_width; ++l) {
      if (t[l] > deepest.t) deepest = {contact_of_[lane_width * g + l], t[l], cover[g][l]};
    }
  }
  return deepest;
}

double NormalLanes::worst_approach(const std::vector<Twist>& y) const
{
  const Lanes *bias = as_lanes(bias_.data()), *closed = as_lanes(closed_.data());
  Lanes worst = {};
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Lanes approach = -(bias[g] + velocity(g, y));
    approach = closed[g] == 0.0 ? approach : Lanes{};
    worst = approach > worst ? approach : worst;
  }
  double largest = 0.0;
  for (int l = 0; l < lane_width; ++l) largest = std::max(largest, worst[l]);
  return largest;
}

}  // namespace tact
