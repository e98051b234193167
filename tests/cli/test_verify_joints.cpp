#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tact/recording/recording.hpp>

#include <files/messages.hpp>

#include "run_program.hpp"
#include "tampered_recording.hpp"
#include "verified_run.hpp"

using namespace tact;
using namespace tact::cli;
namespace fs = std::filesystem;

namespace {

// A double pendulum on hinges.
const std::string two_links = R"({
  "dt": 0.01, "time": 0.3,
  "bodies": [
    {"name": "upper", "type": "rigid", "box": [0.4, 0.05, 0.05], "position": [0.2, 0, 0]},
    {"name": "lower", "type": "rigid", "box": [0.4, 0.05, 0.05], "position": [0.6, 0, 0]}
  ],
  "joints": [{"type": "hinge", "name": "shoulder", "a": "upper", "at": [0, 0, 0],
              "axis": [0, 0, 1]},
             {"type": "hinge", "name": "elbow", "a": "upper", "b": "lower", "at": [0.4, 0, 0],
              "axis": [0, 0, 1]}]
})";

// A driven slider with an end, that pulls at a load by a rope, and a pendulum with friction.
const std::string driven = R"({
  "dt": 0.01, "time": 0.6,
  "bodies": [
    {"name": "cart", "type": "rigid", "box": [0.2, 0.1, 0.1]},
    {"name": "load", "type": "rigid", "box": [0.1, 0.1, 0.1], "position": [0, -0.4, 0]},
    {"name": "rod", "type": "rigid", "box": [0.4, 0.05, 0.05], "position": [0.2, 0, 1]}
  ],
  "joints": [{"type": "slider", "name": "rail", "a": "cart", "at": [0, 0, 0], "axis": [1, 0, 0],
              "limits": [-0.1, 0.3], "friction": 2, "motor": {"speed": 1, "max_force": 60}},
             {"type": "distance", "name": "rope", "a": {"body": "cart", "point": [0, 0, 0]},
              "b": {"body": "load", "point": [0, 0, 0]}, "length": 0.45, "rope": true},
             {"type": "hinge", "name": "pivot", "a": "rod", "at": [0, 0, 1], "axis": [0, 0, 1],
              "limits": [-1, 1], "friction": 0.05}]
})";

// m: where a body is that the motor of its joint with the world has driven, its vertex of least x.
double lowest_x(const Run& run, int frame, const RecordedBody& body)
{
  const std::vector<Vector3d> x = Recording::open(run.out()).vertices(frame);
  double least = std::numeric_limits<double>::infinity();
  for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count; ++v)
    least = std::min(least, x[static_cast<std::size_t>(v)].x());
  return least;
}

}  // namespace

TEST_CASE("a joint that is open by a micrometre is found")
{
  const Run run(two_links);
  const Result good = run.verify();
  CAPTURE(good.err);
  CHECK(good.code == done);
  CHECK(contains(good.out, "2, open by at most"));
  const int k = 20;
  const RecordedBody lower = Recording::open(run.out()).header().bodies[1];
  for (int vertex = 0; vertex < lower.vertex_count; ++vertex)  // all of the link, by 1 um along x
    tamper_number(run.recording(), frame_path(k) + "/vertices",
                  static_cast<std::size_t>(3 * (lower.first_vertex + vertex)),
                  [](double x) { return x + 1e-6; });
  const Result bad = run.verify();
  CHECK(bad.code == 3);
  CHECK(contains(bad.err,
                 "frame 20: joint \"elbow\" of \"upper\" with \"lower\" is open by 1e-06 m"));
}

TEST_CASE("recordings of driven joints are sound, and a range that is passed is found")
{
  const Run run(driven);
  const Result good = run.verify();
  CAPTURE(good.err);
  CHECK(good.code == done);
  const int k = 55;  // the cart has come to its end
  const std::vector<RecordedReaction> joints = Recording::open(run.out()).frame(k).joints;
  CHECK(joints[0].limit < 0.0);
  CHECK(joints[0].motor == doctest::Approx(60.0 * 0.01));
  CHECK(joints[1].limit < 0.0);
  const RecordedBody cart = Recording::open(run.out()).header().bodies[0];
  CHECK(lowest_x(run, k, cart) == doctest::Approx(0.3 - 0.1).epsilon(1e-6));
  for (int vertex = 0; vertex < cart.vertex_count; ++vertex)  // by 1 um on along its rail
    tamper_number(run.recording(), frame_path(k) + "/vertices",
                  static_cast<std::size_t>(3 * (cart.first_vertex + vertex)),
                  [](double x) { return x + 1e-6; });
  const Result bad = run.verify();
  CAPTURE(bad.err);
  CHECK(bad.code == 3);
  CHECK(
      contains(bad.err, "frame 55: joint \"rail\" of the world with \"cart\" is open by 1e-06 m"));
}

TEST_CASE("a run with driven joints that is stopped and resumed ends with the same bits")
{
  const TemporaryFolder folder;
  const fs::path scene = folder.file("scene.json", driven);
  const auto run_to = [&](const char* name, const char* steps, bool resume) {
    std::vector<std::string> words{"run",     scene.string(), "-o", (folder.path() / name).string(),
                                   "--steps", steps};
    if (resume) words.emplace_back("--resume");
    REQUIRE(in_process(words).code == done);
  };
  run_to("whole", "60", false);
  for (const char* stop : {"7", "31", "50"}) {
    run_to(stop, stop, false);
    run_to(stop, "60", true);
    const Frame a = Recording::open(folder.path() / "whole").frame(60),
                b = Recording::open(folder.path() / stop).frame(60);
    CHECK(a.q == b.q);
    CHECK(a.v == b.v);
    CHECK(a.joints == b.joints);
  }
}

TEST_CASE("tact check says which solvers leave driven joints to auto")
{
  const TemporaryFolder folder;
  const auto said = [&](const std::string& scene, const std::string& solver) {
    const std::string text = R"({"contact": {"solver": ")" + solver + "\"}," + scene.substr(1);
    return in_process({"check", folder.file("scene.json", text).string()}).out;
  };
  for (const char* solver : {"auto", "lemke-standard", "nsgs", "newton", "prox", "admm"}) {
    CAPTURE(solver);
    CHECK_FALSE(contains(said(driven, solver), "does not take"));
  }
  CHECK(contains(said(driven, "lemke-cone"),
                 "lemke-cone does not take: islands with the joint \"rail\", which has a range"));
  CHECK(contains(said(two_links, "nested"), "nested does not take: islands with the joint"));
  CHECK_FALSE(contains(said(two_links, "lemke-cone"), "does not take"));
}
