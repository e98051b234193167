// Scenes that no paper has.
#include <doctest/doctest.h>

#include "full_run.hpp"

using namespace tact;
using namespace tact::test;

TEST_SUITE("full")
{
  TEST_CASE("pinch-lift: the sheet goes up with the pads, hangs still, and falls when they open")
  {
    const FullRun run = full_run("pinch-lift", "pinch-lift");
    const int cloth = run.body("cloth"), pad = run.body("pad-front");
    const Frame start = run.at(0.4), held = run.at(2.4), end = run.last();
    const double lift = run.centre(held, pad).y() - run.centre(start, pad).y();
    CHECK(lift > 0.1);  // m
    // The sheet's part between the pads has gone as far as they have; its middle swings a little.
    CHECK(run.centre(held, cloth).y() - run.centre(start, cloth).y() ==
          doctest::Approx(lift).epsilon(0.1));
    CHECK(run.centre(end, cloth).y() < run.centre(held, cloth).y() - 0.5 * lift);
  }

  TEST_CASE("mass-ratio: a top box 1,000 times heavier sinks nowhere and nothing slides")
  {
    const FullRun run = full_run("mass-ratio", "mass-ratio");
    const Frame start = run.at(0.0), end = run.last();
    for (int i = 0; i < run.scene.world.body_count(); ++i) {
      if (run.scene.world.body(i).node_count() == 0) continue;
      CAPTURE(i);
      CHECK((run.centre(end, i) - run.centre(start, i)).norm() < 1e-6);
    }
    CHECK(run.speed(end) < 1e-8);
  }

  TEST_CASE("block-on-slope: slides at a = g (sin - mu cos) beyond the critical angle, else stays")
  {
    for (const double angle : {10.0, 25.0, 35.0}) {
      CAPTURE(angle);
      const std::string degrees = std::to_string(static_cast<int>(angle));
      const FullRun run =
          full_run("block-on-slope-" + degrees, "block-on-slope", {"/angle=" + degrees, "/mu=0.5"});
      const double a = angle * 3.14159265358979 / 180.0;
      const double expected =
          std::max(0.0, 9.81 * (std::sin(a) - 0.5 * std::cos(a)) * run.seconds());
      CHECK(std::abs(run.velocity(run.last(), run.body("block")).norm() - expected) < 1e-6);
    }
  }
}
