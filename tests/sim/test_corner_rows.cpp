// Which contacts become groups of sides, and which sides of them may push.
#include <doctest/doctest.h>

#include <sim/worlds.hpp>
#include <tact/core/error.hpp>
#include <tact/sim/corner_rows.hpp>
#include <tact/sim/stepper.hpp>

using namespace tact;
using namespace tact::test;

namespace {

constexpr double corner_delta = 1e-3;  // m
constexpr double corner_dt = 0.01;     // s

std::unique_ptr<Body> fixed_box(const std::string& name, const Vector3d& size)
{
  ObstacleOptions options;
  options.surface = make_box(size);
  return make_obstacle(name, std::move(options));
}

// A world, the motion of its vertices, and the rows of all contacts that are near at its start.
struct Corners {
  World world;
  WorldSurfaces surfaces;
  State state;
  std::vector<Vector3d> x0, x1;
  ContactProblem problem;
  std::vector<ContactRecord> records;
  int plain = 0;  // contacts that a plain row is called for

  Corners(WorldBuilder& builder, int moving, const Vector3d& velocity)
      : world(builder.build()), surfaces(surfaces_of(world)), state(world.start())
  {
    place_surfaces(world, state, x0);
    x1 = x0;
    for (std::size_t v = 0; v < x1.size(); ++v)
      if (surfaces.body_of[v] == moving) x1[v] += corner_dt * velocity;
    problem.v_star = state.v;
    ContactRowBuilder builder_of_rows(world, surfaces);
    builder_of_rows.begin(
        {.start = &state, .x0 = x0, .x1 = x1, .v_star = &problem.v_star, .dt = corner_dt},
        {.delta = corner_delta});
    CornerRows corners(world, surfaces);
    corners.begin(x0, x1, corner_delta);
    for (const Contact& contact : find_close_pairs(surfaces.set, x0, 1.5 * corner_delta)) {
      const auto answer = corners.append(keyed(contact), {builder_of_rows, problem, records});
      if (answer == CornerRows::Answer::no_corner) ++plain;
    }
  }

  const Vector3d& normal(int contact) const { return records[contact].contact.normal; }
};

// A box of 0.1 m above the top of a fixed one of 1 m, `inside` m before its edge x = 0.5.
Corners box_at_edge(double inside, const Vector3d& velocity)
{
  WorldBuilder builder;
  builder.add(fixed_box("block", {1.0, 1.0, 1.0}));
  const int moving = builder.add(box("box", {0.45 - inside, 0.55 + corner_delta, 0.0}));
  return Corners(builder, moving, velocity);
}

}  // namespace

TEST_CASE(
    "a vertex that can get past an edge has the planes of both faces and only the near one pushes")
{
  const Corners made = box_at_edge(0.005, {1.0, 0.0, 0.0});  // 10 mm in the step
  REQUIRE(made.problem.groups.size() == 2);                  // the two vertices at the front
  for (int g = 0; g < 2; ++g) {
    const auto group = made.problem.groups[g];
    REQUIRE(group.size() == 2);
    CHECK(made.problem.groups.pushing(g) == 1);
    CHECK(made.normal(group[0]).isApprox(Vector3d::UnitY()));
    CHECK(made.normal(group[1]).isApprox(Vector3d::UnitX()));
    // At delta from the top; 5 mm behind the other plane, and delta to keep from it.
    CHECK(made.problem.contacts[group[0]].bias[0] == doctest::Approx(0.0).epsilon(1e-12));
    CHECK(made.problem.contacts[group[1]].bias[0] ==
          doctest::Approx(-(0.005 + corner_delta) / corner_dt));
  }
}

TEST_CASE("vertices that cannot get past an edge in the step have plain contacts")
{
  const Corners resting = box_at_edge(0.0, Vector3d::Zero());  // flush with the edge
  CHECK(resting.problem.groups.empty());
  CHECK(resting.plain > 0);
  const Corners away = box_at_edge(0.02, {1.0, 0.0, 0.0});  // 10 mm of motion, 20 mm to go
  CHECK(away.problem.groups.empty());
}

TEST_CASE("a vertex at a corner has three sides and each body's vertices see the other's corners")
{
  // Two cubes vertex to vertex along the diagonal.
  const double apart = 0.1 + 0.9 * corner_delta / std::sqrt(3.0);
  WorldBuilder builder;
  builder.add(box("a", Vector3d::Zero()));
  const int b = builder.add(box("b", Vector3d::Constant(apart)));
  const Corners made(builder, b, Vector3d::Constant(-1.0));
  REQUIRE(made.problem.groups.size() == 2);
  for (int g = 0; g < 2; ++g) {
    CHECK(made.problem.groups[g].size() == 3);
    CHECK(made.problem.groups.pushing(g) == 3);  // 0.52 delta in front of each
  }
  const ContactRecord& first = made.records[made.problem.groups[0][0]];
  const ContactRecord& second = made.records[made.problem.groups[1][0]];
  CHECK(first.body_a == second.body_b);
  CHECK(first.body_b == second.body_a);
}

TEST_CASE("cloth sees the edges of a block and a block none of cloth")
{
  WorldBuilder builder;
  builder.add(fixed_box("block", {1.0, 1.0, 1.0}));
  const int cloth = builder.add(sheet("cloth", 12, 0.5 + corner_delta));  // flush with the top
  const Corners made(builder, cloth, {0.5, 0.0, 0.0});
  CHECK(made.problem.groups.size() >= 12);  // the column at the edge x = 0.5
  for (int g = 0; g < made.problem.groups.size(); ++g)
    for (const int side : made.problem.groups[g]) CHECK(made.records[side].body_a == cloth);
}

TEST_CASE("where no corner is near all values of nonconvex give the same bits")
{
  const auto hash = [](std::optional<NonconvexMethod> nonconvex) {
    WorldBuilder builder;
    builder.add(fixed_box("ground", {2.0, 0.2, 2.0}));
    builder.add(box("box", {0.0, 0.17, 0.0}));
    const World world = builder.build();
    StepOptions options;
    options.contact.delta = corner_delta;
    options.contact.nonconvex = nonconvex;
    State state = world.start();
    Stepper stepper(world, options);
    int groups = 0;
    for (int k = 0; k < 30; ++k) groups += stepper.step(state, corner_dt).report.groups;
    CHECK(groups == 0);
    return state_hash(state);
  };
  const std::string unset = hash({});
  CHECK(hash(NonconvexMethod::selection) == unset);
  CHECK(hash(NonconvexMethod::max_form) == unset);
  CHECK(hash(NonconvexMethod::sum_form) == unset);
}
