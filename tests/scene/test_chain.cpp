#include <doctest/doctest.h>

#include <scene/stepped_scene.hpp>

using namespace tact;
using namespace tact::test;

// Links that fold against each other next to their pins have almost no lever to part by: rows that
// speak of another pose than the pins do make them a catapult.
TEST_CASE("a chain whose links fold and touch swings on without gaining energy")
{
  for (const std::string dt : {"0.003", "0.005", "0.008"}) {
    CAPTURE(dt);
    SteppedScene run("chain", {"/dt=" + dt, "/time=3"});
    double before = run.energy(), gain = 0.0, largest = 0.0;
    run.run([&] {
      gain = std::max(gain, run.energy() - before);
      before = run.energy();
      largest = std::max(largest, kinetic_energy(run.scene.world, run.scene.state));
    });
    CHECK(run.aborted == "");
    CHECK(run.cut_steps == 0);
    CHECK(largest > 0.5);  // J: it does swing
    CHECK(gain < 0.02 * largest);
  }
}
