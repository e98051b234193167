// tact info, tact diff and tact new.
#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <files/temporary_folder.hpp>
#include <tact/files/text_file.hpp>

#include "run_program.hpp"

using namespace tact;
using namespace tact::cli;
using nlohmann::json;

namespace {

std::string run_of(const std::filesystem::path& folder, const std::string& more)
{
  return fmt::format("run block-on-slope --time 0.2 -o '{}' {}", folder.string(), more);
}

}  // namespace

TEST_CASE("tact diff: a run on other threads is the same bit for bit, another friction is not")
{
  const TemporaryFolder folder;
  const std::string one = (folder.path() / "one").string(),
                    again = (folder.path() / "again").string(),
                    other = (folder.path() / "other").string();
  REQUIRE(program(run_of(one, "--threads 1")).code == done);
  REQUIRE(program(run_of(again, "--threads 2")).code == done);
  REQUIRE(program(run_of(other, "--set /mu=0.1")).code == done);

  const Result same = program(fmt::format("diff '{}' '{}' --json", one, again));
  CHECK(same.code == done);
  const json twins = json::parse(same.out);
  CHECK(twins["identical"] == true);
  CHECK(twins["first"].is_null());
  CHECK(twins["settings"].empty());
  CHECK(twins["only_a"] == 0);

  const Result parted = program(fmt::format("diff '{}' '{}' --json", one, other));
  CHECK(parted.code == not_reached);
  const json difference = json::parse(parted.out);
  CHECK(difference["same"] == false);
  CHECK(difference["settings"].size() == 1);
  CHECK(difference["first"]["body"] == "block");
  CHECK(difference["first"]["step"] <= difference["worst"]["step"]);
  const double worst = difference["worst"]["distance"];
  CHECK(worst > 1e-3);
  const std::string near = fmt::format("diff '{}' '{}' --tolerance ", one, other);
  CHECK(program(fmt::format("{}{}", near, 1.01 * worst)).code == done);
  CHECK(program(fmt::format("{}{}", near, 0.99 * worst)).code == not_reached);
}

TEST_CASE("tact diff: frames of other steps stand alone, other bodies are told")
{
  const TemporaryFolder folder;
  const std::string every = (folder.path() / "every").string(),
                    third = (folder.path() / "third").string(),
                    peg = (folder.path() / "peg").string();
  REQUIRE(program(run_of(every, "--set /record/every=1")).code == done);
  REQUIRE(program(run_of(third, "--set /record/every=3")).code == done);
  REQUIRE(program(fmt::format("run peg-in-hole --steps 1 -o '{}'", peg)).code == done);
  const json found = json::parse(program(fmt::format("diff '{}' '{}' --json", every, third)).out);
  CHECK(found["identical"] == true);
  CHECK(found["only_a"] > 0);
  CHECK(found["only_b"] == 0);
  const Result foreign = program(fmt::format("diff '{}' '{}'", every, peg));
  CHECK(foreign.code == wrong_input);
  CHECK(foreign.err.find("expected") != std::string::npos);
}

TEST_CASE("tact info tells what a recording holds, and says when there is none")
{
  const TemporaryFolder folder;
  const std::string run = (folder.path() / "run").string();
  REQUIRE(program(run_of(run, "")).code == done);
  const json told = json::parse(program(fmt::format("info '{}' --json", run)).out);
  CHECK(told["scene"] == "block-on-slope");
  CHECK(told["finished"] == true);
  CHECK(told["t_last"].get<double>() == doctest::Approx(0.2));
  CHECK(told["bodies"].size() == 2);
  const Result words = program(fmt::format("info '{}'", run));
  CHECK(words.code == done);
  CHECK(words.out.find("block") != std::string::npos);
  const Result none = program(fmt::format("info '{}'", folder.path().string()));
  CHECK(none.code == wrong_input);
}

TEST_CASE("tact new writes a scene that runs and passes verify, and replaces nothing")
{
  const TemporaryFolder folder;
  const std::string name = (folder.path() / "first").string();
  const std::string out = (folder.path() / "out").string();
  REQUIRE(program(fmt::format("new '{}'", name)).code == done);
  CHECK(read_text(name + ".json").find("tact run first.json") != std::string::npos);
  const Result run = program(fmt::format("run '{}.json' --time 0.6 -o '{}'", name, out));
  CAPTURE(run.err);
  CHECK(run.code == done);
  CHECK(program(fmt::format("verify '{}'", out)).code == done);
  const Result again = program(fmt::format("new '{}'", name));
  CHECK(again.code == wrong_input);
  CHECK(again.err.find("exists already") != std::string::npos);
}
