// The situations of `tact bench truth`: a contact problem of a step of each.
#pragma once

#include <functional>
#include <vector>

#include <tact/contact/contact_problem.hpp>

namespace tact {

struct TruthSituation {
  const char* name;
  std::function<ContactProblem()> problem;  // made when asked for: it takes some steps
};

// A block just below the angle at which it slides; a table whose legs slide in turns; a stack with
// a thousandfold weight on top; an arch of stones; a peg pushed aside in its hole; a pinched cloth.
std::vector<TruthSituation> truth_situations();

}  // namespace tact
