// Soft solids in contact: closed forms of linear elasticity.
#include <algorithm>
#include <numbers>

#include <doctest/doctest.h>

#include <laws/law_worlds.hpp>
#include <tact/bodies/soft_solid.hpp>
#include <tact/core/random.hpp>
#include <tact/geometry/tet_shapes.hpp>

using namespace tact;
using namespace tact::test;

namespace {

// Distances from 0 that start `fine` apart and grow by `growth` once they have passed `evenly`.
std::vector<double> graded(double fine, double evenly, double growth, double end)
{
  std::vector<double> at = {0.0};
  double step = fine;
  while (at.back() < end) {
    if (at.back() >= evenly) step *= growth;
    at.push_back(at.back() + step);
  }
  const double scale = end / at.back();
  for (double& x : at)
    x *= x > evenly ? scale + (1.0 - scale) * (end / scale - x) / (end / scale - evenly) : 1.0;
  return at;
}

// The lower part of a ball of radius R whose lowest point is the origin, up to the height of its
// centre, with elements that are smallest where it is pressed.
TetMesh ball_cap(double R, double cap_radius, double fine, double evenly)
{
  const std::vector<double> radii = graded(fine, evenly, 1.6, cap_radius);
  const std::vector<double> heights = graded(fine, 0.4 * evenly, 1.6, R);
  const int rings = static_cast<int>(radii.size()) - 1;
  const int layers = static_cast<int>(heights.size()) - 1;
  TetMesh mesh = make_tet_cylinder(rings, layers, rings, layers);
  for (Vector3d& x : mesh.positions) {
    const double ring = std::hypot(x.x(), x.z());
    const double r = radii[static_cast<std::size_t>(std::lround(ring))];
    const double h = heights[static_cast<std::size_t>(std::lround(x.y() + 0.5 * layers))];
    const double skin = R - std::sqrt(R * R - r * r);
    const double stretch = ring > 0.0 ? r / ring : 0.0;
    x = {x.x() * stretch, skin + h * (R - skin) / R, x.z() * stretch};
  }
  return mesh;
}

void pin_to_world(WorldBuilder& builder, int body, const TriMesh& surface, double above)
{
  for (int i = 0; i < surface.vertex_count(); ++i)
    if (surface.positions[i].y() > above)
      builder.add(Pin{{.body = body, .point = {.vertex = i, .local = {}}},
                      {.body = -1, .point = {}, .place = surface.positions[i]}});
}

TriMesh skin_of(const TetMesh& mesh)
{
  return compact(mesh.positions, boundary_faces(mesh)).mesh;
}

// A slab that moves by `way` in the given time, and then stays.
std::unique_ptr<Body> moving_plate(const std::string& name, const Vector3d& centre,
                                   const Vector3d& way, double seconds)
{
  ObstacleOptions options;
  options.surface = make_box({40.0, 1.0, 40.0});
  options.motion = {{.t = 0.0, .position = centre}, {.t = seconds, .position = centre + way}};
  return make_obstacle(name, std::move(options));
}

}  // namespace

TEST_SUITE("slow")
{
  TEST_CASE("Hertz: F = 4/3 E* sqrt(R) d^1.5 within 10 % and a slope of 1.5 within 0.05")
  {
    // Five elements over the contact's radius a of 50 mm. The cap is held ten such radii away,
    // where a half space would still move by 0.42 a / r of d: up to 6 % of stiffness too much, and
    // the mesh does the rest.
    const double R = 0.5, E = 1e6, nu = 0.3, dt = 0.1;  // so long a step is quasi-static
    const double deepest = 0.005;                       // m
    SoftOptions cap;
    cap.mesh = ball_cap(R, 0.35, 0.01, 0.06);
    cap.young = E;
    cap.density = 1.0;  // no inertia to speak of
    cap.poisson = nu;
    const TriMesh skin = skin_of(cap.mesh);
    WorldBuilder builder;
    builder.gravity.setZero();
    builder.law.mu = 0.0;
    const int body = builder.add(make_soft_body("cap", std::move(cap)));
    pin_to_world(builder, body, skin, R - 1e-6);
    const Vector3d touching(-beside, -0.5 - delta, 0.0);
    builder.add(moving_plate("plate", touching, Vector3d(0.0, deepest, 0.0), 2.0 * dt));
    const World world = builder.build();
    StepOptions options = solved_to(1e-7);
    options.contact.method = "anticipation";
    options.contact.rows_per_patch = options.contact.rows_per_pair = 0;
    State state = world.start();
    Stepper stepper(world, options);
    std::array<double, 2> force{};
    for (int k = 0; k < 2; ++k) {
      CHECK(stepper.step(state, dt).report.unconverged == 0);
      force[k] = contact_force(stepper, dt, body).y();
      const double d = 0.5 * deepest * (k + 1);
      const double hertz = 4.0 / 3.0 * E / (1.0 - nu * nu) * std::sqrt(R) * std::pow(d, 1.5);
      CHECK(relative_error(force[k], hertz) < 0.1);  // 366.30 N at 5 mm
    }
    CHECK(std::abs(std::log2(force[1] / force[0]) - 1.5) < 0.05);
  }
}

TEST_CASE("hanging bar: its tip sinks by rho g L^2 / (2 E), to 1 %, on meshes of any kind")
{
  const double length = 1.0, E = 1e6, density = 1000.0;
  for (const int cells : {50, 100})
    for (const double nu : {0.0, 0.3}) {
      CAPTURE(cells);
      CAPTURE(nu);
      SoftOptions bar;
      bar.mesh = make_tet_box({0.02, length, 0.02}, {1, cells, 1});
      bar.young = E;
      bar.poisson = nu;
      bar.density = density;
      const TriMesh skin = skin_of(bar.mesh);
      WorldBuilder builder;
      const int body = builder.add(make_soft_body("bar", std::move(bar)));
      pin_to_world(builder, body, skin, 0.5 * length - 1e-6);
      const World world = builder.build();
      const State state = state_after(world, 20.0, 0.1, by_default());
      double sunk = 0.0;
      int count = 0;
      std::vector<Vector3d> x;
      place_surfaces(world, state, x);
      for (int i = 0; i < skin.vertex_count(); ++i)
        if (skin.positions[i].y() < -0.5 * length + 1e-6) {
          sunk += skin.positions[i].y() - x[i].y();
          ++count;
        }
      CHECK(relative_error(sunk / count, density * g * length * length / (2.0 * E)) < 0.01);
    }
}

TEST_CASE("patch test: a block of any tetrahedra between smooth plates has one stress, to 1e-8")
{
  const double E = 1e6, nu = 0.3, dt = 0.01, strain = 0.02;
  const Vector3d size(0.2, 0.1, 0.15);
  Random random(5);
  for (const bool crooked : {false, true}) {
    CAPTURE(crooked);
    SoftOptions block;
    block.mesh = make_tet_box(size, {4, 3, 3});
    for (Vector3d& x : block.mesh.positions) {
      const Vector3d shift = random.in_cube(0.008);  // of cells 50, 33 and 50 mm wide
      for (int k = 0; k < 3 && crooked; ++k)
        if (std::abs(std::abs(x[k]) - 0.5 * size[k]) > 1e-9) x[k] += shift[k];
      x += Vector3d(beside, 0.5 * size.y() + delta, 0.0);
    }
    block.young = E;
    block.poisson = nu;
    block.mass_damping = 20.0;  // nothing else would end a drift without friction
    const TriMesh skin = skin_of(block.mesh);
    WorldBuilder builder;
    builder.gravity.setZero();
    builder.law.mu = 0.0;
    const int body = builder.add(make_soft_body("block", std::move(block)));
    const Vector3d touching(0.0, size.y() + 2.0 * delta + 0.5, 0.0);
    const Vector3d way(0.0, -strain * size.y(), 0.0);
    const int top = builder.add(moving_plate("top", touching, way, 0.5));
    const int ground = builder.add(flat_ground());
    const World world = builder.build();
    State state = world.start();
    Stepper stepper(world, solved_to(1e-11));
    run(state, stepper, 2.0, dt, [](const StepReport&) {});

    const double force = E * strain * size.x() * size.z();  // 600 N
    CHECK(relative_error(contact_force(stepper, dt, body, ground).y(), force) < 1e-8);
    CHECK(relative_error(contact_force(stepper, dt, body, top).y(), -force) < 1e-8);
    const Vector3d stretch(nu * strain, -strain, nu * strain);
    std::vector<Vector3d> x;
    place_surfaces(world, state, x);
    double worst = 0.0;  // of how far two vertices moved apart
    for (int i = 0; i < skin.vertex_count(); ++i) {
      const Vector3d apart = skin.positions[i] - skin.positions[0];
      worst = std::max(worst, (x[i] - x[0] - apart - stretch.cwiseProduct(apart)).norm());
    }
    CHECK(worst < 1e-8 * strain * size.y());
  }
}

TEST_CASE("critical angle of an elastic block: atan(mu) to 0.2 degrees, h = 5 ms")
{
  for (const double mu : {0.2, 0.5})
    for (const double off : {-0.2, 0.2}) {  // degrees
      CAPTURE(mu);
      CAPTURE(off);
      const double angle = std::atan(mu) + radians(off);
      SoftOptions block;
      block.mesh = make_tet_box({0.2, 0.05, 0.2}, {4, 1, 4});
      for (Vector3d& x : block.mesh.positions) x += Vector3d(beside, 0.025 + delta, 0.0);
      block.young = 1e6;
      WorldBuilder builder;
      builder.gravity = tilted_gravity(angle);
      builder.law.mu = mu;
      builder.add(make_soft_body("block", std::move(block)));
      builder.add(flat_ground());
      const World world = builder.build();
      State state = world.start();
      Stepper stepper(world, solved_to(1e-6));
      const auto velocity = [&]() -> Vector3d {
        return momentum(world, state).linear / world.body(0).mass();
      };
      run(state, stepper, 1.0, 0.005, [](const StepReport&) {});
      const double first = velocity().x();
      run(state, stepper, 1.0, 0.005, [](const StepReport&) {});
      const double gained = velocity().x() - first;
      if (off < 0.0) {
        CHECK(std::abs(velocity().x()) < 1e-5);
      } else {
        CHECK(relative_error(gained, g * (std::sin(angle) - mu * std::cos(angle))) < 0.05);
      }
    }
}
