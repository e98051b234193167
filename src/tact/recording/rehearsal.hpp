// Whether reading a file would bring this process down: the HDF5 library can crash on damaged
// metadata, and no check of ours comes before its own reading.
#pragma once

#include <functional>

namespace tact {

// Runs the action in a copy of this process and tells whether that ended by itself, within a
// minute; exceptions count as that. What it changes is lost. Costs a fork and the action.
[[nodiscard]] bool survives(const std::function<void()>& action);

}  // namespace tact
