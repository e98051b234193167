// Stored problems of FCLIB and Siconos: what the solvers are for.
#include <algorithm>
#include <cmath>
#include <fstream>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <data.hpp>
#include <tact/files/fclib_global.hpp>
#include <tact/files/fclib_io.hpp>
#include <tact/run/friction_solve.hpp>
#include <tact/solvers/cone/friction_problem_of.hpp>

namespace fs = std::filesystem;
using namespace tact;

namespace {

FrictionProblem local_problem(const fs::path& file)
{
  const FclibFile content = read_fclib(file);
  if (const auto* local = std::get_if<FrictionProblem>(&content.problem)) return *local;
  return CondensedContact(std::get<ContactProblem>(content.problem)).local_problem();
}

std::vector<fs::path> stored_problems(const fs::path& folder)
{
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

TEST_CASE("auto solves every stored problem to 1e-8 and nine in ten to 1e-10")
{
  const auto folder = test_data("fclib");
  if (!folder) return;
  int polished = 0;
  const auto files = stored_problems(*folder);
  for (const fs::path& file : files) {
    CAPTURE(file.string());
    const FrictionProblem problem = local_problem(file);
    const SolvedFriction solved = solve_stored(problem, "auto", {.tolerance = 1e-8});
    CHECK(solved.report.ok());
    CHECK(solved.residuals.rel_q <= 1e-8);
    CHECK(solved.residuals.rel_max <= 1e-8);
    if (solved.residuals.rel_q <= 1e-10) ++polished;
    const SolvedFriction again = solve_stored(problem, "auto", {.tolerance = 1e-8});
    CHECK(again.solution.lambda == solved.solution.lambda);  // no clock in the chain
  }
  CHECK(files.size() >= 30);
  CHECK(10 * polished >= 9 * static_cast<int>(files.size()));
}

TEST_CASE("contact velocities are those that another library finds")
{
  const auto folder = test_data("fclib");
  if (!folder) return;
  const auto reference = nlohmann::json::parse(std::ifstream(*folder / "reference.json"));
  for (const fs::path& file : stored_problems(*folder)) {
    CAPTURE(file.string());
    const auto& problem = reference[file.stem().string()];
    if (problem["norm_q"].get<double>() < 1e-15) continue;  // bodies at rest: rounding noise
    const double ours =
        solve_stored(local_problem(file), "auto", {.tolerance = 1e-8}).solution.u.norm();
    double nearest = 1e300;
    for (const auto& [name, solver] : problem["solvers"].items()) {
      if (!solver.contains("rel_q") || solver["rel_q"].get<double>() > 1e-6) continue;
      const double theirs = solver["norm_u"].get<double>();
      nearest = std::min(nearest, std::abs(theirs - ours));
    }
    // Both are within 1e-8 of the law, which the coupling of contacts makes some 1e-5 of u.
    CHECK(nearest <= 1e-5 * std::max(ours, problem["norm_q"].get<double>()));
  }
}

TEST_CASE("each solver alone does what it is best at")
{
  const auto folder = test_data("fclib");
  if (!folder) return;
  const auto check = [&](const char* solver, std::initializer_list<const char*> names) {
    for (const char* name : names) {
      CAPTURE(solver);
      CAPTURE(name);
      const FrictionProblem problem = local_problem(*folder / (std::string(name) + ".hdf5"));
      CHECK(solve_stored(problem, solver, {.tolerance = 1e-8}).report.ok());
    }
  };
  check("nsgs", {"Rover1039", "Rover1040", "Rover11035", "Rover3865", "Rover4144", "Rover4396",
                 "Rover4493", "OneObject-i100000-316"});
  check("admm", {"LMGC_100_PR_PerioBox-i00361-60-03000", "Confeti-ex03-Fc3D-SBM"});
  for (const char* solver : {"newton", "prox", "ipm"})
    check(solver, {"BoxesStack1-i100000-32", "OneObject-i100000-316", "Capsules-i100-1090",
                   "Capsules-i101-404", "spheres-in-a-box-98-i10000-256-10"});
}

TEST_CASE("bodies at rest are left alone at once though their q is rounding noise")
{
  const auto folder = test_data("fclib");
  if (!folder) return;
  const FrictionProblem problem =
      local_problem(*folder / "fc2d_granularflowonwall_00667_00000.hdf5");
  const SolvedFriction solved = solve_stored(problem, "auto", {});
  CHECK(solved.report.ok());
  CHECK(solved.report.iterations <= 60);
}

TEST_CASE("the global form gives the velocities of bodies that balance momentum")
{
  const auto folder = test_data("fclib");
  if (!folder) return;
  for (const char* name : {"Box_Stacks-i0122-82-5", "gfc2d_granularflowonwall_00069_00350"}) {
    CAPTURE(name);
    const FclibFile content = read_fclib(*folder / (std::string(name) + ".hdf5"));
    const auto& problem = std::get<ContactProblem>(content.problem);
    const GlobalForm form = global_form(problem);
    const FrictionSolution answer = solve_stored(problem, "auto", {}).solution;
    const VectorXd rest = form.M * answer.v - form.H * answer.lambda - form.f;
    CHECK(rest.norm() < 1e-12 * (form.f.norm() + answer.lambda.norm()));
    CHECK((form.H.transpose() * answer.v + form.w - answer.u).norm() <
          1e-11 * (answer.v.norm() + answer.u.norm()));
  }
}
