// Where a run goes that is given no folder.
#pragma once

#include <filesystem>
#include <string>

namespace tact::cli {

// out/<scene>. A scene file may say any name: it is one folder below out/ whatever it says.
std::filesystem::path default_folder(const std::string& scene);

}  // namespace tact::cli
