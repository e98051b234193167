// Contact problems of explicit steps with many detached regions: what `tact bench regions` and
// `tact bench pcg-pgs` solve. After the two scenes of [Lazarevych10] Sec. 5, in any number.
#pragma once

#include <string>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/sim/world.hpp>

namespace tact {

// Soft balls packed in a box, just apart, that come to rest on each other.
World balls_in_bucket(int balls);

// On each lane three soft balls fly into ten soft skittles. No gravity.
World bowling_lanes(int lanes);

struct RecordedSteps {
  int first = 0, last = 0;  // steps whose last contact problem is kept, from 1 on
  double dt = 1e-3;         // s
};

// Problems without contacts are left out.
std::vector<ContactProblem> record_problems(const World& world, const RecordedSteps& steps);

}  // namespace tact
