#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tact::cli {

// Looks before long work whether its result can be stored: throws Error when the folder is not
// there, when the name is that of a folder, or when it is one of the inputs. An empty name passes.
void require_output(std::string_view option, const std::string& file,
                    const std::vector<std::string>& inputs = {});

}  // namespace tact::cli
