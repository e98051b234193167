// How long a list of pairs holds, pair of surfaces by pair of surfaces.
//
// A list was made with a slack s_i for each vertex i: its boxes are larger by s_i on all sides.
// Let a surface A have moved since then, at the start of the step and at its end, by
//
//   x_i = R (X_i - C) + c + e_i       R, C and c those of A; R the same at both ends of the step
//
// and B alike. Seen by one who moves along with A, the vertices of A are off where they were listed
// by |e_i|, and those of B by |e_j| + D at most, where D is the largest distance between where A's
// motion and where B's motion carries a point of B's box (or of A's box, with A and B exchanged).
// That is true at all times of the step, since R is the same at its start and its end and what is
// linear in time is largest at an end. Distances do not depend on who looks. So the list has all
// pairs of A and B that come within its tolerance if
//
//   |e_i| <= s_i - m_A,    |e_j| <= s_j - m_B,    D <= m_A + m_B      for some m_A, m_B >= 0,
//
// for the gap between boxes, a.low - b.high, is the same where all of a shrink by m and all of b
// grow by m. The largest m_A that is easily had is (1 - max |e_i| / s_i) min s_i. For pairs within
// one surface |e_i| <= s_i is enough. What surfaces have in common, a shift or a turn that goes on,
// is in none of this. Where all are within their slack of where they were listed, R = 1 and c = C
// do, with D = 0. Pairs of surfaces whose boxes do not meet now need no list at all, and where
// boxes with slack did not meet when pairs were last looked for, the list is empty.
//
// R is fitted to the start of the step; any R would do. A surface keeps the motion that it was
// listed with as its reference, also while pairs with others are listed anew: then |e_i| at that
// time counts too, and where it is no longer small the surface starts anew with all its pairs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <tact/collision/moving_box.hpp>
#include <tact/collision/surface_set.hpp>
#include <tact/collision/sweep_and_prune.hpp>

namespace tact {

class ListedMotion {
 public:
  using SurfacePair = std::array<int, 2>;

  // Forgets all: nothing is listed.
  void clear();

  // These pairs of surfaces are listed, ascending, for this motion.
  void start(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices, double tolerance,
             std::span<const double> slack, std::span<const SurfacePair> pairs);

  // Whether the list has all pairs that come within its tolerance in this motion.
  bool holds_for(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices);

  // Makes it hold, with this slack for surfaces that start anew. Afterwards fresh() has to be
  // looked for with slack(), and of what was listed before only what is in kept() is still.
  void renew(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
             std::span<const double> slack);

  bool empty() const { return reference_.empty(); }
  double tolerance() const { return tolerance_; }
  std::span<const double> slack() const { return slack_; }
  std::span<const SurfacePair> fresh() const { return fresh_; }  // ascending
  std::span<const SurfacePair> kept() const { return kept_; }    // ascending

 private:
  // Where a surface has gone since its reference.
  struct Place {
    Matrix3d turn = Matrix3d::Identity();
    std::array<Vector3d, 2> centre{};  // m, at the start and at the end of the step
    bool moved = false;                // else: turn and centre are those of the reference
    double used = 0.0;                 // of the slack: max |e_i| / s_i
    double used_unmoved = 0.0;         // the same as if not moved, or more than 1
    MovingBox box = no_moving_box();   // of the vertices, no larger
  };
  struct Listed {
    SurfacePair surfaces{};
    std::array<Place, 2> places;  // when they were listed
  };

  void set_reference(const Surface& surface, int s, std::span<const MovingVertex> vertices,
                     std::span<const double> slack);
  void measure(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices);
  Place place_of(const Surface& surface, int s, std::span<const MovingVertex> vertices) const;
  double used_slack(const Surface& surface, std::span<const MovingVertex> vertices, int s,
                    const Place& place) const;
  bool holds(const Listed& listed) const;
  bool holds(const SurfacePair& surfaces) const;  // listed or not
  double drift(const Listed& listed, int of) const;
  std::vector<SurfacePair> near_pairs(const SurfaceSet& surfaces, std::span<const double> margins);
  const Listed* find(const SurfacePair& surfaces) const;

  double tolerance_ = 0.0;
  std::vector<MovingVertex> reference_;
  std::vector<double> slack_;                     // of each vertex, with its reference
  std::vector<std::array<Vector3d, 2>> centres_;  // of each surface's reference
  std::vector<double> least_slack_, most_slack_;  // of each surface
  std::vector<Listed> listed_;                    // ascending
  std::vector<Place> now_;
  std::vector<Place> last_look_;  // when pairs were last looked for, be it of a few surfaces
  std::vector<MovingBox> boxes_;
  SweepAndPrune sweep_;
  std::vector<SurfacePair> fresh_, kept_;
};

}  // namespace tact
