// What a solver is for, in a few words each: `tact list solvers` prints them.
#pragma once

#include <string>

namespace tact {

struct SolverGuide {
  std::string summary;
  std::string accuracy;  // exact or iterative
  std::string friction;  // cone, pyramid, both or none
  std::string needs;     // of the problem
  std::string cost;
  std::string use;  // when it is the one to take
};

}  // namespace tact
