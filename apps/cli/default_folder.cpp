#include <cli/default_folder.hpp>

#include <algorithm>

namespace tact::cli {

std::filesystem::path default_folder(const std::string& scene)
{
  constexpr std::size_t longest = 100;  // B; file systems take 255
  std::string name = scene.substr(0, longest);
  std::replace(name.begin(), name.end(), '/', '_');
  if (name.empty() || name.starts_with('.')) name.insert(0, 1, '_');
  return std::filesystem::path("out") / name;
}

}  // namespace tact::cli
