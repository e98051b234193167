#pragma once

#include <string>

namespace tact::cli {

// Version, commit, build type and threads, one a line.
std::string version_text();

}  // namespace tact::cli
