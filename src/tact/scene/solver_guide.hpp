// What a user has to know to choose a solver: what `tact list solvers` tells beside its summary.
#pragma once

#include <string_view>

namespace tact {

struct SolverGuide {
  std::string_view kind;  // of problem: lcp, contact or friction
  std::string_view name;
  std::string_view accuracy;  // exact or iterative
  std::string_view friction;  // model: cone, pyramid, both, none
  std::string_view needs;
  std::string_view cost;
  std::string_view use;  // when
};

// Throws Error for a solver that has none.
const SolverGuide& solver_guide(std::string_view kind, std::string_view name);

}  // namespace tact
