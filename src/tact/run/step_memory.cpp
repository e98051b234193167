#include <tact/run/step_memory.hpp>

#include <tact/core/error.hpp>

namespace tact {

void append(const StepperMemory& memory, std::vector<NamedArray>& arrays)
{
  arrays.push_back({"impulses", memory.impulses, {}});
  arrays.push_back({"response", memory.response, {}});
  arrays.push_back({"pushes", memory.pushes, {}});
  arrays.push_back({"targets", memory.targets, {}});
  arrays.push_back({"anchors", memory.anchors, {}});
  arrays.push_back({"joints", memory.joints, {}});
  arrays.push_back({"cuts", {1.0 * memory.cuts_in_a_row}, {}});
}

StepperMemory step_memory(const Checkpoint& checkpoint)
{
  const std::vector<double>& cuts = array(checkpoint, "cuts").doubles;
  if (cuts.size() != 1) throw Error("checkpoint: found no number of steps that were cut");
  return {.impulses = array(checkpoint, "impulses").doubles,
          .response = array(checkpoint, "response").doubles,
          .pushes = array(checkpoint, "pushes").doubles,
          .targets = array(checkpoint, "targets").doubles,
          .anchors = array(checkpoint, "anchors").doubles,
          .joints = array(checkpoint, "joints").doubles,
          .cuts_in_a_row = static_cast<int>(cuts.front())};
}

}  // namespace tact
