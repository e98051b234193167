// The normals of all contacts in SIMD lanes: which inactive contact closes first along a direction.
//
// Contacts of one body pair stand side by side, one contact a lane; value and slope of u_n of a
// whole group cost 24 fused operations. This scan is the only part of a pivot that grows with the
// number of contacts.
#pragma once

#include <vector>

#include <tact/solvers/pivoting/whitened.hpp>

namespace tact {

class NormalLanes {
 public:
  struct Hit {
    int contact = -1;  // none
    double t = 0.0;    // where u_n reaches zero
    double slope = 0.0;
  };

  // All contacts inactive. `cover` has three entries a contact; the first covers u_n.
  void load(const WhitenedProblem& problem);
  void set_cover(const double* cover);
  void set_active(int contact, bool active);

  // Over inactive contacts: the smallest t >= 0 at which u_n + cover z0 reaches zero when y, z0
  // move along dy, dz0. Slopes above -slope_tolerance do not count.
  Hit first_to_close(const std::vector<Twist>& y, const std::vector<Twist>& dy, double z0,
                     double dz0, double slope_tolerance) const;
  // The contact with the largest t = -u_n / cover, if any is positive: where the path starts.
  Hit deepest(const std::vector<Twist>& y) const;
  // max(0, -u_n) over inactive contacts.
  double worst_approach(const std::vector<Twist>& y) const;

 private:
  struct Group {
    int body[2];
  };
  Lanes velocity(std::size_t group, const std::vector<Twist>& y) const;

  int world_ = 0;
  std::vector<Group> groups_;
  LaneBuffer normals_;                // 12 x lanes a group: 6 for body a, 6 for body b
  LaneBuffer bias_, cover_, closed_;  // one a lane; closed: 1 active or padding, else 0
  std::vector<int> lane_of_;          // contact -> lane
  std::vector<int> contact_of_;       // lane -> contact, -1 for padding
  std::vector<int> order_;            // contacts sorted by body pair
};

}  // namespace tact
