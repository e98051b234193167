// Scenes of the papers.
#include <algorithm>

#include <doctest/doctest.h>

#include "full_run.hpp"

using namespace tact;
using namespace tact::test;

namespace {

// m: the height below which all surfaces of letters lie.
double top_of_letters(const FullRun& run, const Frame& frame)
{
  double top = 0.0;
  for (int i = 0; i < run.scene.world.body_count(); ++i) {
    if (run.scene.world.body(i).kind() != BodyKind::soft) continue;
    for (const Vector3d& p : run.vertices(frame, i)) top = std::max(top, p.y());
  }
  return top;
}

}  // namespace

TEST_SUITE("full")
{
  // [Otaduy09] fig. 7
  TEST_CASE("letters: 164 come to rest in one pile, and walls that come in to half lift it")
  {
    const FullRun run = full_run("letters", "letters", {}, 5);
    const Frame rest = run.at(19.0), end = run.last();
    CHECK(run.speed(rest) < 1e-3);
    CHECK(run.speed(end) < 1e-2);
    // All that lie in the box hang together; those on the ground alone are islands of their own.
    CHECK(run.report.totals.account.islands_max < 20);
    CHECK(run.report.totals.account.island_contacts_max > 4000);
    const double lifted = top_of_letters(run, end) / top_of_letters(run, rest);
    CHECK(lifted > 1.15);
    CHECK(lifted < 2.0);
    // Nobody left the box.
    const Frame frame = end;
    for (int i = 0; i < run.scene.world.body_count(); ++i) {
      if (run.scene.world.body(i).kind() != BodyKind::soft) continue;
      CAPTURE(run.scene.world.body(i).name());
      CHECK(std::abs(run.centre(frame, i).x()) < 0.12);
      CHECK(std::abs(run.centre(frame, i).z()) < 0.2);
    }
  }
}
