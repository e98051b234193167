#include <bench/region_problems.hpp>

namespace tact {

SceneSteps region_scene(const std::string& name, int last)
{
  SceneSteps steps{.scene = name, .set = {"/contact/solver=nncg"}};
  steps.last = last;
  return steps;
}

}  // namespace tact
