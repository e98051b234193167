// The tables of joints in scene files, one a type.
#pragma once

#include <vector>

#include <tact/scene/scene_keys.hpp>

namespace tact {

std::vector<KeyTable> joint_tables();

}  // namespace tact
