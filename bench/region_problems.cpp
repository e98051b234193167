#include <bench/region_problems.hpp>

#include <bench/scene_problems.hpp>

namespace tact {

std::vector<ContactProblem> region_problems(const std::string& name, int every, bool quick)
{
  SceneSteps steps{.scene = name, .set = {"/contact/solver=nncg"}};
  if (quick) steps.last = name == "bowling" ? 66 : 350;
  std::vector<ContactProblem> problems;
  run_steps(steps, [&](int k, const StepResult& step) {
    if (k % every == 0 && step.problem.size() > 0) problems.push_back(step.problem);
    return true;
  });
  return problems;
}

}  // namespace tact
