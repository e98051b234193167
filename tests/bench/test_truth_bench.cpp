#include <array>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <bench/truth.hpp>
#include <bench/truth_situations.hpp>
#include <tact/run/problem_solve.hpp>

using namespace tact;

TEST_CASE("the truth table has a row for every solver and tells what one does not take")
{
  const TruthRow good{"slope", 4, "auto", "disc", "converged", 1e-9, 2e-8, 1e-3};
  const TruthRow none{"slope", 4, "mprgp", "pyramid", "unsupported", 0.0, 0.0, 0.0};
  const std::string table = truth_table({good, none});
  CHECK(table.find("slope, 4 contacts") != std::string::npos);
  CHECK(table.find("1.0e-09    2.0e-08       1.00") != std::string::npos);
  CHECK(table.find("unsupported") != std::string::npos);
  const auto json = nlohmann::json::parse(truth_json({good, none}));
  CHECK(json["bench"] == "truth");
  CHECK(json["rows"].size() == 2);
  for (const char* key : {"situation", "solver", "residual", "creep", "seconds"})
    CHECK(json["rows"][0].contains(key));
}

TEST_CASE("the plot of the truth table has a cell for each solver that takes something")
{
  const TruthRow good{"slope", 4, "auto", "disc", "converged", 1e-9, 2e-8, 1e-3};
  const TruthRow far{"slope", 4, "pgs", "disc", "iteration_limit", 3e-4, 5e-4, 1e-3};
  const TruthRow none{"slope", 4, "mprgp", "pyramid", "unsupported", 0.0, 0.0, 0.0};
  const TruthRow arch{"arch", 9, "auto", "disc", "converged", 0.0, 0.0, 1e-3};
  const std::string plot = truth_plot({good, far, none, arch});
  for (const char* text : {">slope<", ">arch<", ">auto<", ">pgs<", ">1e-09<", ">2e-08<",
                           ">3e-04 *<", ">5e-04 *<", ">0<", ">-<"}) {
    CAPTURE(std::string(text));
    CHECK(plot.find(text) != std::string::npos);
  }
  CHECK(plot.find("mprgp") == std::string::npos);
}

TEST_CASE("a point at rest may creep by the root of the tolerance times what it falls in a step")
{
  ContactProblem point;
  const double fall = 9.81 * 0.01;  // m/s
  const std::vector<std::array<int, 2>> uncoupled;
  point.A.push_back(zero_matrix(std::make_shared<const BlockPattern>(1, uncoupled)));
  point.A[0].blocks[0] = 2.0 * Matrix3d::Identity();  // kg
  point.v_star = Vector3d(0.0, 0.0, -fall);
  RowBlock upright;
  upright.J << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  point.blocks.push_back(upright);
  ContactRows rows;
  rows.count = 1;
  point.contacts.push_back(rows);
  const ContactSolution resting{.v = Vector3d::Zero(), .lambda = Vector3d(2.0 * fall, 0.0, 0.0)};
  CHECK(std::abs(allowed_creep(point, resting) - std::sqrt(1e-6 * fall)) < 1e-15);
}

TEST_CASE("situations with a known answer: each of another kind and with contacts that press")
{
  std::set<std::string> names;
  for (const TruthSituation& situation : truth_situations()) {
    CAPTURE(std::string(situation.name));
    names.insert(situation.name);
    CHECK(situation.problem().size() >= 4);
  }
  CHECK(names.size() == 6);
}

TEST_CASE("pivoting on cone faces solves the stack of unequal masses and the arch")
{
  for (const TruthSituation& situation : truth_situations()) {
    const std::string name = situation.name;
    if (name != "stack-1000:1" && name != "masonry-arch") continue;
    CAPTURE(name);
    const Problem problem{"contact", situation.problem(), {}};
    const SolvedProblem solved =
        solve(problem, "lemke-cone", {.tolerance = 1e-9, .law = FrictionLaw::pyramid});
    CHECK(solved.report.residual <= 1e-6);  // the round-off of any build
  }
}
