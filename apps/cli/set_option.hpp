// --set, the same for all commands that take a scene.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tact::cli {

// Adds what is given to the patches (scene_patch.hpp), in order.
void add_set_option(CLI::App& app, const std::shared_ptr<std::vector<std::string>>& patches);

}  // namespace tact::cli
