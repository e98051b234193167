#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cli/benches.hpp>
#include <tact/run/problem_solve.hpp>
#include <tact/scene/built_in_scenes.hpp>

#include "run_command.hpp"

using namespace tact;
using namespace tact::cli;
using nlohmann::json;

namespace {

int count(const std::string& text, const std::string& part)
{
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

}  // namespace

TEST_CASE("help opens with examples to copy and names every command")
{
  const Result result = in_process({"--help"});
  CHECK(result.code == done);
  CHECK(result.err.empty());
  CHECK(result.out.starts_with("Examples:\n  tact "));
  for (const std::string command : {"solve", "check", "list", "bench"})
    CHECK(result.out.find("\n  " + command + " ") != std::string::npos);
}

TEST_CASE("the help of each command opens with two examples of it")
{
  for (const std::string command : {"solve", "check", "list", "bench"}) {
    CAPTURE(command);
    const Result result = in_process({command, "--help"});
    CHECK(result.code == done);
    CHECK(result.out.starts_with("Examples:\n  tact " + command));
    CHECK(count(result.out.substr(0, result.out.find("Usage:")), "  tact " + command) == 2);
    CHECK(result.out.find("--json") != std::string::npos);
  }
}

TEST_CASE("the version tells version, commit, build type and threads")
{
  const Result result = in_process({"--version"});
  CHECK(result.code == done);
  CHECK(result.out.starts_with("tact 0."));
  for (const std::string word : {"\ncommit ", "\nbuild ", "\nthreads "})
    CHECK(result.out.find(word) != std::string::npos);
}

TEST_CASE("unknown words are refused with the nearest valid spelling")
{
  check_refused(in_process({"slove", "a.json"}),
                "unknown command \"slove\"; did you mean \"solve\"?");
  check_refused(in_process({"help"}), "did you mean \"--help\"?");
  check_refused(in_process({"frobnicate"}), "unknown command \"frobnicate\"");
  check_refused(in_process({"--verison"}), "did you mean \"--version\"?");
  check_refused(in_process({"solve", "--tolernce", "1e-6", "a.json"}),
                "did you mean \"--tolerance\"?");
  check_refused(in_process({"solve", "--tolernce=1e-6", "a.json"}),
                "did you mean \"--tolerance\"?");
  check_refused(in_process({"solve", "--quite", "a.json"}), "did you mean \"--quiet\"?");
  check_refused(in_process({"list", "solver"}), "did you mean \"solvers\"?");
  check_refused(in_process({"list", "solvers", "benches"}), "expected nothing more");
  check_refused(in_process({"bench", "no-such-claim"}), "no bench is called \"no-such-claim\"");
  check_refused(in_process({}), "tact --help");
  check_refused(in_process({"solve"}), "no file given");
  check_refused(in_process({"check"}), "no file given");
  check_refused(in_process({"bench"}), "no name given");
}

TEST_CASE("values of options are refused with what was found and expected")
{
  const auto solve = [](const std::string& option, const std::string& value) {
    return in_process({"solve", "a.json", option, value});
  };
  check_refused(solve("--tolerance", "tiny"), "found \"tiny\", expected a number > 0");
  check_refused(solve("--tolerance", "0"), "found \"0\", expected a number > 0");
  check_refused(solve("--tolerance", "-1e-9"), "expected a number > 0");
  check_refused(solve("--tolerance", "nan"), "expected a number > 0");
  check_refused(solve("--max-iterations", "0"), "expected an integer from 1");
  check_refused(solve("--max-iterations", "1e3"), "found \"1e3\"");
  check_refused(solve("--directions", "7"), "expected an even integer from 4 to 64");
  check_refused(solve("--directions", "128"), "expected an even integer from 4 to 64");
  check_refused(in_process({"solve", "a.json", "--tolerance"}), "--tolerance: found no value");
}

TEST_CASE("the list of everything has the tables of the program, as text and as JSON")
{
  const Result text = in_process({"list"});
  CHECK(text.code == done);
  const json all = json::parse(in_process({"list", "--json"}).out);
  CHECK(all["scenes"].size() == built_in_scenes().size());
  CHECK(all["solvers"].size() == all_solvers().size());
  CHECK(all["benches"].size() == benches().size());
  for (const json& scene : all["scenes"])
    CHECK(text.out.find(scene["name"].get<std::string>()) != std::string::npos);
  for (const json& solver : all["solvers"]) {
    CHECK(text.out.find(solver["name"].get<std::string>()) != std::string::npos);
    CHECK(!solver["summary"].get<std::string>().empty());
  }
  const json solvers = json::parse(in_process({"list", "solvers", "--json"}).out);
  CHECK(solvers.size() == 1);
  CHECK(solvers["solvers"] == all["solvers"]);
}
