// A block on a slope, made and stepped in C++: it stays where tan(angle) <= mu.
//
//   block_on_slope ANGLE MU     degrees, Coulomb coefficient; prints how far it slid in 1 s
#include <cstdlib>
#include <numbers>

#include <fmt/core.h>
#include <Eigen/Geometry>

#include <tact/geometry/shapes.hpp>
#include <tact/tact.hpp>

int main(int argc, char** argv)
{
  if (argc != 3) {
    fmt::print(stderr, "usage: block_on_slope ANGLE MU\n");
    return 2;
  }
  try {
    const double angle = std::atof(argv[1]) * std::numbers::pi / 180.0;
    tact::WorldBuilder builder;
    builder.gravity = 9.81 * tact::Vector3d(std::sin(angle), -std::cos(angle), 0.0);
    builder.law.mu = std::atof(argv[2]);

    tact::RigidOptions block;
    block.surface = tact::make_box({0.2, 0.1, 0.2});
    block.mass = tact::mass_properties(block.surface, 1000.0);  // kg/m^3
    block.position = {0.0, 0.051, 0.0};
    const int number = builder.add(tact::make_rigid_body("block", std::move(block)));
    tact::ObstacleOptions slope;
    slope.surface = tact::make_box({20.0, 1.0, 2.0});
    for (tact::Vector3d& x : slope.surface.positions) x.y() -= 0.5;
    builder.add(tact::make_obstacle("slope", std::move(slope)));

    const tact::World world = builder.build();
    tact::State state = world.start();
    tact::Stepper stepper(world, {});
    double worst = 0.0;
    while (state.t < 1.0) worst = std::max(worst, stepper.step(state, 0.005).residuals.worst());
    const double way = world.body(number).centre_of_mass(world.q(state, number)).x();
    fmt::print("slid by {:.6f} m in {:g} s, residual at most {:.1e} m/s\n", way, state.t, worst);
    return 0;
  } catch (const tact::Error& error) {
    fmt::print(stderr, "block_on_slope: {}\n", error.what());
    return 2;
  }
}
