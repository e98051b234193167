// Finds contacts for a time stepper: looks once for all pairs that may matter, and uses that list
// as long as it holds, over many steps, each pair of surfaces by its own common motion. Most of its
// pairs keep far apart in any one step. Those that do not are picked once a step, and all questions
// are answered from them as long as the motion stays near the one that was expected.
#pragma once

#include <span>
#include <vector>

#include <tact/collision/broad_phase.hpp>
#include <tact/collision/limits.hpp>
#include <tact/collision/proximity.hpp>
#include <tact/sim/world_surfaces.hpp>

namespace tact {

struct FinderOptions {
  double reach = 0.0;  // m: pairs nearer than this count; > 0
  // How far a vertex may end from where it was expected before pairs are looked for again: a part
  // of the reach, and a part of the way that it goes within its surface, which may fly and turn.
  double slack_of_reach = 0.35;
  double slack_of_way = 0.25;
  // The same for the pairs that are picked in a step: a part of the reach.
  double pick_slack = 0.1;
};

class ContactFinder {
 public:
  ContactFinder(const SurfaceSet& surfaces, const FinderOptions& options);

  // A step from x0, expected to end near x1.
  void expect(std::span<const Vector3d> x0, std::span<const Vector3d> x1);

  // Contacts at x0 nearer than `distance` <= reach.
  std::vector<Contact> close(double distance) const;
  // Contacts at x1 nearer than `distance`, for the x1 of the last call of limits().
  std::vector<Contact> close_at_end(double distance) const;

  // Pairs that come too near on the way from x0 to x1 (limits.hpp). separation < reach.
  std::vector<Limit> limits(std::span<const Vector3d> x1, double separation);

  double reach() const { return options_.reach; }
  std::span<const MovingVertex> vertices() const { return vertices_; }
  int pair_count() const { return static_cast<int>(broad_phase_.pairs().size()); }
  // How often pairs were looked for since the start, be it of two surfaces only.
  int looks() const { return looks_; }
  int picked_count() const { return static_cast<int>(picked_.size()); }

 private:
  void set_ends(std::span<const Vector3d> x1);
  void look();
  void set_slack(IndexRange vertices);
  void pick();
  bool picked_hold() const;

  BroadPhase broad_phase_;
  FinderOptions options_;
  std::vector<MovingVertex> vertices_;
  std::vector<double> slack_;
  FeaturePairs picked_;
  std::vector<Vector3d> picked_ends_;  // where the motion ended that they were picked for
  int looks_ = 0;
};

}  // namespace tact
