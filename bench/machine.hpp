#pragma once

#include <string>

namespace tact {

// Processor, compiler and threads, in one line: figures mean little without them.
std::string machine_description();

}  // namespace tact
