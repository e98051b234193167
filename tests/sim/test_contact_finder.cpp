// The finder answers from lists that it keeps. What it says is what one finds who looks at
// everything.
#include <doctest/doctest.h>

#include <sim/worlds.hpp>
#include <tact/core/random.hpp>
#include <tact/sim/contact_finder.hpp>

using namespace tact;
using namespace tact::test;

namespace {

// Two sheets one above the other and a box on them, all of whose vertices go their own ways.
struct Crowd {
  World world;
  WorldSurfaces surfaces;
  std::vector<Vector3d> x;
  Random random{7};

  explicit Crowd(WorldBuilder& builder) : world(builder.build()), surfaces(surfaces_of(world))
  {
    place_surfaces(world, world.start(), x);
  }

  // m: each vertex moves as all do, and by up to `most` on its own.
  std::vector<Vector3d> moved(std::span<const Vector3d> from, const Vector3d& all, double most)
  {
    std::vector<Vector3d> to(from.begin(), from.end());
    for (Vector3d& p : to)
      p += all + Vector3d(random.uniform(-most, most), random.uniform(-most, most),
                          random.uniform(-most, most));
    return to;
  }

  std::vector<MovingVertex> motion(std::span<const Vector3d> x0, std::span<const Vector3d> x1) const
  {
    std::vector<MovingVertex> vertices;
    for (std::size_t i = 0; i < x0.size(); ++i) vertices.emplace_back(x0[i], x1[i]);
    return vertices;
  }
};

Crowd make_crowd()
{
  WorldBuilder builder;
  builder.add(sheet("lower", 12, 0.0));
  builder.add(sheet("upper", 13, 0.004));
  builder.add(box("box", {0.0, 0.06, 0.0}));
  return Crowd(builder);
}

bool same(const std::vector<Contact>& a, const std::vector<Contact>& b)
{
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Contact& p, const Contact& q) {
    return p.kind == q.kind && p.a == q.a && p.b == q.b && p.distance == q.distance;
  });
}

bool same(const std::vector<Limit>& a, const std::vector<Limit>& b)
{
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Limit& p, const Limit& q) {
    return p.kind == q.kind && p.a == q.a && p.b == q.b && p.safe.time == q.safe.time;
  });
}

}  // namespace

TEST_CASE(
    "the finder finds what a look at all pairs finds, whether a motion goes as expected or not")
{
  Crowd crowd = make_crowd();
  const SurfaceSet& surfaces = crowd.surfaces.set;
  const double reach = 5e-3, separation = 1e-3;  // m
  ContactFinder finder(surfaces, {.reach = reach});
  std::vector<Vector3d> x0 = crowd.x;
  int close = 0, limits = 0;
  // Surprises: how far vertices end from where they were expected. The first is within every slack,
  // the second beyond that of picked pairs, the last beyond that of the list.
  for (int step = 0; step < 60; ++step) {
    const double surprise = std::array{1e-4, 3e-3, 2e-2}[step % 3];
    const Vector3d drift(1e-3, step % 7 == 0 ? -5e-3 : 0.0, 0.0);
    const std::vector<Vector3d> expected = crowd.moved(x0, drift, 5e-4);
    finder.expect(x0, expected);
    CHECK(same(finder.close(reach), find_close_pairs(surfaces, x0, reach)));
    const std::vector<Vector3d> x1 = crowd.moved(expected, Vector3d::Zero(), surprise);
    const std::vector<MovingVertex> motion = crowd.motion(x0, x1);
    BroadPhase fresh(surfaces);
    const std::vector<Limit> all =
        find_limits(surfaces, motion, fresh.find_pairs(motion, reach), separation);
    CHECK(same(finder.limits(x1, separation), all));
    const std::vector<Contact> at_end = find_close_pairs(surfaces, x1, reach);
    CHECK(same(finder.close_at_end(reach), at_end));
    close += static_cast<int>(at_end.size());
    limits += static_cast<int>(all.size());
    if (surprise < 1e-2) x0 = x1;
  }
  CHECK(close > 1000);
  CHECK(limits > 100);
}

TEST_CASE("few of the pairs that are listed for many steps are picked for one")
{
  Crowd crowd = make_crowd();
  ContactFinder finder(crowd.surfaces.set, {.reach = 1e-3});
  finder.expect(crowd.x, crowd.moved(crowd.x, Vector3d(0.2, 0.0, 0.0), 0.0));
  CHECK(finder.pair_count() > 0);
  CHECK(finder.picked_count() < finder.pair_count() / 2);
}

TEST_CASE("what flies and turns together is looked for once, and the finder misses nothing")
{
  Crowd crowd = make_crowd();
  const SurfaceSet& surfaces = crowd.surfaces.set;
  const double reach = 5e-3, separation = 1e-3;  // m
  for (const double speed : {0.0, 50.0})         // m/s
    for (const double spin : {0.0, 20.0}) {      // rad/s
      CAPTURE(speed);
      CAPTURE(spin);
      ContactFinder finder(surfaces, {.reach = reach});
      const auto placed = [&](int step) {
        const double time = 5e-3 * step;
        const Eigen::AngleAxisd turn(spin * time, Vector3d(2.0, 3.0, 6.0) / 7.0);
        std::vector<Vector3d> x = crowd.x;
        for (Vector3d& p : x) p = turn * p + speed * time * Vector3d(0.6, 0.8, 0.0);
        return x;
      };
      for (int step = 0; step < 20; ++step) {
        const std::vector<Vector3d> x0 = placed(step),
                                    x1 = crowd.moved(placed(step + 1), {0, 0, 0}, 1e-4);
        finder.expect(x0, placed(step + 1));
        CHECK(same(finder.close(reach), find_close_pairs(surfaces, x0, reach)));
        const std::vector<MovingVertex> motion = crowd.motion(x0, x1);
        BroadPhase fresh(surfaces);
        CHECK(same(finder.limits(x1, separation),
                   find_limits(surfaces, motion, fresh.find_pairs(motion, reach), separation)));
      }
      CHECK(finder.looks() == 1);
    }
}

TEST_CASE("a crowd that flies over a ground and comes down on it is followed in every step")
{
  WorldBuilder builder;
  builder.add(sheet("lower", 12, 0.05));
  builder.add(sheet("upper", 13, 0.054));
  builder.add(box("far", {0.0, 5.0, 0.0}));
  Crowd crowd(builder);
  SurfaceSet surfaces = crowd.surfaces.set;
  const TriMesh ground = make_cloth(20.0, 20.0, 21, 21);
  surfaces.add(ground, {.fixed = true});
  const double reach = 5e-3, separation = 1e-3;  // m
  ContactFinder finder(surfaces, {.reach = reach});
  const auto placed = [&](int step) {
    std::vector<Vector3d> x = crowd.x;
    for (Vector3d& p : x) p += 0.25 * step * Vector3d(1.0, -0.01, 0.0);  // 50 m/s, and sinks
    x.insert(x.end(), ground.positions.begin(), ground.positions.end());
    return x;
  };
  int limits = 0;
  for (int step = 0; step < 20; ++step) {
    const std::vector<Vector3d> x0 = placed(step), x1 = placed(step + 1);
    finder.expect(x0, x1);
    CHECK(same(finder.close(reach), find_close_pairs(surfaces, x0, reach)));
    const std::vector<MovingVertex> motion = crowd.motion(x0, x1);
    BroadPhase fresh(surfaces);
    const std::vector<Limit> all =
        find_limits(surfaces, motion, fresh.find_pairs(motion, reach), separation);
    CHECK(same(finder.limits(x1, separation), all));
    limits += static_cast<int>(all.size());
  }
  CHECK(limits > 0);
}
