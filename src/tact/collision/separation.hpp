// When do two moving features first come within a given distance? Never told too late.
//
// Conservative advancement by separating slabs. For any vector n and features A, B with vertices
// a_i, b_j
//   dist(A(t), B(t)) >= min_ij h_ij(t) / |n|,   h_ij(t) = n . (a_i(t) - b_j(t)), linear in t,
// so one direction certifies a whole interval of time, and n needs no accuracy at all. From t = 0
// on, n is the closest vector at t; the next t is the first time at which some h_ij falls to delta
// |n|. Near contact that is a Newton step.
//
// Long features that turn against each other leave a slab of one direction after a share
// (distance - delta) / (angle length) of the step. So directions that turn with them are tried
// first: n(s) linear between the closest directions at both ends of an interval certifies all of it
// with an error of second order in the angle, a few evaluations in place of hundreds.
#pragma once

#include <tact/collision/ccd.hpp>

namespace tact {

struct SeparationOptions {
  double tolerance = 1e-3;  // times delta: stop within this of the distance; never below 64 u L
  // Distance evaluations. The time at which they run out is still safe, but says nothing of a
  // collision: the answer is undecided.
  int max_evaluations = 2048;
};

struct SeparationTime {
  bool free = false;    // the distance is >= delta on all of [0, 1]
  bool decided = true;  // free, or within 2 delta at `time`; else the evaluations ran out
  double time = 1.0;    // the distance is >= delta on [0, time]; where it starts below: 0
  int evaluations = 0;  // of the distance
};

// `delta` >= 0. With delta = 0 everything nearer than 64 u L counts as a hit, L being the largest
// coordinate difference: exact questions go to `contact`.
[[nodiscard]] SeparationTime separation(const CcdQuery& query, double delta,
                                        const SeparationOptions& options = {});

// What a time stepper asks. A pair that starts nearer than delta, because it is in contact already,
// must not stop all motion: it is kept at half its starting distance instead. Where even that
// drowns in rounding (128 u L), `contact` is asked, and half of the time until contact is safe.
struct SafeTime {
  double time = 1.0;               // no contact on [0, time]; 0 only if touching_at_start
  double separation = 0.0;         // kept on [0, time]; 0 where only `contact` was asked
  bool touching_at_start = false;  // the state was broken before the step: report it
  bool decided = true;             // false: it may be safe for longer, too
};

[[nodiscard]] SafeTime safe_time(const CcdQuery& query, double delta,
                                 const SeparationOptions& options = {});

}  // namespace tact
