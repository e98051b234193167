#include <string>

#include <doctest/doctest.h>

#include <tact/recording/recording.hpp>

#include <files/messages.hpp>

#include "run_program.hpp"
#include "tampered_recording.hpp"
#include "verified_run.hpp"

using namespace tact;
using namespace tact::cli;

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
