#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <files/temporary_folder.hpp>
#include <tact/core/memory_limit.hpp>
#include <tact/recording/recording.hpp>

#include "run_program.hpp"

namespace fs = std::filesystem;
using namespace tact;
using namespace tact::cli;
using nlohmann::json;

namespace {

// Under sanitizers there is no limit.
bool limits_hold()
{
  const MemoryLimit limit(std::uint64_t{1} << 40);
  return MemoryLimit::bytes() > 0;
}

bool one_line(const std::string& text)
{
  return text.find('\n') == text.size() - 1;
}

}  // namespace

TEST_CASE("a run out of memory names the phase, keeps its steps, and goes on to the same bits")
{
  if (!limits_hold()) return;
  const TemporaryFolder folder;
  const std::string out = "'" + (folder.path() / "out").string() + "'";
  const std::string run = "run letters --steps 5 --threads 2 --quiet ";
  const Result whole = program(run + "--json -o '" + (folder.path() / "whole").string() + "'");
  REQUIRE(whole.code == done);
  // The smallest of these is too little for the first step, the largest enough for some of them.
  int stopped = 0, steps = 0;
  for (const int mebibytes : {68, 76, 84, 92, 100}) {
    CAPTURE(mebibytes);
    const Result result =
        program(run + "--resume --memory " + std::to_string(mebibytes) + "M -o " + out);
    CAPTURE(result.err);
    if (result.code == done) break;
    REQUIRE(result.code == not_reached);
    CHECK(one_line(result.err));
    CHECK(result.err.find("out of memory for ") != std::string::npos);
    CHECK(result.err.find("MiB of --memory") != std::string::npos);
    ++stopped;
    if (!fs::exists(folder.path() / "out" / "report.json")) continue;
    const json report = json::parse(read_text(folder.path() / "out" / "report.json"));
    CHECK(report["finished"] == false);
    CHECK(report["steps"].get<int>() >= steps);
    steps = report["steps"].get<int>();
    CHECK(Recording::open(folder.path() / "out").frame_count() == steps + 1);
  }
  CHECK(stopped >= 2);
  const Result end = program(run + "--resume --json -o " + out);
  CAPTURE(end.err);
  REQUIRE(end.code == done);
  CHECK(json::parse(end.out)["state_hash"] == json::parse(whole.out)["state_hash"]);
}

TEST_CASE("little memory crashes no command, whichever of its parts it is too little for")
{
  if (!limits_hold()) return;
  const TemporaryFolder folder;
  const std::string out = "'" + (folder.path() / "out").string() + "'";
  for (int mebibytes = 64; mebibytes <= 100; mebibytes += 3) {
    CAPTURE(mebibytes);
    const Result result =
        program("run falling-cloth --set /vertices=200 --steps 2 --quiet --overwrite --memory " +
                std::to_string(mebibytes) + "M -o " + out);
    CAPTURE(result.err);
    CHECK(result.code == not_reached);
    CHECK(one_line(result.err));
    CHECK(result.err.starts_with("tact: "));
    CHECK(result.err.find("out of memory for ") != std::string::npos);
    CHECK(result.err.find("out of memory for tact run") == std::string::npos);  // of which phase?
    CHECK(result.err.find("MiB of --memory") != std::string::npos);
  }
}

TEST_CASE("a method without memory is a row of solve; others do with less")
{
  if (!limits_hold()) return;
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const std::string problem = out + "/problems/step_000001.json";
  REQUIRE(
      program("run block-stack --set /blocks=30 --steps 1 --record-problems all -o '" + out + "'")
          .code == done);
  const Result result = program("solve '" + problem +
                                "' --json --memory 80M --solver lemke-standard --max-iterations 9");
  CAPTURE(result.out);
  CAPTURE(result.err);
  REQUIRE(result.code == not_reached);
  const json row = json::parse(result.out)["problems"][0]["rows"][0];
  CHECK(row["status"] == "stalled");
  CHECK(row["note"].get<std::string>().find("out of memory") != std::string::npos);
}

TEST_CASE("sizes of memory that cannot be are refused, with what can")
{
  for (const char* size : {"63M", "1000T", "much", "-2G", "2.5Gi"})
    check_refused(program(std::string("list scenes --memory=") + size), "from 64 MiB to ");
  CHECK(program("--memory 1G list scenes").code == done);
  CHECK(program("run --help").out.find("--memory SIZE") != std::string::npos);
}
