// The table of solvers: one place to add a method, and all that is made from it.
#include <algorithm>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <scene/stepped_scene.hpp>
#include <tact/core/error.hpp>
#include <tact/run/problem_solve.hpp>
#include <tact/scene/schema.hpp>
#include <tact/solvers/nested/nested.hpp>
#include <tact/solvers/solvers.hpp>

using namespace tact;
using namespace tact::test;

namespace {

// A method of a program that links tact: it leaves what has friction to others.
SolveReport solve_my_way(const ContactProblem& problem, ContactSolution& solution,
                         const ContactOptions& options)
{
  for (const ContactRows& contact : problem.contacts)
    if (contact.mu > 0.0) return unsupported("my way is without friction");
  NestedSolver solver({.max_exact_nodes = 1000, .tolerance = options.tolerance});
  solver.begin(problem);
  SolveReport report;
  report.status = solver.solve(problem, solution).status;
  return report;
}

const ContactMethod mine{.name = "my-way",
                         .guide = {"as I like it", "iterative", "none", "mu = 0", "little", "me"},
                         .solve = solve_my_way};

void add_mine_once()
{
  const auto names = contact_method_names();
  if (std::find(names.begin(), names.end(), mine.name) == names.end()) add_contact_method(mine);
}

}  // namespace

TEST_CASE("a method that is added is in the list, in the schema, and in a run")
{
  add_mine_once();
  const auto listed = all_solvers();
  CHECK(std::any_of(listed.begin(), listed.end(), [](const SolverEntry& solver) {
    return solver.name == "my-way" && solver.guide.use == "me";
  }));
  CHECK(scene_schema().find("\"my-way\"") != std::string::npos);

  SteppedScene mine_run("block-on-slope", {"/contact/solver=my-way", "/mu=0", "/time=0.3"});
  mine_run.run();
  SteppedScene usual("block-on-slope", {"/mu=0", "/time=0.3"});
  usual.run();
  CHECK(mine_run.unconverged == 0);
  const int block = usual.body("block");
  CHECK((mine_run.place(block) - usual.place(block)).norm() < 1e-6);
}

TEST_CASE("what a method does not take is solved by auto, and said with the bodies in the way")
{
  add_mine_once();
  SteppedScene run("block-on-slope", {"/contact/solver=my-way", "/mu=0.5"});
  StepReport report;
  for (int k = 0; k < 60; ++k) report = run.stepper.step(run.scene.state, run.scene.run.dt).report;
  CHECK(report.refused == 1);
  CHECK(report.unconverged == 0);
  CHECK(report.refusal.find("\"block\"") != std::string::npos);
  CHECK(report.refusal.find("my way is without friction") != std::string::npos);
  CHECK(not_taken(run.scene).find("my-way") != std::string::npos);
}

TEST_CASE("a name that is taken, and a method that does nothing, are refused")
{
  CHECK_THROWS_AS(add_contact_method({.name = "auto", .guide = {}, .solve = solve_my_way}), Error);
  CHECK_THROWS_AS(add_contact_method({.name = "ica", .guide = {}, .solve = solve_my_way}), Error);
  CHECK_THROWS_AS(add_contact_method({.name = "nothing", .guide = {}}), Error);
}

TEST_CASE("tact check says what a solver does not take, before the run")
{
  const auto said = [](const std::string& scene, const std::string& solver) {
    return not_taken(build_scene(read_scene(scene, {"/contact/solver=" + solver})));
  };
  CHECK(said("block-stack", "lemke-reduced").empty());
  CHECK(said("vertebrae", "auto").empty());
  CHECK(said("vertebrae", "nested").empty());
  CHECK(said("vertebrae", "coupling").find("\"disk\"") != std::string::npos);
  CHECK(said("falling-cloth", "lemke-cone").find("\"cloth\"") != std::string::npos);
  CHECK(said("block-stack", "mprgp").find("without friction") != std::string::npos);
}

TEST_CASE("every method of the table takes boxes from their fall to their rest, or says what not")
{
  for (const std::string& name : contact_method_names()) {
    CAPTURE(name);
    SteppedScene run("block-stack", {"/contact/solver=" + name, "/time=0.5"});
    double worst = 0.0;
    int refused = 0, unconverged = 0;
    for (int k = 0; k < 100; ++k) {
      const StepReport report = run.stepper.step(run.scene.state, run.scene.run.dt).report;
      worst = std::max(worst, report.residual);
      refused += report.refused;
      unconverged += report.unconverged;
    }
    const ContactMethod* method = contact_method(name);
    const bool frictionless = method && method->guide.friction == "none";
    CHECK((refused > 0) == frictionless);
    CHECK(unconverged == 0);
    CHECK(worst <= run.options.contact.solver.tolerance);
    CHECK(run.place(run.body("block-0")).y() > 0.2);
  }
}
