// What solves an island: methods by their names, one after the other, until the answer is good.
// solvers/automatic.cpp has the plans of `auto`.
#pragma once

#include <span>
#include <string_view>

namespace tact {

struct NestedIsland;

constexpr double exact_tolerance = 1e-8;  // m/s: of islands of rigid bodies, whatever is asked for

// How good an answer has to be for the rest of a plan to be left out.
enum class Goal {
  tolerance,     // that of the solve, after its least number of passes
  nearly_exact,  // a hundredth of the tolerance
  exact,         // exact_tolerance, or the tolerance where that is less
  spare_digits,  // a hundredth of that: near the answer digits come cheap
};

// Works in the memory of an island, from the best answer so far or from where the method before it
// ended, and keeps what is better.
struct IslandMethod {
  std::string_view name;
  void (*run)(NestedIsland& island, int limit);
};

namespace method {

extern const IslandMethod warm_start;       // looks at it
extern const IslandMethod sweeps;           // over the contacts, `limit` of them
extern const IslandMethod responses;        // exact ones and conjugate sweeps: anticipation.md
extern const IslandMethod body_newton;      // at most `limit` steps: rigid-islands.md
extern const IslandMethod interior_point;   // at most `limit` steps, and body_newton from its end
extern const IslandMethod first_passes;     // while they cost less than a factorisation: newton.md
extern const IslandMethod velocity_newton;  // where not too much slides or is pinched: newton.md
extern const IslandMethod passes;           // over A, from where first_passes ended

}  // namespace method

struct PlanStep {
  const IslandMethod* method;
  int limit = 0;                // of the method's own steps, where it asks for one
  Goal goal = Goal::tolerance;  // reached: neither this step nor those after it are needed
};
using IslandPlan = std::span<const PlanStep>;

enum class IslandKind {
  rigid,   // lone rigid bodies and lone nodes
  small,   // small meshes among them, whose responses are known exactly
  meshes,  // larger ones among them, which are nodal
};
using PlanOf = IslandPlan (*)(IslandKind);

// One method each: responses, or passes on meshes.
[[nodiscard]] IslandPlan plain_plan(IslandKind kind);

}  // namespace tact
