// A box that falls on the ground and stays: prints where it ends.
#include <cstdio>

#include <tact/geometry/shapes.hpp>
#include <tact/tact.hpp>

int main()
{
  tact::WorldBuilder builder;
  builder.gravity = {0.0, -9.81, 0.0};  // m/s^2

  tact::RigidOptions box;
  box.surface = tact::make_box({0.2, 0.1, 0.2});          // m
  box.mass = tact::mass_properties(box.surface, 1000.0);  // kg/m^3
  box.position = {0.0, 0.3, 0.0};
  const int number = builder.add(tact::make_rigid_body("box", std::move(box)));
  tact::ObstacleOptions ground;
  ground.surface = tact::make_box({2.0, 1.0, 2.0});
  for (tact::Vector3d& x : ground.surface.positions) x.y() -= 0.5;
  builder.add(tact::make_obstacle("ground", std::move(ground)));

  const tact::World world = builder.build();
  tact::State state = world.start();
  tact::Stepper stepper(world, {});
  int contacts = 0;
  while (state.t < 1.0) contacts = static_cast<int>(stepper.step(state, 0.005).contacts.size());
  const double height = world.body(number).centre_of_mass(world.q(state, number)).y();
  std::printf("after %.2f s the centre is %.3f m high, on %d contacts\n", state.t, height,
              contacts);
  return 0;
}
