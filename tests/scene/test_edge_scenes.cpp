// The scenes of [Egan03]: what slides past sharp corners, with unions of half-spaces and without.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include <tact/contact/judge.hpp>
#include <tact/files/contact_io.hpp>
#include <tact/run/run.hpp>
#include <tact/run/verify.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/setup/step_options.hpp>
#include <tact/solvers/solvers.hpp>

#include <files/temporary_folder.hpp>
#include "scene_run.hpp"

using namespace tact;

namespace {

// Simulates as `tact run` does, and judges as `tact verify` does.
struct EdgeRun {
  RunReport report;
  VerifyReport verdict;
};

EdgeRun run_scene(const std::string& name, const std::vector<std::string>& patches = {})
{
  const TemporaryFolder folder;
  const Scene scene = build_scene(read_scene(name, patches));
  EdgeRun made;
  made.report = run(scene.world, run_settings(scene, folder.path()));
  made.verdict = verify(Recording::open(folder.path()));
  return made;
}

std::vector<std::string> nonconvex(const std::string& value)
{
  return {"/nonconvex=" + value};
}

// Where the block of block-over-hole is and how fast, step by step.
struct BlockPath {
  double rise = 0.0;       // m: highest less lowest height of its centre
  double end_speed = 0.0;  // m/s
  double end = 0.0;        // m: of its centre
  int groups = 0;          // most in a step
  int by_form = 0;         // solves of Lemke that counted
};

BlockPath block_path(const std::string& value, double seconds)
{
  const Scene scene = build_scene(read_scene("block-over-hole", nonconvex(value)));
  const int block = scene.world.find("block");
  State state = scene.state;
  Stepper stepper = make_stepper(scene);
  double low = state.q[scene.world.place(block).q + 1], high = low;
  BlockPath path;
  for (int k = 0; k < std::lround(seconds / scene.run.dt); ++k) {
    const StepReport step = stepper.step(state, scene.run.dt).report;
    CHECK(step.unconverged == 0);
    path.groups = std::max(path.groups, step.groups);
    path.by_form += step.form_solves;
    const double height = scene.world.q(state, block)[1];
    low = std::min(low, height);
    high = std::max(high, height);
  }
  path.rise = high - low;
  path.end = scene.world.q(state, block)[0];
  path.end_speed = scene.world.v(state, block)[0];
  return path;
}

// m: the most that the block is off its height on its way past the hole.
double off_its_height(const std::vector<std::string>& patches)
{
  const Scene scene = build_scene(read_scene("block-over-hole", patches));
  const int height = scene.world.place(scene.world.find("block")).q + 1;
  State state = scene.state;
  Stepper stepper(scene.world, step_options(scene.run));
  const double start = state.q[height];
  double most = 0.0;
  for (std::int64_t k = 0; k < scene.run.steps(); ++k) {
    (void)stepper.step(state, scene.run.dt);
    most = std::max(most, std::abs(state.q[height] - start));
  }
  CHECK(state.q[height - 1] > 0.15);  // m: its rear is past the near edge
  return most;
}

// What the block of cloth-over-edge gives to the cloth, and where.
struct ClothSupport {
  double all = 0.0;     // N s: of normal impulses
  double beyond = 0.0;  // N s: upwards, on points that end beyond the edge and its distance
  double left = 0.0;    // m: the least x of the cloth in the end
};

ClothSupport cloth_support(const std::string& value, double seconds)
{
  const Scene scene =
      build_scene(read_scene("cloth-over-edge", {"/nonconvex=" + value, "/vertices=21"}));
  const int cloth = scene.world.find("cloth"), block = scene.world.find("block");
  State state = scene.state;
  Stepper stepper = make_stepper(scene);
  ClothSupport support;
  std::vector<Vector3d> x;
  for (int k = 0; k < std::lround(seconds / scene.run.dt); ++k) {
    const StepReport step = stepper.step(state, scene.run.dt).report;
    CHECK(step.unconverged == 0);
    CHECK(step.halvings == 0);
    place_surfaces(scene.world, state, x);
    for (std::size_t c = 0; c < stepper.last().contacts.size(); ++c) {
      const ContactRecord& record = stepper.last().contacts[c];
      if (record.body_a != cloth || record.body_b != block) continue;
      const double impulse = stepper.last().solution.lambda[3 * static_cast<Eigen::Index>(c)];
      support.all += impulse;
      const Vector3d& place = x[record.contact.key.vertices[0]];
      const bool is_vertex = record.contact.key.first_side == 1;
      if (is_vertex && place.x() > stepper.contact_distance() + 1e-6)
        support.beyond += impulse * record.contact.normal.y();
    }
  }
  const auto first = x.begin() + scene.world.place(cloth).vertex;
  support.left = first->x();
  std::for_each(first, first + scene.world.body(cloth).vertex_count(),
                [&](const Vector3d& p) { support.left = std::min(support.left, p.x()); });
  return support;
}

}  // namespace

TEST_CASE("point-corner ends at the printed places with the printed velocities by every method")
{
  for (const std::string value : {"selection", "max", "sum"}) {
    CAPTURE(value);
    const EdgeRun made = run_scene("point-corner", nonconvex(value));
    CHECK(made.verdict.ok());
    REQUIRE(made.report.ends.size() == 2);
    const BodyEnd &a = made.report.ends[0], &b = made.report.ends[1];
    // z_a, and of the three printed solutions of b: z_b3, the side y = 0, which has the least work;
    // by the summation form z_b2, the side x = 0. 1e-6: a thousand times the tolerance of the
    // solver.
    const bool sum = value == "sum";
    CHECK((a.velocity - Vector3d(-2.0, 0.0, 0.0)).norm() < 1e-12);
    CHECK((a.centre - Vector3d(-3.0, 1.0, -1.0)).norm() < 1e-12);
    const Vector3d velocity = sum ? Vector3d(-0.5, -1.0, 0.0) : Vector3d(-2.0, -0.5, 0.0);
    const Vector3d centre = sum ? Vector3d(0.0, -1.0, 1.0) : Vector3d(-3.0, 0.0, 1.0);
    CHECK((b.velocity - velocity).norm() < 1e-6);
    CHECK((b.centre - centre).norm() < 1e-6);
    // p = 1.5 or 0.5 N s in 2 s.
    const Vector3d force = sum ? Vector3d(0.75, 0.0, 0.0) : Vector3d(0.0, 0.25, 0.0);
    CHECK((made.report.forces[1].total.last.force - force).norm() < 1e-6);
    CHECK(made.report.totals.groups_max > 0);
    CHECK((made.report.totals.form_solves > 0) == (value != "selection"));
  }
}

TEST_CASE("block-over-hole: the block passes, with planes that end and with unions of them")
{
  const double seconds = 0.5, mu = 0.05, g = 9.81;
  const double expected_speed = 1.0 - mu * g * seconds;  // friction alone
  // v_k = v_0 - k mu g dt at the end of step k.
  const double dt = 0.02, n = seconds / dt;
  const double expected_end = -1.48 * 0.2 + dt * (n - mu * g * dt * n * (n + 1) / 2.0);
  for (const std::string value : {"none", "selection", "max", "sum"}) {
    CAPTURE(value);
    const BlockPath path = block_path(value, seconds);
    CHECK((path.groups > 0) == (value != "none"));
    CHECK((path.by_form > 0) == (value == "max" || value == "sum"));
    CHECK(path.rise < 1e-4);
    // The step in which the front leaves the near side may do with less friction.
    CHECK(std::abs(path.end_speed - expected_speed) < mu * g * dt);
    CHECK(std::abs(path.end - expected_end) < mu * g * dt * seconds);
  }
}

TEST_CASE("cloth-over-edge: nothing holds the cloth up beyond the edge, with unions and without")
{
  const double seconds = 0.36;
  const ClothSupport planes = cloth_support("none", seconds);
  const ClothSupport unions = cloth_support("selection", seconds);
  CHECK(std::abs(planes.beyond) < 1e-3 * planes.all);  // normals lie in the edge's cone
  CHECK(std::abs(unions.beyond) < 1e-3 * unions.all);
  CHECK(unions.left > 0.0);  // it has left the block: nothing has caught
}

TEST_CASE("recordings with groups of sides verify")
{
  for (const std::string value : {"none", "selection", "max", "sum"}) {
    CAPTURE(value);
    const EdgeRun made = run_scene("block-over-hole", {"/nonconvex=" + value, "/time=0.5"});
    CHECK(made.verdict.ok());
    CHECK(made.verdict.intersecting_pairs == 0);
    CHECK(made.report.totals.account.halvings == 0);
  }
  const EdgeRun cloth = run_scene("cloth-over-edge", {"/vertices=21", "/time=0.3"});
  CHECK(cloth.verdict.ok());
  CHECK(cloth.report.totals.groups_max > 0);
}

TEST_CASE("recorded problems with groups are solved from their files by the solvers of unions")
{
  const TemporaryFolder folder;
  const Scene scene = build_scene(read_scene("block-over-hole", {"/time=0.4"}));
  RunSettings settings = run_settings(scene, folder.path());
  settings.problems.when = RecordProblems::When::all;
  CHECK(run(scene.world, settings).totals.groups_max > 0);
  int solved = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "problems")) {
    const ContactProblem stored = read_contact_problem(entry.path());
    if (stored.groups.empty()) continue;
    CAPTURE(entry.path().filename().string());
    for (const char* solver : {"auto", "side-selection", "union-max", "union-sum"}) {
      CAPTURE(std::string(solver));
      ContactSolution solution;
      CHECK(solve_contact(stored, solution, solver, {.tolerance = 1e-6}).ok());
      CHECK(measure(stored, solution).worst() <= 1e-6);
    }
    ++solved;
  }
  CHECK(solved > 2);
}

TEST_CASE("a scene without corners gives the same state with nonconvex unset and set")
{
  const auto hash = [](std::vector<std::string> patches) {
    patches.push_back("/time=0.2");
    return run_scene("block-on-slope", patches).report.state_hash;
  };
  const std::string unset = hash({});
  for (const std::string value : {"none", "selection", "max", "sum"})
    CHECK(hash(nonconvex(value)) == unset);
}

TEST_SUITE_BEGIN("slow");

TEST_CASE("block-over-hole: it keeps its height at every speed, step, slant and turn")
{
  for (const std::string value : {"max", "selection"})
    for (const std::string dt : {"0.005", "0.01", "0.02"})
      for (const std::string slant : {"0", "1"})
        for (const int turn : {0, 20, -45})
          for (int mm = 800; mm <= 1350; mm += turn == 0 ? 25 : 50) {
            const std::vector<std::string> patches = {"/nonconvex=" + value,
                                                      "/dt=" + dt,
                                                      "/slant=" + slant,
                                                      "/turn=" + std::to_string(turn),
                                                      "/speed=" + std::to_string(1e-3 * mm),
                                                      "/time=0.9"};
            CAPTURE(value);
            CAPTURE(dt);
            CAPTURE(slant);
            CAPTURE(turn);
            CAPTURE(mm);
            CHECK(off_its_height(patches) < 5e-5);
          }
}

TEST_SUITE_END();
