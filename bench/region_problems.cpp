#include <bench/region_problems.hpp>

namespace tact {

// Slightly deformable, and damped so little that a step of 1 ms needs 5 substeps in the bucket and
// 20 in the bowling, as the scenes have it themselves.
SceneSteps region_scene(const std::string& name, int last)
{
  SceneSteps steps{.scene = name, .set = {"/integrator=explicit", "/contact/solver=nncg"}};
  steps.last = last;
  if (name == "bowling") {
    steps.set.emplace_back("/young=1e6");
    steps.set.emplace_back("/damping=1e-5");
  } else {
    steps.set.emplace_back("/damping=1e-4");
  }
  return steps;
}

}  // namespace tact
