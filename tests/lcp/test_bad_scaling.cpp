// Problems whose rows span ten orders of magnitude and more.
#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include <tact/lcp/enumeration.hpp>
#include <tact/lcp/lemke.hpp>
#include <tact/lcp/pivot_round_off.hpp>
#include <tact/lcp/solvers.hpp>

#include "families.hpp"

namespace tact {
namespace {

using families::Bounds;

// Free velocities and multipliers whose block of equations is singular, the others >= 0.
families::Planted mixed_problem(int n, Random& random)
{
  std::vector<Bounds> bounds(n, Bounds::plain);
  std::fill(bounds.begin(), bounds.begin() + n / 4, Bounds::free);
  std::fill(bounds.end() - n / 3, bounds.end(), Bounds::free);
  return families::plant(families::saddle(n, n / 3, random), bounds, 0.2, random);
}

}  // namespace

TEST_CASE("mixed problems whose rows span ten orders of magnitude are solved")
{
  for (int seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const int n = 20 + random.below(200);
    const LcpProblem well = mixed_problem(n, random).problem;
    const VectorXd row = families::wild_factors(n, -10.0, 0.0, random);
    LcpSolution solution;
    const SolveReport report =
        solve_lemke(families::scaled(well, row, VectorXd::Ones(n)), solution);
    CHECK(report.ok());
    CHECK(report.restarts == 0);
    // Rows of 1e-10 weigh nothing in the residual: the well-scaled problem has to be solved, too.
    CHECK(residual(well, solution.z) < 1e-9);
  }
}

TEST_CASE("networks with conductances from 1e-6 to 1e4 are solved at the first attempt")
{
  for (int seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const int nodes = 10 + random.below(100);
    const LcpProblem problem = families::network(nodes, nodes, -6.0, 4.0, random).problem;
    LcpSolution solution;
    const SolveReport report = solve_lemke(problem, solution);
    CHECK(report.ok());
    CHECK(report.restarts == 0);
  }
}

TEST_CASE("networks with conductances from 1e-8 to 1e4 are solved by auto")
{
  for (int seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const int nodes = 10 + random.below(100);
    const LcpProblem problem = families::network(nodes, nodes, -8.0, 4.0, random).problem;
    LcpSolution solution;
    CHECK(solve_lcp(problem, solution, "auto").ok());
  }
}

TEST_CASE("rows of 1e10: the answer is as good as double precision allows, and never denied")
{
  for (int seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const int n = 6 + random.below(60);
    const LcpProblem well = mixed_problem(n, random).problem;
    const LcpProblem problem =
        families::scaled(well, families::wild_factors(n, 0.0, 10.0, random), VectorXd::Ones(n));
    for (const char* solver : {"auto", "lemke", "enumeration"}) {
      CAPTURE(solver);
      LcpSolution solution;
      const SolveReport report = solve_lcp(problem, solution, solver);
      if (report.status == SolveStatus::unsupported) continue;  // too large to enumerate
      CHECK(is_at_round_off(problem, solution.z));
      CHECK(residual(well, solution.z) < 1e-9);
      CHECK((report.ok() || report.status == SolveStatus::stalled));
      const bool told = report.note.find("at round-off") != std::string::npos;
      CHECK((report.ok() || told));
    }
  }
}

TEST_CASE("what cancels is round-off, what is small as given is not")
{
  Tableau tableau;
  tableau.reset(2, 2);
  const auto fill = [&](double a, double b, double c, double d) {
    tableau.row(0)[0] = a, tableau.row(0)[1] = b, tableau.row(1)[0] = c, tableau.row(1)[1] = d;
  };
  PivotRoundOff round_off;
  const auto pivot = [&] {
    round_off.reset(tableau);
    round_off.pivot(tableau, 0, 0);
    tableau.pivot(0, 0);
  };
  fill(0.1, 0.3, 0.7, 0.7 * 0.3 / 0.1);  // rank one, up to its rounding
  pivot();
  CHECK(round_off.is_noise(tableau, 1, 1));
  CHECK_FALSE(round_off.is_noise(tableau, 0, 1));

  tableau.reset(2, 2);
  fill(1.0, 1e-9, 1e-9, 3e-18);  // 3e-18 - 1e-18: small, and right to its last digits
  pivot();
  CHECK_FALSE(round_off.is_noise(tableau, 1, 1));
  CHECK(tableau.row(1)[1] == doctest::Approx(2e-18).epsilon(1e-12));
}

}  // namespace tact
