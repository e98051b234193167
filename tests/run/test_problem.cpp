#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <files/messages.hpp>
#include <files/temporary_folder.hpp>
#include <tact/contact/rigid_bodies.hpp>
#include <tact/core/error.hpp>
#include <tact/core/random.hpp>
#include <tact/files/lcp_io.hpp>
#include <tact/files/rigid_contact_io.hpp>
#include <tact/files/text_file.hpp>
#include <tact/run/problem_solve.hpp>
#include <tact/run/solution_io.hpp>

namespace fs = std::filesystem;
using namespace tact;

namespace {

// z = (1/2, 1): M = 2 I, q = (-1, -2).
fs::path write_lcp_file(const TemporaryFolder& folder)
{
  LcpProblem problem{
      .M = 2.0 * MatrixXd::Identity(2, 2), .q = VectorXd{{-1.0, -2.0}}, .lower = {}, .upper = {}};
  write_lcp(folder.path() / "lcp.json", problem);
  return folder.path() / "lcp.json";
}

// A point of 2 kg falls at 1 m/s onto the ground: v = 0, lambda_n = 2 N s.
fs::path write_contact_file(const TemporaryFolder& folder)
{
  ContactProblem problem;
  add_rigid_body(problem, 2.0 * Matrix6d::Identity(), Vector6d{{0.0, 0.0, -1.0, 0.0, 0.0, 0.0}});
  BodyRows<3> pair;
  pair.J_a << 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0;
  add_contact(problem, pair, {.mu = 0.5});
  write_rigid_contact_problem(folder.path() / "contact.json", problem);
  return folder.path() / "contact.json";
}

// Three bytes replaced, put in or taken out, or the end cut off.
std::string with_changes(std::string text, Random& random)
{
  using namespace std::string_literals;
  const std::string bytes = "0123456789-+.eE,:[]{}\"\\ \n\t%x\0\xff"s;
  const auto position_in = [&random](const std::string& s) {
    return static_cast<std::size_t>(random.below(static_cast<int>(s.size())));
  };
  for (int change = 0; change < 3 && !text.empty(); ++change) {
    const std::size_t at = position_in(text);
    const char byte = bytes[position_in(bytes)];
    switch (random.below(4)) {
      case 0: text[at] = byte; break;
      case 1: text.insert(at, 1, byte); break;
      case 2: text.erase(at, 1); break;
      default: text.resize(at); break;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("a file of any kind is read by what it says it is")
{
  const TemporaryFolder folder;
  const Problem lcp = read_problem(write_lcp_file(folder));
  CHECK(lcp.kind == "lcp");
  CHECK(lcp.size() == 2);
  CHECK(lcp.contacts() == 0);
  const Problem contact = read_problem(write_contact_file(folder));
  CHECK(contact.kind == "contact");
  CHECK(contact.size() == 3);
  CHECK(contact.contacts() == 1);
  check_complaint(message_of([&] { read_problem(folder.file("x.json", R"({"kind": "scene"})")); }),
                  "x.json", ": /kind:", "expected one of lcp, mlcp, blcp, contact, friction");
}

TEST_CASE("auto solves an LCP and a contact problem whose answers are known by hand")
{
  const TemporaryFolder folder;
  const SolvedProblem lcp = solve(read_problem(write_lcp_file(folder)), "auto", {});
  CHECK(lcp.report.ok());
  CHECK(std::get<LcpSolution>(lcp.solution).z.isApprox(VectorXd{{0.5, 1.0}}, 1e-9));
  const SolvedProblem contact = solve(read_problem(write_contact_file(folder)), "auto", {});
  CHECK(contact.report.ok());
  const auto& answer = std::get<ContactSolution>(contact.solution);
  CHECK(answer.v.norm() < 1e-9);
  CHECK(answer.lambda.isApprox(VectorXd{{2.0, 0.0, 0.0}}, 1e-9));
}

TEST_CASE("a solver of another kind is unsupported and an unknown one is an error")
{
  const TemporaryFolder folder;
  const Problem lcp = read_problem(write_lcp_file(folder));
  CHECK(solve(lcp, "lemke-cone", {}).report.status == SolveStatus::unsupported);
  for (const SolverEntry& solver : all_solvers()) CHECK(!solver.guide.summary.empty());
  CHECK(contains(message_of([&] { solve(lcp, "lemkee", {}); }), "did you mean \"lemke\"?"));
}

TEST_CASE("a file with some bytes changed is read or refused in one line, never a crash")
{
  const TemporaryFolder folder;
  const fs::path lcp = write_lcp_file(folder);
  const fs::path contact = write_contact_file(folder);
  Random random(17);
  const auto spoil = [&](const fs::path& file, const fs::path& part) {
    const std::string original = read_text(part);
    for (int trial = 0; trial < 500; ++trial) {
      const std::string text = with_changes(original, random);
      CAPTURE(text);
      write_text(part, text);
      CHECK(message_of([&] { read_problem(file); }).find('\n') == std::string::npos);
    }
    write_text(part, original);
  };
  spoil(lcp, lcp);
  spoil(lcp, folder.path() / "lcp.M.mtx");
  spoil(lcp, folder.path() / "lcp.q.mtx");
  spoil(contact, contact);
}

TEST_CASE("stored answers read back as the same numbers")
{
  const TemporaryFolder folder;
  const Problem problem = read_problem(write_contact_file(folder));
  SolveRecord record{
      .file = "contact.json", .kind = problem.kind, .size = 3, .contacts = 1, .rows = {}};
  ContactSolution answer{
      .v = VectorXd::Constant(6, 0.1), .lambda = VectorXd{{1.0 / 3.0, 0.0, -0.0}}, .beta = {}};
  record.rows.push_back(
      {"lemke-cone", {.status = SolveStatus::converged, .iterations = 4, .note = "seen"}, answer});
  CHECK(record.solved());
  write_solutions(folder.path() / "answers.json", {record});

  const auto json = nlohmann::json::parse(read_text(folder.path() / "answers.json"));
  CHECK(json["kind"] == "solutions");
  const auto& row = json["problems"][0]["rows"][0];
  CHECK(row["solver"] == "lemke-cone");
  CHECK(row["status"] == "converged");
  CHECK(row["iterations"] == 4);
  CHECK(row["note"] == "seen");
  CHECK(row["v"].get<std::vector<double>>() == std::vector<double>(6, 0.1));
  CHECK(row["lambda"][0] == 1.0 / 3.0);
  CHECK(row["beta"].empty());
  CHECK(!report_json({record})["problems"][0]["rows"][0].contains("v"));
}

TEST_CASE("every solver has a guide and a page of its own")
{
  for (const SolverEntry& solver : all_solvers()) {
    CAPTURE(solver.name);
    const SolverGuide& guide = solver.guide;
    CHECK((guide.accuracy == "exact" || guide.accuracy == "iterative"));
    for (const std::string& text : {guide.friction, guide.needs, guide.cost, guide.use})
      CHECK_FALSE(text.empty());
    CHECK(fs::exists(fs::path(TACT_DOCS) / "solvers" / (solver.name + ".md")));
  }
}
