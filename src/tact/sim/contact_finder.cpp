#include <tact/sim/contact_finder.hpp>

#include <algorithm>
#include <cmath>

#include <tbb/parallel_for.h>

#include <tact/geometry/rigid_fit.hpp>

namespace tact {
namespace {

constexpr double short_way = 0.1;  // of the reach

Vector3d end_of(const MovingVertex& vertex)
{
  return {vertex.end[0], vertex.end[1], vertex.end[2]};
}

Vector3d start_of(const MovingVertex& vertex)
{
  return {vertex.start[0], vertex.start[1], vertex.start[2]};
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
  const auto& surfaces = broad_phase_.surfaces().surfaces();
  tbb::parallel_for(std::size_t{0}, surfaces.size(),
                    [&](std::size_t s) { set_slack(surfaces[s].vertices); });
  if (looks_ == 0)
    broad_phase_.find_pairs(vertices_, options_.reach, slack_);
  else
    broad_phase_.renew_pairs(vertices_, slack_);
  ++looks_;
}

// The way that counts is what is left of it when the surface's own motion as a whole is taken off.
void ContactFinder::set_slack(IndexRange vertices)
{
  std::vector<Vector3d> start, end;
  double longest = 0.0;  // m
  for (int i = vertices.first; i < vertices.last; ++i) {
    start.push_back(start_of(vertices_[i]));
    end.push_back(end_of(vertices_[i]));
    longest = std::max(longest, (end.back() - start.back()).squaredNorm());
  }
  if (std::sqrt(longest) < short_way * options_.reach) {  // not worth a fit
    const double slack = options_.slack_of_reach * options_.reach;
    std::fill_n(slack_.begin() + vertices.first, vertices.size(), slack);
    return;
  }
  const Vector3d middle = centroid(start);
  for (Vector3d& x : start) x -= middle;
  const RigidFit whole = fit_rigid(start, end);
  const Matrix3d R = whole.rotation.toRotationMatrix();
  for (int i = 0; i < vertices.size(); ++i) {
    const double way = (R * start[i] + whole.place - end[i]).norm();
    slack_[vertices.first + i] =
        options_.slack_of_reach * options_.reach + options_.slack_of_way * way;
  }
}

// If all ends differ by at most s from those given here, places at any time do too, and distances
// by at most 2 s: what is left out here stays out of reach.
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
