#include <cli/output_file.hpp>

#include <filesystem>
#include <system_error>

#include <fmt/core.h>

#include <tact/core/error.hpp>

namespace tact::cli {

namespace fs = std::filesystem;

void require_output(std::string_view option, const std::string& file,
                    const std::vector<std::string>& inputs)
{
  if (file.empty()) return;
  std::error_code error;
  if (fs::is_directory(file, error))
    throw Error(fmt::format("{}: found the folder {}, expected the name of a file", option, file));
  const fs::path folder = fs::path(file).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, error))
    throw Error(fmt::format("{}: found {}, expected a file in a folder that exists ({} does not)",
                            option, file, folder.string()));
  for (const std::string& input : inputs)
    if (fs::equivalent(file, input, error))
      throw Error(fmt::format("{}: found {}, which is an input and would be lost", option, file));
}

}  // namespace tact::cli
