#include <doctest/doctest.h>

#include <files/temporary_folder.hpp>

#include "run_command.hpp"

namespace tact::cli {
namespace {

TEST_CASE("tact view refuses what it cannot show before it serves anything")
{
  const TemporaryFolder folder;
  check_refused(in_process({"view", "no-such-scene"}), "no-such-scene");
  check_refused(in_process({"view", folder.path().string()}), "recording");
  check_refused(in_process({"view", folder.path().string(), "--set", "/mu=1"}), "--set");
  check_refused(in_process({"view", "falling-cloth", "--port", "70000"}), "--port");
  check_refused(in_process({"view", "falling-cloth", "--set", "/contact/solver=lemke"}), "lemke");
}

}  // namespace
}  // namespace tact::cli
