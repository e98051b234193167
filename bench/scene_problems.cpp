#include <bench/scene_problems.hpp>

#include <algorithm>

#include <tbb/task_arena.h>

#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/setup/step_options.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {

void run_steps(const SceneSteps& steps, const std::function<bool(int, const StepResult&)>& visit)
{
  const Scene scene = build_scene(read_scene(steps.scene, steps.set));
  Stepper stepper = make_stepper(scene);
  State state = scene.world.start();
  const int all = static_cast<int>(scene.run.steps());
  const int last = steps.last > 0 ? std::min(steps.last, all) : all;
  tbb::task_arena arena(steps.threads > 0 ? steps.threads : tbb::task_arena::automatic);
  for (int k = 1; k <= last; ++k) {
    arena.execute([&] { (void)stepper.step(state, scene.run.dt); });
    if (!visit(k, stepper.last())) return;
  }
}

std::vector<ContactProblem> recorded_problems(const SceneSteps& steps, int first)
{
  std::vector<ContactProblem> problems;
  run_steps(steps, [&](int k, const StepResult& step) {
    if (k >= first && step.problem.size() > 0) problems.push_back(step.problem);
    return true;
  });
  return problems;
}

}  // namespace tact
