#pragma once

#include <string>

namespace tact::cli {

// Version, commit, build type and threads, one a line.
std::string version_text();

// "0.1.0 (abc1234)": what stands in files.
std::string version();

}  // namespace tact::cli
