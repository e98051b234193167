// From the words of the command line to a command and its exit code.
#pragma once

#include <string>
#include <vector>

#include <cli/console.hpp>

namespace tact::cli {

// Runs `tact <arguments>` and returns its exit code. Throws nothing: whatever goes wrong becomes
// one line on console.err.
int run(const std::vector<std::string>& arguments, Console console);

}  // namespace tact::cli
