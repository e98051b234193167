// The tables of scene files: every key there is.
#pragma once

#include <vector>

#include <tact/scene/scene_keys.hpp>

namespace tact {

// What a scene file may hold at its top level.
const KeyTable& scene_file_table();

// The keys that scene files share with built-in scenes: time, gravity, friction, recording, ...
const std::vector<Key>& settings_keys();

}  // namespace tact
