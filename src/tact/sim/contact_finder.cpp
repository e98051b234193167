#include <tact/sim/contact_finder.hpp>

#include <cmath>

namespace tact {
namespace {

Vector3d end_of(const MovingVertex& vertex)
{
  return {vertex.end[0], vertex.end[1], vertex.end[2]};
}

}  // namespace

ContactFinder::ContactFinder(const SurfaceSet& surfaces, const FinderOptions& options)
    : broad_phase_(surfaces), options_(options)
{
}

void ContactFinder::expect(std::span<const Vector3d> x0, std::span<const Vector3d> x1)
{
  vertices_.clear();
  for (std::size_t i = 0; i < x0.size(); ++i) vertices_.emplace_back(x0[i], x1[i]);
  if (looks_ == 0 || !broad_phase_.pairs_hold_for(vertices_)) look();
  pick();
}

void ContactFinder::set_ends(std::span<const Vector3d> x1)
{
  for (std::size_t i = 0; i < x1.size(); ++i)
    for (int k = 0; k < 3; ++k) vertices_[i].end[k] = x1[i][k];
}

void ContactFinder::look()
{
  slack_.resize(vertices_.size());
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    double way = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double d = vertices_[i].end[k] - vertices_[i].start[k];
      way += d * d;
    }
    slack_[i] = options_.slack_of_reach * options_.reach + options_.slack_of_way * std::sqrt(way);
  }
  broad_phase_.find_pairs(vertices_, options_.reach, slack_);
  ++looks_;
}

// If all ends differ by at most s from those given here, places at any time do too, and distances by at
// most 2 s: what is left out here stays out of reach.
void ContactFinder::pick()
{
  const double margin = 2.0 * options_.pick_slack * options_.reach;
  picked_ = pairs_within(broad_phase_.surfaces(), vertices_, broad_phase_.pairs(),
                         options_.reach + margin);
  picked_ends_.resize(vertices_.size());
  for (std::size_t i = 0; i < vertices_.size(); ++i) picked_ends_[i] = end_of(vertices_[i]);
}

bool ContactFinder::picked_hold() const
{
  const double slack = 0.999 * options_.pick_slack * options_.reach;  // the rest is for rounding
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    if ((end_of(vertices_[i]) - picked_ends_[i]).squaredNorm() > slack * slack) return false;
  return true;
}

std::vector<Contact> ContactFinder::close(double distance) const
{
  return find_close_pairs(broad_phase_.surfaces(), vertices_, picked_, distance);
}

std::vector<Contact> ContactFinder::close_at_end(double distance) const
{
  std::vector<MovingVertex> ends = vertices_;
  for (MovingVertex& vertex : ends) vertex.start = vertex.end;
  return find_close_pairs(broad_phase_.surfaces(), ends, picked_, distance);
}

std::vector<Limit> ContactFinder::limits(std::span<const Vector3d> x1, double separation)
{
  set_ends(x1);
  const bool listed = broad_phase_.pairs_hold_for(vertices_);
  if (!listed) look();
  if (!listed || !picked_hold()) pick();
  return find_limits(broad_phase_.surfaces(), vertices_, picked_, separation);
}

}  // namespace tact
