// The accounts of momentum and energy, on states made by hand with losses of known size, and on
// steps of which mathematics tells that nothing is lost.
#include <doctest/doctest.h>
#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include <tact/sim/stepper.hpp>

#include "worlds.hpp"

using namespace tact;
using namespace tact::test;

namespace {

constexpr double balance_dt = 0.01;

std::unique_ptr<Body> moving_box(const std::string& name, const Vector3d& position,
                                 const Vector3d& velocity, const Vector3d& spin = Vector3d::Zero(),
                                 const Vector3d& force = Vector3d::Zero())
{
  RigidOptions options;
  options.surface = make_box({0.1, 0.2, 0.3});
  options.mass = mass_properties(options.surface, 1000.0);
  options.position = position;
  options.velocity = velocity;
  options.angular_velocity = spin;
  options.force = force;
  return make_rigid_body(name, std::move(options));
}

// Slides along x with the given speed from t = 0 on.
std::unique_ptr<Body> sliding_plate(double speed)
{
  ObstacleOptions options;
  options.surface = make_box({4.0, 0.1, 4.0});
  options.motion = {{.t = 0.0, .position = {0.0, -0.06, 0.0}},
                    {.t = 2.0, .position = {2.0 * speed, -0.06, 0.0}}};
  return make_obstacle("plate", std::move(options));
}

// A step without contacts, obeyed to round-off, that a test may then spoil.
struct FreeStep {
  explicit FreeStep(const World& of) : world(of), start(of.start())
  {
    REQUIRE(make_implicit_integrator(world, {})
                ->find_free_motion(start, balance_dt, problem, b)
                .solved);
    solution.v = problem.v_star;
    move();
  }

  void move() { advance(world, start, solution.v, balance_dt, end); }

  CommittedStep committed() const
  {
    return {.start = &start,
            .end = &end,
            .dt = balance_dt,
            .problem = &problem,
            .solution = &solution,
            .b = &b,
            .records = records,
            .x0 = {},
            .x1 = {}};
  }

  MomentumLoss loss() const { return MomentumAccount(world).measure(committed()); }

  const World& world;
  State start, end;
  ContactProblem problem;
  ContactSolution solution;
  VectorXd b;
  std::vector<ContactRecord> records;
};

// Two boxes side by side, far from everything.
World two_boxes()
{
  WorldBuilder builder;
  builder.gravity.setZero();
  builder.add(moving_box("a", {0.0, 0.0, 0.0}, {1.0, 0.5, 0.0}, {0.3, 2.0, -1.0}));
  builder.add(moving_box("b", {0.2, 0.1, 0.0}, {-0.5, 0.0, 1.0}, {0.0, 1.0, 3.0}));
  return builder.build();
}

// A contact between the two bodies of the world with points p_a and p_b (m), and the motion that
// its impulse leads to.
void touch(FreeStep& step, const Vector3d& p_a, const Vector3d& p_b, const Vector3d& impulse)
{
  ContactRecord record{.contact = {}, .body_a = 0, .body_b = 1, .frame = Matrix3d::Identity()};
  ContactRows rows{.first = 0, .count = 4};
  for (const int body : {0, 1}) {
    const int node = step.world.place(body).node;
    const double sign = body == 0 ? 1.0 : -1.0;
    const Vector3d arm = (body == 0 ? p_a : p_b) -
                         step.world.body(body).centre_of_mass(step.world.q(step.start, body));
    Matrix3d cross;
    cross << 0.0, -arm.z(), arm.y(), arm.z(), 0.0, -arm.x(), -arm.y(), arm.x(), 0.0;
    step.problem.blocks.push_back({node, sign * Matrix3d::Identity()});
    step.problem.blocks.push_back({node + 1, -sign * cross});
  }
  step.problem.contacts.push_back(rows);
  step.records.push_back(record);
  step.solution.lambda = impulse;
  const VectorXd given = generalised_impulse(step.problem, step.solution.lambda);
  int first = 0;
  for (const BlockMatrix& A : step.problem.A) {  // rigid bodies: blocks on the diagonal only
    for (int row = 0; row < A.rows(); ++row, first += 3)
      step.solution.v.segment<3>(first) +=
          A.blocks[A.pattern->diagonal_slot(row)].llt().solve(given.segment<3>(first));
  }
  step.move();
}

}  // namespace

TEST_CASE("momentum account: a step that obeys its equations has lost nothing")
{
  WorldBuilder builder;
  builder.add(moving_box("block", {0.0, 3.0, 0.0}, {1.0, 2.0, 3.0}, {5.0, -4.0, 3.0}));
  const int cloth = builder.add(sheet("cloth", 8, 1.0));
  builder.add(jelly("jelly", {2.0, 0.0, 0.0}, 1e5));
  builder.add(Pin{.a = {.body = cloth, .point = {.vertex = 0}}, .b = {.place = {-0.5, 1.0, -0.5}}});
  const World world = builder.build();
  const MomentumLoss loss = FreeStep(world).loss();
  CHECK(loss.share < 1e-13);
  CHECK(loss.islands == 0);
}

TEST_CASE("momentum account: a velocity that is halved behind the solver's back is found exactly")
{
  const World world = two_boxes();
  FreeStep step(world);
  const int node = world.place(1).node;
  const Vector3d v = step.end.v.segment<3>(3 * node);
  SUBCASE("in the state that is committed")
  {
    step.end.v.segment<3>(3 * node) *= 0.5;
  }
  SUBCASE("in the velocities that the step moves with")
  {
    step.solution.v.segment<3>(3 * node) *= 0.5;
    step.move();
  }
  const MomentumLoss loss = step.loss();
  CHECK(loss.linear == doctest::Approx(0.5 * world.body(1).mass() * v.norm()).epsilon(1e-12));
  CHECK(loss.share == doctest::Approx(0.5).epsilon(1e-6));
}

TEST_CASE("momentum account: what one body gives another is no loss, unless points lie apart")
{
  const World world = two_boxes();
  const Vector3d impulse(-0.7, 0.2, 0.4), point(0.11, 0.05, 0.02);
  for (const Vector3d& apart : {Vector3d(0.0, 0.0, 0.0), Vector3d(2e-3, 1e-3, -3e-3)}) {
    CAPTURE(apart.transpose());
    FreeStep step(world);
    touch(step, point + 0.5 * apart, point - 0.5 * apart, impulse);
    const MomentumLoss loss = step.loss();
    CHECK(loss.linear < 1e-14);
    CHECK(loss.angular == doctest::Approx(apart.cross(impulse).norm()).epsilon(1e-9));
    CHECK(loss.islands == 1);
    CHECK(loss.island_contacts == 1);
    const Momentum before = momentum(world, step.start), after = momentum(world, step.end);
    CHECK((after.linear - before.linear).norm() < 1e-13);
    CHECK((after.angular - before.angular).norm() ==
          doctest::Approx(apart.cross(impulse).norm()).epsilon(1e-9));
  }
}

TEST_CASE("momentum account: a place that the velocity does not lead to changes angular momentum")
{
  const World world = two_boxes();
  FreeStep step(world);
  const Vector3d aside(0.0, 0.0, 0.01), p = world.body(0).mass() * step.end.v.head<3>();
  step.end.q.segment<3>(world.place(0).q) += aside;
  const MomentumLoss loss = step.loss();
  CHECK(loss.linear < 1e-14);
  CHECK(loss.angular == doctest::Approx(aside.cross(p).norm()).epsilon(1e-9));
}

TEST_CASE("momentum account: a body at rest on which forces cancel is not lost by round-off")
{
  WorldBuilder builder;
  builder.gravity.setZero();
  builder.add(box("still", {1e3, 2e3, -5e2}));
  const World world = builder.build();
  FreeStep step(world);
  step.solution.v[0] = 1e-20;
  step.move();
  CHECK(step.loss().share < 1e-9);
}

TEST_CASE("momentum account: what flies without a spin does not lose angular momentum by round-off")
{
  WorldBuilder builder;
  builder.gravity.setZero();
  builder.add(moving_box("flies", {7.0, 2.1, -3.0}, {-0.3, -8.7, 0.9}));
  const World world = builder.build();
  FreeStep step(world);
  step.solution.v.segment<3>(3) = Vector3d(1e-17, -2e-17, 1e-17);
  step.move();
  CHECK(step.loss().share < 1e-13);
}

TEST_CASE("energy account: energy planted into a state is found to the joule")
{
  const World world = two_boxes();
  FreeStep step(world);
  EnergyAccount account(world);
  account.begin(step.start, balance_dt, -1);
  const int node = world.place(0).node;
  const Vector3d v = step.end.v.segment<3>(3 * node);
  step.end.v.segment<3>(3 * node) *= 2.0;
  account.add(step.committed());
  const StepEnergy energy = account.finish(step.end);
  // Spins change energy by what the midpoint rule does, (omega dt)^2 of it at most.
  CHECK(energy.gain == doctest::Approx(1.5 * world.body(0).mass() * v.squaredNorm()).epsilon(1e-3));
  CHECK(energy.kinetic == doctest::Approx(kinetic_energy(world, step.end)));
}

TEST_CASE("energy account: what forces, scripts and hands give is no gain")
{
  WorldBuilder builder;
  builder.law.mu = 0.5;
  SUBCASE("a constant force pulls a block along")
  {
    builder.add(moving_box("block", {0.0, 1.0, 0.0}, {0.0, 0.0, 0.0}, {}, {0.0, 0.0, 100.0}));
  }
  SUBCASE("a plate that slides takes a block along")
  {
    builder.add(box("block", {0.0, 0.05, 0.0}));
    builder.add(sliding_plate(0.8));
  }
  SUBCASE("a turntable takes a block along")
  {
    builder.add(box("block", {0.2, 0.11, 0.0}));
    builder.add(turntable("table", 2.0));
  }
  SUBCASE("a plate pulls at a sheet by a pin, and the sheet at a box")
  {
    const int plate = builder.add(sliding_plate(0.5));
    const int cloth = builder.add(sheet("cloth", 6, 0.5));
    builder.add(Pin{.a = {.body = cloth, .point = {.vertex = 0}},
                    .b = {.body = plate, .point = {.local = {-0.5, 0.56, -0.5}}}});
    builder.add(box("block", {0.0, 0.6, 0.0}));
  }
  SUBCASE("the wind blows at a sheet")
  {
    builder.wind = {3.0, 1.0, 0.0};
    ClothOptions options;
    options.surface = make_cloth(1.0, 1.0, 6, 6);
    options.springs = grid_springs(options.surface, 6, 6, {});
    options.drag = 2.0;
    builder.add(make_cloth_body("sail", std::move(options)));
  }
  const World world = builder.build();
  State state = world.start();
  Stepper stepper(world, {.contact = {.solver = {.tolerance = 1e-9}}});
  const double energy = kinetic_energy(world, state);
  double fastest = 0.0;
  for (int k = 0; k < 40; ++k) {
    const StepReport report = stepper.step(state, balance_dt).report;
    CAPTURE(k);
    // J; the bodies here have tenths of a joule and more. Rows that follow a turning table are
    // right to second order in the angle of a step.
    CHECK(report.energy_gain < 1e-4);
    CHECK(report.kinetic_energy == doctest::Approx(kinetic_energy(world, state)));
    CHECK(report.potential_energy == doctest::Approx(potential_energy(world, state)));
    fastest = std::max(fastest, kinetic_energy(world, state) - energy);
  }
  CHECK(fastest > 1e-3);  // else nothing was given
}

TEST_CASE("energy account: a pull gives any energy to what it pulls at")
{
  WorldBuilder builder;
  builder.gravity.setZero();
  builder.add(box("block", {0.0, 0.0, 0.0}));
  const World world = builder.build();
  State state = world.start();
  Stepper stepper(world, {});
  stepper.pull(Spring{.a = {.body = 0, .point = {.vertex = 0}},
                      .b = {.place = {2.0, 0.0, 0.0}},
                      .stiffness = 50.0});
  double gain = 0.0;
  for (int k = 0; k < 20; ++k)
    gain = std::max(gain, stepper.step(state, balance_dt).report.energy_gain);
  CHECK(kinetic_energy(world, state) > 0.1);
  CHECK(gain == 0.0);
}
