// The tables of the four types of bodies and of their shapes.
#pragma once

#include <vector>

#include <tact/scene/scene_keys.hpp>

namespace tact {

std::vector<KeyTable> body_tables();  // rigid, cloth, soft, obstacle

}  // namespace tact
