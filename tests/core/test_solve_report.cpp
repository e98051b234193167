#include <doctest/doctest.h>

#include <tact/core/solve_report.hpp>

using namespace tact;

TEST_CASE("the names of the statuses are those that scripts read")
{
  CHECK(name(SolveStatus::converged) == "converged");
  CHECK(name(SolveStatus::iteration_limit) == "iteration_limit");
  CHECK(name(SolveStatus::stalled) == "stalled");
  CHECK(name(SolveStatus::no_solution) == "no_solution");
  CHECK(name(SolveStatus::unsupported) == "unsupported");
}

TEST_CASE("a report is ok only when the solve converged")
{
  SolveReport report;
  CHECK(!report.ok());
  report.status = SolveStatus::stalled;
  CHECK(!report.ok());
  report.status = SolveStatus::converged;
  CHECK(report.ok());
}
