// Small scenes of chance for `tact fuzz`: two to twelve bodies of all kinds that fly at each other
// in free space, without gravity or obstacles. What they keep, free_scene_judge.hpp judges.
#pragma once

#include <cstdint>

#include <tact/setup/scene_description.hpp>

namespace tact {

// One seed gives one scene, the same on every machine but for the last bits of sin and cos. No two
// bodies intersect; some start nearer to each other than the contact distance.
SceneDescription random_scene(std::uint64_t seed);

}  // namespace tact
