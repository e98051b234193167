#include <algorithm>
#include <limits>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <bench/solvers.hpp>

using namespace tact;

namespace {

SolverRow row_of(const char* problem, const char* solver, double seconds, double residual)
{
  return {.problem = problem,
          .contacts = 1,
          .tolerance = 1e-8,
          .solver = solver,
          .status = residual <= 1e-8 ? "converged" : "stalled",
          .residual = residual,
          .iterations = 1,
          .seconds = seconds};
}

}  // namespace

TEST_CASE("a profile is the share of problems solved within tau times the best")
{
  const std::vector<SolverRow> rows = {
      row_of("p", "a", 1.0, 1e-9), row_of("p", "b", 3.0, 1e-9),  // a is best, b takes 3 times that
      row_of("q", "a", 0.5, 1e-3), row_of("q", "b", 2.0, 1e-12)};  // a fails
  const std::vector<Profile> profiles = performance_profiles(rows, 1e-8);
  REQUIRE(profiles.size() == 2);
  CHECK(profiles[0].solver == "a");
  CHECK(profiles[0].share(1.0) == 0.5);
  CHECK(profiles[0].share(1e9) == 0.5);
  CHECK(profiles[0].seconds == 1.5);
  CHECK(profiles[1].share(1.0) == 0.5);
  CHECK(profiles[1].share(2.9) == 0.5);
  CHECK(profiles[1].share(3.0) == 1.0);
  CHECK(performance_profiles(rows, 1e-4).empty());
}

TEST_CASE("a solver that takes longer than the limit is left out on what is larger")
{
  BenchOptions options;
  options.quick = options.quiet = true;
  options.limit = 1e-9;  // s: nothing is that fast
  int skipped = 0, smallest = std::numeric_limits<int>::max();
  const std::vector<SolverRow> rows = measure_solvers(options);
  for (const SolverRow& row : rows) smallest = std::min(smallest, row.contacts);
  for (const SolverRow& row : rows) {
    CHECK((row.status == "skipped") == (row.contacts > smallest));
    if (row.status != "skipped") continue;
    ++skipped;
    CHECK_FALSE(row.solved());
  }
  CHECK(skipped > 0);
}

TEST_CASE("the quick solver bench solves its stacks and reports them")
{
  BenchOptions options;
  options.quick = options.quiet = true;
  const std::vector<SolverRow> rows = measure_solvers(options);
  for (const SolverRow& row : rows) {
    CAPTURE(row.problem);
    if (row.solver == "auto" || row.solver == "prox") CHECK(row.solved());
  }
  const auto json = nlohmann::json::parse(solvers_json(rows));
  CHECK(json["bench"] == "solvers");
  CHECK(json["rows"].size() == rows.size());
  for (const char* key : {"problem", "solver", "status", "residual", "iterations", "seconds"})
    CHECK(json["rows"][0].contains(key));
  CHECK(solvers_plot(rows).find("</svg>") != std::string::npos);
}
