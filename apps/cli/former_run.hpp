// A run never replaces what another left behind, unless it is told to.
#pragma once

#include <filesystem>

namespace tact::cli {

// Throws Error where the folder holds a recording: what it is of, how far it goes, and the ways on.
void refuse_to_replace(const std::filesystem::path& folder);

}  // namespace tact::cli
