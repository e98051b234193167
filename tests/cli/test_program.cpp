#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <data.hpp>
#include <files/temporary_folder.hpp>

#include "run_program.hpp"

namespace fs = std::filesystem;
using namespace tact;
using namespace tact::cli;

namespace {

const std::string lcp = R"({"kind": "lcp", "n": 3, "M": "M.mtx", "q": "q.mtx"})";
const std::string identity =
    "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n2 2 1\n3 3 1\n";
const std::string minus_one = "%%MatrixMarket matrix array real general\n3 1\n-1\n-1\n-1\n";

// Writes a problem of three files, asks the program to solve it, and expects one clear line.
void check_wrong(const std::string& json, const std::string& M, const std::string& q,
                 const std::string& words)
{
  const TemporaryFolder folder;
  const std::string file = folder.file("problem.json", json).string();
  if (!M.empty()) folder.file("M.mtx", M);
  if (!q.empty()) folder.file("q.mtx", q);
  const fs::path output = folder.path() / "answers.json";
  check_refused(program("solve '" + file + "' --json --output '" + output.string() + "'"), words);
  CHECK(!fs::exists(output));
}

}  // namespace

TEST_CASE("the program solves a file and prints a table")
{
  const TemporaryFolder folder;
  folder.file("M.mtx", identity);
  folder.file("q.mtx", minus_one);
  const Result result = program("solve '" + folder.file("problem.json", lcp).string() + "'");
  CHECK(result.code == done);
  CHECK(result.err.empty());
  CHECK(result.out.starts_with("problem "));
  CHECK(result.out.find("converged") != std::string::npos);
  CHECK(result.out.find('\x1b') == std::string::npos);  // no colour: this is no terminal
}

TEST_CASE("wrong input of the program is one clear line and exit 2")
{
  check_wrong(lcp, "", minus_one, "problem.json: /M: found \"M.mtx\", which is no file");
  check_wrong(lcp, identity, "", "problem.json: /q: found \"q.mtx\", which is no file");
  check_wrong(lcp, "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n", minus_one,
              "M.mtx: line 2: found a size of \"2\" x \"3\", expected 3 x 3");
  check_wrong(lcp, identity, "%%MatrixMarket matrix array real general\n2 1\n1\n2\n",
              "q.mtx: line 2: found a size of \"2\" x \"1\", expected 3 x 1");
  check_wrong(lcp, "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 1 NaN\n", minus_one,
              "M.mtx: line 3: found \"NaN\", expected a finite number");
  check_wrong(lcp, "one two three\n", minus_one, "M.mtx: line 1: found \"one two three\"");
  check_wrong("what is this?", identity, minus_one, "problem.json: line 1, column 1: found \"what");
  check_wrong(" ", identity, minus_one, "problem.json: line 1, column 1: found an empty file");
  check_wrong(lcp, "\n", minus_one, "M.mtx: line 1: found an empty file");
  check_wrong(lcp, "%%MatrixMarket matrix array real general\n10000 10000\n1\n", minus_one,
              "M.mtx: line 2: found a size of \"10000\" x \"10000\", expected 3 x 3");
  check_wrong(R"({"kind": "lcp", "n": 10000, "M": "M.mtx", "q": "q.mtx"})",
              "%%MatrixMarket matrix array real general\n10000 10000\n1\n", minus_one,
              "problem.json: /n: found 10000, expected an integer from 1 to 5000");
}

TEST_CASE("files that are absent, folders or devices are refused by the program")
{
  check_refused(program("solve absent.json"), "absent.json: no such file");
  check_refused(program("solve /tmp"), "/tmp: found a folder");
  check_refused(program("solve /dev/zero"), "/dev/zero: found a pipe or device");
  check_refused(program("solve"), "no file given");
  check_refused(program("slove x.json"), "did you mean \"solve\"?");
}

TEST_CASE("results that cannot be printed are told in the words of a full disk, with exit 1")
{
  if (!fs::exists("/dev/full")) return;
  const TemporaryFolder folder;
  const std::string err = (folder.path() / "err").string();
  const std::string seen = (folder.path() / "seen").string();
  // Less than is held back before it is written, more than that, and by another way.
  for (const std::string words : {"--version", "schema", "bench nonconvex --quick --quiet"}) {
    CAPTURE(words);
    // The outer redirections of program() come last, so the inner shell gets its own.
    const Result result = program(words + " >/dev/full 2>'" + err + "'; code=$?; cat '" + err +
                                  "' >'" + seen + "'; exit $code");
    CHECK(result.code == failed);
    CHECK(read_text(seen) == "tact: cannot write the results: No space left on device\n");
  }
}

TEST_CASE("the data set solved by the program exits with 3 because two problems have no solution")
{
  const auto folder = test_data("lcp");
  if (!folder) return;
  const Result result = program("solve '" + folder->string() + "'/*.json --solver auto --json");
  CHECK(result.code == not_reached);
  const auto report = nlohmann::json::parse(result.out);
  CHECK(report["problems"].size() == 27);
  int converged = 0;
  for (const auto& problem : report["problems"])
    if (problem["rows"][0]["status"] == "converged") ++converged;
  CHECK(converged == 25);
}

TEST_CASE("a pipe in the place of any file keeps no command waiting")
{
  const TemporaryFolder folder;
  const std::string pipe = "'" + (folder.path() / "pipe").string() + "'";
  REQUIRE(std::system(("mkfifo " + pipe).c_str()) == 0);
  for (const char* command : {"check ", "solve ", "verify ", "render ", "info ", "run ", "ccd "}) {
    CAPTURE(command);
    check_refused(program(command + pipe, "timeout 10 "), "pipe");
  }
}

TEST_CASE("a scene file has no say in where it is written, whatever name it gives")
{
  const TemporaryFolder folder;
  const fs::path inner = folder.path() / "a" / "b";
  fs::create_directories(inner);
  int number = 0;
  for (const std::string& name : std::vector<std::string>{"../../up", "/tmp/../tmp/up", "..",
                                                          ".hidden", std::string(300, 'x')}) {
    CAPTURE(name);
    std::ofstream(inner / "scene.json")
        << R"({"name": ")" << name
        << R"(", "bodies": [{"name": "a", "type": "rigid", "box": [1, 1, 1]}]})";
    const Result result = program("run scene.json --steps 1", "cd '" + inner.string() + "' && ");
    CAPTURE(result.err);
    CHECK(result.code == done);
    ++number;
    const auto folders = fs::directory_iterator(inner / "out");
    CHECK(std::distance(begin(folders), end(folders)) == number);
  }
  const auto left = fs::directory_iterator(folder.path());
  CHECK(std::distance(begin(left), end(left)) == 1);  // a alone
}
