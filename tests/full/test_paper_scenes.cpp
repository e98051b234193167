// Scenes of the papers.
#include <algorithm>

#include <doctest/doctest.h>

#include "full_run.hpp"

using namespace tact;
using namespace tact::test;

namespace {

// m: the height below which all bodies of a kind lie.
double top_of(const FullRun& run, const Frame& frame, BodyKind kind)
{
  double top = 0.0;
  for (int i = 0; i < run.scene.world.body_count(); ++i) {
    if (run.scene.world.body(i).kind() != kind) continue;
    for (const Vector3d& p : run.vertices(frame, i)) top = std::max(top, p.y());
  }
  return top;
}

}  // namespace

TEST_SUITE("full")
{
  // [Otaduy09] fig. 5
  TEST_CASE("falling-cloth: lays itself in folds, at any friction, and lies still in the end")
  {
    for (const std::string mu : {"0", "0.5", "0.8"}) {
      CAPTURE(mu);
      const FullRun run = full_run("falling-cloth-" + mu, "falling-cloth", {"/mu=" + mu});
      const Frame early = run.at(1.0), end = run.last();
      // Half of it stands when the rest lies in folds; in the end all of it does.
      CHECK(top_of(run, early, BodyKind::cloth) > 0.15);
      CHECK(top_of(run, end, BodyKind::cloth) < 0.5 * top_of(run, early, BodyKind::cloth));
      CHECK(run.report.totals.contacts_max > 1000);
      if (mu != "0") CHECK(run.speed(end) < 5e-3);
    }
  }

  // [Otaduy09] fig. 1
  TEST_CASE("dress: six layers lie on each other all the time and follow the dancer")
  {
    const FullRun run = full_run("dress", "dress", {}, 10);
    const RunTotals& totals = run.report.totals;
    CHECK(totals.contacts / totals.account.steps > 5000);
    const int mannequin = run.body("mannequin");
    for (const double t : {1.0, 3.5, 4.5, 7.0, 10.0}) {
      CAPTURE(t);
      const Frame frame = run.at(t);
      const std::vector<Vector3d> dancer = run.vertices(frame, mannequin);
      Vector3d middle = Vector3d::Zero();
      for (const Vector3d& p : dancer) middle += p / double(dancer.size());
      for (const char* name : {"bodice", "layer-0", "layer-5"})
        CHECK((run.centre(frame, run.body(name)) - middle).norm() < 0.4);
    }
  }

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
    const double lifted = top_of(run, end, BodyKind::soft) / top_of(run, rest, BodyKind::soft);
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

  // [Otaduy09] fig. 4
  TEST_CASE("unified: rigid bodies, soft solids and cloth come to rest in one pile")
  {
    const FullRun run = full_run("unified", "unified", {}, 2);
    CHECK(run.report.totals.account.island_contacts_max > 500);
    CHECK(run.speed(run.last()) < 0.02);
    CHECK(top_of(run, run.last(), BodyKind::rigid) < 0.4);  // m; the last starts at 0.55
  }

  // [Miguel11] fig. 5
  TEST_CASE("bunny: the cloth knocks it over")
  {
    const FullRun run = full_run("bunny", "bunny");
    int bunny = 0;
    while (run.scene.world.body(bunny).kind() != BodyKind::rigid) ++bunny;
    const Frame start = run.at(0.0), end = run.last();
    const std::vector<Vector3d> before = run.vertices(start, bunny),
                                after = run.vertices(end, bunny);
    std::size_t top = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
      if (before[i].y() > before[top].y()) top = i;
    const Vector3d up = (before[top] - run.centre(start, bunny)).normalized();
    const Vector3d now = (after[top] - run.centre(end, bunny)).normalized();
    CHECK(up.dot(now) < 0.5);  // by more than 60 degrees
  }

  // [Miguel11] fig. 1
  TEST_CASE("three-situations: every stack stands and comes to rest")
  {
    const FullRun run = full_run("three-situations", "three-situations");
    const Frame start = run.at(0.0), end = run.last();
    CHECK(run.speed(end) < 0.01);
    for (int i = 0; i < run.scene.world.body_count(); ++i) {
      if (run.scene.world.body(i).node_count() == 0) continue;
      CAPTURE(run.scene.world.body(i).name());
      CHECK((run.centre(end, i) - run.centre(start, i)).norm() < 0.05);  // m: half of a box
    }
  }
}
