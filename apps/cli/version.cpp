#include <cli/version.hpp>

#include <algorithm>
#include <thread>

#include <fmt/core.h>
#include <commit.hpp>

namespace tact::cli {

std::string version_text()
{
  return fmt::format("tact {}\ncommit   {}\nbuild    {}\nthreads  {}\n", TACT_VERSION, commit,
                     TACT_BUILD_TYPE, std::max(1u, std::thread::hardware_concurrency()));
}

std::string version()
{
  return fmt::format("{} ({})", TACT_VERSION, commit);
}

}  // namespace tact::cli
