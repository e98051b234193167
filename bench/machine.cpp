#include <bench/machine.hpp>

#include <fstream>
#include <thread>

#include <fmt/core.h>

#include <tact/linalg/lanes.hpp>

namespace tact {
namespace {

std::string processor()
{
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

}  // namespace

std::string machine_description()
{
#if defined(__clang__)
  const std::string compiler = fmt::format("clang {}.{}", __clang_major__, __clang_minor__);
#else
  const std::string compiler = fmt::format("g++ {}.{}", __GNUC__, __GNUC_MINOR__);
#endif
  return fmt::format("{}, {} threads, {}, {} lanes", processor(),
                     std::thread::hardware_concurrency(), compiler, lane_width);
}

}  // namespace tact
