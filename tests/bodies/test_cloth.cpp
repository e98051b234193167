// What a cloth promises step by step; the physics is in test_cloth_laws.cpp.
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <doctest/doctest.h>

#include <tact/bodies/cloth.hpp>
#include <tact/core/error.hpp>
#include <tact/core/random.hpp>
#include <tact/geometry/shapes.hpp>

#include <threads.hpp>
#include "body_contract.hpp"
#include "one_body.hpp"

using namespace tact;

namespace {

constexpr ClothStiffness stiffness{.stretch = 100.0, .shear = 40.0, .bend = 3.0};

ClothOptions square(int n = 5)
{
  ClothOptions options;
  options.surface = make_cloth(1.0, 1.0, n, n);
  options.springs = grid_springs(options.surface, n, n, stiffness);
  return options;
}

ClothOptions balloon()
{
  ClothOptions options;
  options.surface = make_icosphere(0.5, 1);
  options.springs = surface_springs(options.surface, stiffness);
  return options;
}

// Two triangles joined by one spring from vertex 0 to vertex 3.
ClothOptions one_spring(double length, double rest_length)
{
  ClothOptions options;
  options.surface.positions = {{0, 0, 0},      {1, 0, 0}, {0, 0, 1},
                               {0, length, 0}, {1, 1, 0}, {0, 1, 1}};
  options.surface.triangles = {{0, 1, 2}, {3, 4, 5}};
  options.springs = {{0, 3, 50.0, rest_length}};
  return options;
}

VectorXd shaken(const VectorXd& q, double scale, double noise)
{
  Random random(5);
  VectorXd result = scale * q;
  for (double& x : result) x += random.uniform(-noise, noise);
  return result;
}

VectorXd random_velocity(Eigen::Index size)
{
  return shaken(VectorXd::Zero(size), 1.0, 2.0);
}

std::string cloth_complaint(const ClothOptions& options)
{
  try {
    make_cloth_body("flag", options);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("a cloth of a grid keeps the contract of bodies")
{
  const VectorXd q = OneBody(make_cloth_body("flag", square())).start().q;
  check_body_contract({.make = [] { return make_cloth_body("flag", square()); },
                       .exact = {shaken(q, 1.3, 0.03)},  // no spring is compressed
                       .deformed = {shaken(q, 1.0, 0.3), shaken(q, 0.5, 0.01)}});
}

TEST_CASE("a cloth of any surface keeps the contract of bodies")
{
  const VectorXd q = OneBody(make_cloth_body("balloon", balloon())).start().q;
  check_body_contract({.make = [] { return make_cloth_body("balloon", balloon()); },
                       .exact = {shaken(q, 1.3, 0.02)},
                       .deformed = {shaken(q, 0.8, 0.2)}});
}

TEST_CASE("a grid has springs along edges, diagonals and over two edges, at rest as it lies")
{
  const int nx = 7, nz = 4;
  const TriMesh cloth = make_cloth(1.2, 0.6, nx, nz);
  const double a = 1.2 / (nx - 1), b = 0.6 / (nz - 1);
  int stretch = 0, shear = 0, bend = 0;
  for (const ClothSpring& spring : grid_springs(cloth, nx, nz, stiffness)) {
    const Vector3d d = (cloth.positions[spring.b] - cloth.positions[spring.a]).cwiseAbs();
    CHECK(spring.rest_length == doctest::Approx(d.norm()).epsilon(1e-15));
    const int i = static_cast<int>(std::lround(d.x() / a));
    const int k = static_cast<int>(std::lround(d.z() / b));
    if (i + k == 1 && spring.stiffness == stiffness.stretch) ++stretch;
    if (i == 1 && k == 1 && spring.stiffness == stiffness.shear) ++shear;
    if (i * k == 0 && i + k == 2 && spring.stiffness == stiffness.bend) ++bend;
  }
  CHECK(stretch == (nx - 1) * nz + nx * (nz - 1));
  CHECK(shear == 2 * (nx - 1) * (nz - 1));
  CHECK(bend == (nx - 2) * nz + nx * (nz - 2));
  CHECK(grid_springs(cloth, nx, nz, stiffness).size() == std::size_t(stretch + shear + bend));
  CHECK_THROWS_WITH_AS(grid_springs(cloth, 5, 5, stiffness),
                       "grid_springs: found 28 vertices, expected a grid of 5 x 5", Error);
}

TEST_CASE("a surface has a spring an edge and one across each inner edge")
{
  // An icosphere: 3 V - 6 edges, all inner.
  const int edges = 3 * balloon().surface.vertex_count() - 6;
  CHECK(balloon().springs.size() == std::size_t(2 * edges));
  // Two triangles: five edges, one of them inner.
  TriMesh quad;
  quad.positions = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
  quad.triangles = {{0, 2, 1}, {0, 3, 2}};
  const std::vector<ClothSpring> springs = surface_springs(quad, stiffness);
  REQUIRE(springs.size() == 6);
  const auto bend = std::find_if(springs.begin(), springs.end(), [](const ClothSpring& spring) {
    return spring.stiffness == stiffness.bend;
  });
  REQUIRE(bend != springs.end());
  CHECK(std::minmax(bend->a, bend->b) == std::minmax(1, 3));
  CHECK(bend->rest_length == doctest::Approx(std::sqrt(2.0)));
}

TEST_CASE("each vertex has a third of the mass of its triangles")
{
  ClothOptions options = square(2);  // two triangles of 0.5 m^2
  options.springs.clear();
  options.area_density = 0.6;
  const OneBody one(make_cloth_body("flag", options));
  CHECK(one.body().mass() == doctest::Approx(0.6));
  const MatrixXd M = one.linearise({.dt = 0.0}, one.start()).A;
  VectorXd expected = VectorXd::Zero(12);
  for (const Triangle& triangle : options.surface.triangles)
    for (const int corner : triangle) expected.segment<3>(3 * corner).array() += 0.1;
  CHECK((M - MatrixXd(expected.asDiagonal())).norm() < 1e-15);
  CHECK(one.body().centre_of_mass(one.start().q).norm() < 1e-15);
}

TEST_CASE("a compressed spring stiffens A along itself only")
{
  const double dt = 0.1, k = 50.0, c = 1e-3 * k;
  const OneBody one(make_cloth_body("flag", one_spring(0.8, 1.0)));
  const BodyState start = one.start();
  const MatrixXd A = one.linearise({.dt = dt}, start).A, M = one.linearise({}, start).A;
  const Matrix3d block = (A - M).block<3, 3>(0, 0);
  const Vector3d along(0.0, dt * (c + dt * k), 0.0);
  CHECK((block - Matrix3d(along.asDiagonal())).norm() < 1e-14);
  CHECK((A.block<3, 3>(0, 9) + block).norm() < 1e-14);
}

TEST_CASE("springs never make A softer than the mass")
{
  const OneBody one(make_cloth_body("flag", square()));
  const BodyState start = one.start();
  for (const double scale : {0.0, 0.3, 0.9, 1.0, 1.5}) {
    const BodyState state{shaken(start.q, scale, 0.05), start.v};
    const MatrixXd added = one.linearise({.dt = 0.05}, state).A - one.linearise({}, state).A;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> spectrum(added, Eigen::EigenvaluesOnly);
    CHECK(spectrum.eigenvalues()[0] >= -1e-13 * added.norm());
  }
}

TEST_CASE("a spring of no length resists alike in all directions")
{
  const double dt = 0.1, k = 50.0, c = 1e-3 * k;
  for (const double rest_length : {0.0, 0.3}) {
    for (const double length : {0.0, 1e-200}) {
      const OneBody one(make_cloth_body("flag", one_spring(length, rest_length)));
      BodyState state = one.start();
      state.v = random_velocity(state.v.size());
      const DenseStep step = one.linearise({.dt = dt}, state);
      const MatrixXd M = one.linearise({}, state).A;
      const Matrix3d expected = dt * (c + dt * k) * Matrix3d::Identity();
      CHECK(((step.A - M).block<3, 3>(0, 0) - expected).norm() < 1e-14);
      CHECK((step.b - M * state.v).norm() < 1e-15);
      const Vector3d closing = state.v.segment<3>(9) - state.v.segment<3>(0);
      CHECK((one.forces({}, state).head<3>() - c * closing).norm() < 1e-14);
    }
  }
}

TEST_CASE("spring damping turns nothing: forces at both ends lie on one line")
{
  const OneBody one(make_cloth_body("flag", square()));
  BodyState state = one.start();
  state.q = shaken(state.q, 1.0, 0.2);
  state.v = random_velocity(state.v.size());
  const VectorXd f = one.forces({}, state);
  Vector3d turn = Vector3d::Zero();
  for (int i = 0; i < one.body().node_count(); ++i)
    turn += Vector3d(state.q.segment<3>(3 * i)).cross(Vector3d(f.segment<3>(3 * i)));
  CHECK(turn.norm() <= 1e-14 * f.lpNorm<1>());
}

TEST_CASE("mass damping and drag stand in A and b as the derivative of the force")
{
  ClothOptions options = square();
  options.mass_damping = 0.7;
  options.drag = 0.05;
  options.force = {0.1, 0.2, 0.3};
  const OneBody one(make_cloth_body("flag", options));
  BodyState state = one.start();
  state.v = random_velocity(state.v.size());
  const StepInput input{.dt = 0.02, .gravity = {0.0, -9.81, 0.0}, .wind = {3.0, 0.0, 1.0}};
  ClothOptions plain = square();
  const OneBody undamped(make_cloth_body("flag", plain));
  const MatrixXd M = one.linearise({}, state).A;
  const DenseStep step = one.linearise(input, state);
  const MatrixXd springs = undamped.linearise(input, state).A - M;
  // Air pulls each vertex with drag x area = drag x mass / density.
  const MatrixXd expected =
      (1.0 + input.dt * (options.mass_damping + options.drag / options.area_density)) * M;
  CHECK((step.A - springs - expected).norm() <= 1e-14 * step.A.norm());
  const VectorXd still = VectorXd::Zero(state.v.size());
  const VectorXd steady = one.forces(input, {state.q, still});
  CHECK((step.b - M * state.v - input.dt * steady).norm() <= 1e-14 * step.b.norm());
}

TEST_CASE("a cloth gives the same bits for any number of threads")
{
  const int n = 60;  // 3,600 vertices: many tasks
  const auto body = make_cloth_body("flag", square(n));
  std::vector<std::array<int, 2>> couples;
  body->add_couples(0, couples);
  const auto pattern = std::make_shared<const BlockPattern>(n * n, couples);
  body->bind(*pattern, 0);
  VectorXd q(3 * n * n), v(3 * n * n);
  body->start(q, v);
  q = shaken(q, 1.0, 0.01);
  v = random_velocity(v.size());
  const StepInput input{.dt = 0.004, .gravity = {0.0, -9.81, 0.0}};

  std::vector<BlockMatrix> A;
  std::vector<VectorXd> b, f;
  for (const int threads : {1, 2, 8}) {
    A.push_back(zero_matrix(pattern));
    b.push_back(VectorXd::Zero(v.size()));
    f.push_back(VectorXd::Zero(v.size()));
    with_threads(threads, [&] {
      body->linearise(input, q, v, nullptr, A.back(), b.back());
      body->forces(input, q, v, nullptr, f.back());
    });
    CHECK(A.back().blocks == A[0].blocks);
    CHECK(b.back() == b[0]);
    CHECK(f.back() == f[0]);
  }
}

TEST_CASE("wrong cloth is turned away with a reason")
{
  CHECK(cloth_complaint(square()) == "none");

  ClothOptions light = square();
  light.area_density = 0.0;
  CHECK(cloth_complaint(light) ==
        "cloth \"flag\": area density is 0 kg/m^2, expected a number > 0");

  ClothOptions pushing = square();
  pushing.springs[3].stiffness = -2.0;
  CHECK(cloth_complaint(pushing) ==
        "cloth \"flag\": spring 3: stiffness is -2 N/m, expected a number >= 0");

  ClothOptions loose = square();
  loose.springs[0].b = 25;
  CHECK(cloth_complaint(loose) ==
        "cloth \"flag\": spring 0 joins the vertices 0 and 25, expected two of 0 to 24");

  ClothOptions dust = square();
  dust.surface.positions.emplace_back(0.0, 0.0, 0.0);
  CHECK(cloth_complaint(dust) ==
        "cloth \"flag\": vertex 25 has triangles of 0 m^2 in all, expected an area > 0: it would "
        "have no mass");

  ClothOptions driven = square();
  driven.damping = -1e-3;
  CHECK(cloth_complaint(driven) == "cloth \"flag\": damping is -0.001 s, expected a number >= 0");
}
