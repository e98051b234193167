#include <filesystem>

#include <nlohmann/json.hpp>

#include <cli/run_command.hpp>
#include <files/temporary_folder.hpp>

using namespace tact;
using namespace tact::cli;

TEST_CASE(
    "tact fuzz: one seed gives the same figures again, and the exit code says whether it failed")
{
  const std::vector<std::string> command{"fuzz", "--seed", "3", "--count", "2", "--json"};
  const Result first = in_process(command), second = in_process(command);
  auto a = nlohmann::json::parse(first.out), b = nlohmann::json::parse(second.out);
  REQUIRE(a["results"].size() == 2);
  CHECK(a["results"] == b["results"]);
  CHECK(a["scenes"] == 2);
  CHECK(first.code == (a["failed"] == 0 ? done : not_reached));
  CHECK(a["results"][0]["seed"] == 3);
}

TEST_CASE("tact fuzz --write: a scene that tact check takes")
{
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "random.json").string();
  const Result result = in_process({"fuzz", "--seed", "5", "--count", "1", "--write", file});
  CHECK((result.code == done || result.code == not_reached));
  CHECK(in_process({"check", file}).code == done);
}

TEST_CASE("tact fuzz --write refuses several scenes, and folders that are not there")
{
  check_refused(in_process({"fuzz", "--count", "2", "--write", "x.json"}), "expected --count 1");
  check_refused(in_process({"fuzz", "--count", "1", "--write", "/nowhere/x.json"}), "--write");
  check_refused(in_process({"fuzz", "--count", "0"}), "--count");
}
