// The scenes of [Lazarevych10] Sec. 5 in explicit steps, as `tact bench regions` and `pcg-pgs` run
// them.
#pragma once

#include <bench/scene_problems.hpp>

namespace tact {

// "bowling" or "bucket". last: step, 0 for the scene's own time.
SceneSteps region_scene(const std::string& name, int last = 0);

}  // namespace tact
