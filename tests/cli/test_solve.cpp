#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <data.hpp>
#include <files/temporary_folder.hpp>
#include <tact/contact/rigid_bodies.hpp>
#include <tact/files/lcp_io.hpp>
#include <tact/files/rigid_contact_io.hpp>
#include <tact/files/text_file.hpp>
#include <tact/run/problem_solve.hpp>

#include "run_command.hpp"

namespace fs = std::filesystem;
using namespace tact;
using namespace tact::cli;
using nlohmann::json;

namespace {

// M = 2 I, q = (-1, -2): z = (1/2, 1).
std::string solvable(const TemporaryFolder& folder, const std::string& name = "good.json")
{
  const LcpProblem problem{
      .M = 2.0 * MatrixXd::Identity(2, 2), .q = VectorXd{{-1.0, -2.0}}, .lower = {}, .upper = {}};
  write_lcp(folder.path() / name, problem);
  return (folder.path() / name).string();
}

// w = -z - 1 is negative for every z >= 0.
std::string unsolvable(const TemporaryFolder& folder)
{
  const LcpProblem problem{
      .M = -MatrixXd::Identity(1, 1), .q = VectorXd{{-1.0}}, .lower = {}, .upper = {}};
  write_lcp(folder.path() / "none.json", problem);
  return (folder.path() / "none.json").string();
}

// A block of 2 kg slides at 1 m/s over the ground it falls on at 1 m/s, mu = 1/4: it gets 2 N s up
// and loses 0.5 N s along, so that 0.75 m/s are left.
std::string sliding(const TemporaryFolder& folder)
{
  ContactProblem problem;
  add_rigid_body(problem, 2.0 * Matrix6d::Identity(), Vector6d{{1.0, 0.0, -1.0, 0.0, 0.0, 0.0}});
  BodyRows<3> pair;
  pair.J_a << 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0;
  add_contact(problem, pair, {.mu = 0.25});
  write_rigid_contact_problem(folder.path() / "sliding.json", problem);
  return (folder.path() / "sliding.json").string();
}

std::vector<std::string> data_files(const fs::path& folder, bool with_unsolvable)
{
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const bool solvable = json::parse(read_text(entry.path())).value("solvable", true);
    if (solvable || with_unsolvable) files.push_back(entry.path().string());
  }
  return files;
}

std::vector<std::string> join(std::vector<std::string> words, const std::vector<std::string>& more)
{
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("the report of solve has the keys that scripts read")
{
  const TemporaryFolder folder;
  const Result result = in_process({"solve", solvable(folder), sliding(folder), "--json"});
  CHECK(result.code == done);
  const json report = json::parse(result.out);
  REQUIRE(report["problems"].size() == 2);
  const json& lcp = report["problems"][0];
  CHECK(lcp["file"] == solvable(folder));
  CHECK(lcp["kind"] == "lcp");
  CHECK(lcp["size"] == 2);
  CHECK(lcp["contacts"] == 0);
  const json& contact = report["problems"][1];
  CHECK(contact["kind"] == "contact");
  CHECK(contact["size"] == 3);
  CHECK(contact["contacts"] == 1);
  for (const json& problem : report["problems"]) {
    REQUIRE(problem["rows"].size() == 1);
    const json& row = problem["rows"][0];
    CHECK(row["solver"] == "auto");
    CHECK(row["status"] == "converged");
    CHECK(row["residual"].get<double>() <= 1e-9);
    CHECK(row["iterations"].is_number_integer());
    CHECK(row["restarts"].is_number_integer());
    CHECK(row["seconds"].get<double>() >= 0.0);
  }
}

TEST_CASE("all solvers run and one that converges is enough")
{
  const TemporaryFolder folder;
  const Result result =
      in_process({"solve", solvable(folder), sliding(folder), "--solver", "all", "--json"});
  CHECK(result.code == done);
  const json report = json::parse(result.out);
  for (const json& problem : report["problems"]) {
    const auto file = problem["file"].get<std::string>();
    CHECK(problem["rows"].size() == solvers_for(read_problem(file)).size());
    CHECK(problem["rows"].size() > 1);
  }
}

TEST_CASE("the answers of a sliding block are those of Coulomb and land in the output file")
{
  const TemporaryFolder folder;
  const std::string output = (folder.path() / "answers.json").string();
  const Result result = in_process({"solve", sliding(folder), "--output", output});
  CHECK(result.code == done);
  CHECK(result.out.find("converged") != std::string::npos);
  const json row = json::parse(read_text(output))["problems"][0]["rows"][0];
  const auto v = row["v"].get<std::vector<double>>();
  const auto lambda = row["lambda"].get<std::vector<double>>();
  // Exact but for rounding: the slip is along a direction that every even pyramid has.
  CHECK(v[0] == doctest::Approx(0.75).epsilon(1e-9));
  CHECK(v[2] == doctest::Approx(0.0).epsilon(1e-9));
  CHECK(lambda[0] == doctest::Approx(2.0).epsilon(1e-9));
  CHECK(lambda[1] == doctest::Approx(-0.5).epsilon(1e-9));
}

TEST_CASE("a problem without a solution ends with exit 3 and a line on stderr")
{
  const TemporaryFolder folder;
  const Result result = in_process({"solve", solvable(folder), unsolvable(folder), "--json"});
  CHECK(result.code == not_reached);
  CHECK(result.err.find("1 of 2 problems without a converged answer") != std::string::npos);
  CHECK(json::parse(result.out)["problems"][0]["rows"][0]["status"] == "converged");
  CHECK(in_process({"solve", unsolvable(folder), "--quiet"}).err.empty());
}

TEST_CASE("nothing is solved or written when one of the files is wrong")
{
  const TemporaryFolder folder;
  const std::string output = (folder.path() / "answers.json").string();
  const std::string bad = folder.file("bad.json", "garbage").string();
  check_refused(in_process({"solve", solvable(folder), bad, "--output", output, "--json"}),
                "bad.json: line 1");
  CHECK(!fs::exists(output));
}

TEST_CASE("an output that cannot be written is refused before the work")
{
  const TemporaryFolder folder;
  const std::string good = solvable(folder);
  check_refused(in_process({"solve", good, "--output", (folder.path() / "no" / "a.json").string()}),
                "a folder that exists");
  check_refused(in_process({"solve", good, "--output", folder.path().string()}),
                "found the folder");
  check_refused(in_process({"solve", good, "--output", good}), "would be lost");
}

TEST_CASE("a disk that is full after the work is told and the exit code is 1")
{
  if (!fs::exists("/dev/full")) return;
  const TemporaryFolder folder;
  const Result result = in_process({"solve", solvable(folder), "--output", "/dev/full"});
  CHECK(result.code == failed);
  CHECK(result.err.find("No space left on device") != std::string::npos);
}

TEST_CASE("a solver that no kind of problem has is refused and one of another kind is unsupported")
{
  const TemporaryFolder folder;
  check_refused(in_process({"solve", solvable(folder), "--solver", "lemkee"}),
                "did you mean \"lemke\"?");
  const Result result = in_process({"solve", solvable(folder), "--solver", "lemke-cone", "--json"});
  CHECK(result.code == not_reached);
  CHECK(json::parse(result.out)["problems"][0]["rows"][0]["status"] == "unsupported");
}

TEST_CASE("check tells of every file whether it can be used")
{
  const TemporaryFolder folder;
  const std::string bad = folder.file("bad.json", R"({"kind": "lcp", "n": -1})").string();
  const Result good = in_process({"check", solvable(folder), sliding(folder)});
  CHECK(good.code == done);
  CHECK(good.out.find("good.json: lcp of size 2\n") != std::string::npos);
  CHECK(good.out.find("sliding.json: contact of size 3, 1 contacts\n") != std::string::npos);
  check_refused(in_process({"check", bad}), "bad.json: /n: found -1");
  const json findings = json::parse(in_process({"check", bad, solvable(folder), "--json"}).out);
  CHECK(findings["files"][0]["ok"] == false);
  CHECK(findings["files"][1]["ok"] == true);
}

TEST_CASE("check and solve say alike which solvers take the bilateral rows of a problem")
{
  const TemporaryFolder folder;
  const std::string motor = folder
                                .file("motor.json", R"({"kind": "contact", "version": 1,
    "components": [{"nodes": 1, "A": [[0, 0, [2, 0, 0, 0, 2, 0, 0, 0, 2]]], "v_star": [1, 0, 0]}],
    "rigid": [], "contacts": [],
    "bilateral": [{"nodes": [0], "J": [[1, 0, 0]], "bias": -3, "lower": -1, "upper": 1}]})")
                                .string();
  const std::string takers = "auto, lemke-standard, nsgs, admm, newton, prox";
  const Result checked = in_process({"check", motor});
  CHECK(checked.out.find("1 bilateral rows, 1 with limits, for " + takers) != std::string::npos);
  const Result refused = in_process({"solve", motor, "--solver", "coupling"});
  CHECK(refused.code == not_reached);
  CHECK((refused.out + refused.err).find(takers + " take them") != std::string::npos);
  // 2 kg at 1 m/s and at most 1 N s towards 3 m/s.
  const Result solved = in_process({"solve", motor, "--tolerance", "1e-9", "--json"});
  CHECK(solved.code == done);
  CHECK(json::parse(solved.out)["problems"][0]["rows"][0]["residual"].get<double>() <= 1e-9);
}

TEST_CASE("auto solves every solvable problem of the data set")
{
  const auto folder = test_data("lcp");
  if (!folder) return;
  const auto files = data_files(*folder, false);
  CHECK(files.size() == 25);
  const Result result = in_process(join({"solve", "--solver", "auto", "--json"}, files));
  CHECK(result.code == done);
  const json report = json::parse(result.out);
  CHECK(report["problems"].size() == files.size());
  for (const json& problem : report["problems"]) {
    CAPTURE(problem["file"].get<std::string>());
    CHECK(problem["rows"][0]["status"] == "converged");
    CHECK(problem["rows"][0]["residual"].get<double>() <= 1e-9);
  }
}

TEST_CASE("auto says no_solution for the two problems of the data set that have none")
{
  const auto folder = test_data("lcp");
  if (!folder) return;
  const auto files = data_files(*folder, true);
  CHECK(files.size() == 27);
  const Result result = in_process(join({"solve", "--solver", "auto", "--json"}, files));
  CHECK(result.code == not_reached);
  int without_solution = 0;
  const json report = json::parse(result.out);
  CHECK(report["problems"].size() == files.size());
  for (const json& problem : report["problems"])
    if (problem["rows"][0]["status"] == "no_solution") ++without_solution;
  CHECK(without_solution == 2);
}
