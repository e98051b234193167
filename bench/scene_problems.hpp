// Contact problems of built-in scenes as they run: those that `tact run --record-problems` writes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/sim/step_result.hpp>

namespace tact {

struct SceneSteps {
  std::string scene;
  std::vector<std::string> set = {};  // changes of the scene, "/json/pointer=value"
  int last = 0;                       // step; 0: the scene's own time
  int threads = 0;                    // 0: as many as there are
};

// Steps the scene and shows every step, counted from 1; `visit` may end the run by returning false.
void run_steps(const SceneSteps& steps, const std::function<bool(int, const StepResult&)>& visit);

// The problems of steps that have contacts, from step `first` on.
std::vector<ContactProblem> recorded_problems(const SceneSteps& steps, int first = 1);

}  // namespace tact
