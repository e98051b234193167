// The rows of the table of built-in scenes, by where scenes come from.
#pragma once

#include <vector>

#include <tact/scene/built_in_scenes.hpp>

namespace tact {

std::vector<BuiltInScene> coupling_built_ins();  // [Miguel11]
std::vector<BuiltInScene> region_built_ins();    // [Lazarevych10]
std::vector<BuiltInScene> lloyd_built_ins();     // [Lloyd05]
std::vector<BuiltInScene> edge_built_ins();      // [Egan03]

}  // namespace tact
