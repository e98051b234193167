// Contacts of one rigid body that is held, one a lane: what BodyNewton asks of each, its impulse,
// its force on the body and its part of Newton's matrix. No contact waits for another.
#pragma once

#include <tact/linalg/lane_tuple.hpp>
#include <tact/solvers/coupling/compact_rows.hpp>

namespace tact {

class HeldLanes {
 public:
  static constexpr int contacts = lane_width;  // at a time

  // The body's velocity.
  explicit HeldLanes(const double* z) : z_(z) {}

  // The contacts from `first` on, each with that body alone and a node of its own. Sets their
  // impulses.
  void add(const CompactRows& rows, int first, double* lambda);

  // Sums over all that were added: J' lambda and J' H J.
  void give(Eigen::Ref<Vector6d> force, Eigen::Ref<Matrix6d> K) const;

 private:
  void add_force(const LaneTuple<3>& f, const LaneTuple<3>& arm);
  void add_matrix(const LaneTuple<9>& X, const LaneTuple<3>& arm);

  const double* z_;
  LaneTuple<6> force_;
  LaneTuple<36> K_;  // row by row
};

}  // namespace tact
