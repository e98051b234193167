#include <Eigen/Geometry>
#include <Eigen/SVD>

#include <doctest/doctest.h>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <tact/bodies/soft_solid.hpp>
#include <tact/core/error.hpp>
#include <tact/core/random.hpp>
#include <tact/geometry/shapes.hpp>
#include <tact/geometry/tet_shapes.hpp>

#include "body_contract.hpp"
#include "one_body.hpp"

using namespace tact;

namespace {

SoftOptions small_block()
{
  SoftOptions options;
  options.mesh = make_tet_box({0.3, 0.2, 0.2}, {2, 1, 2});
  options.young = 1e5;
  options.poisson = 0.35;
  options.stiffness_damping = 1e-3;
  return options;
}

VectorXd as_vector(const std::vector<Vector3d>& positions)
{
  VectorXd q(3 * positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i)
    q.segment<3>(static_cast<Eigen::Index>(3 * i)) = positions[i];
  return q;
}

VectorXd mapped(const TetMesh& mesh, const Matrix3d& map, const Vector3d& shift = Vector3d::Zero())
{
  std::vector<Vector3d> positions;
  for (const Vector3d& p : mesh.positions) positions.push_back(map * p + shift);
  return as_vector(positions);
}

VectorXd shaken(const TetMesh& mesh, double by)
{
  Random random(5);
  std::vector<Vector3d> positions;
  for (const Vector3d& p : mesh.positions) positions.push_back(p + random.in_cube(by));
  return as_vector(positions);
}

Matrix3d turn(double angle, const Vector3d& axis)
{
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

BodyContract contract_for(const SoftOptions& options)
{
  BodyContract contract;
  contract.make = [options] { return make_soft_body("block", options); };
  const TetMesh& mesh = options.mesh;
  contract.exact = {mapped(mesh, Matrix3d::Identity()),
                    mapped(mesh, turn(2.0, {1, -2, 0.5}), {0.5, 1, -2}),
                    mapped(mesh, turn(3.1, {1, 2, 3}))};
  const Vector3d flat(1.0, 0.0, 1.0), inside_out(1.0, -0.4, 0.9);
  contract.deformed = {shaken(mesh, 0.04), mapped(mesh, turn(1.0, {0, 1, 1}) * 1.5),
                       mapped(mesh, Matrix3d(flat.asDiagonal())),
                       mapped(mesh, Matrix3d(inside_out.asDiagonal()))};
  return contract;
}

}  // namespace

TEST_CASE("a soft block keeps the contract of bodies, turned, deformed, flattened and inverted")
{
  check_body_contract(contract_for(small_block()));
}

TEST_CASE("a soft ball in a partly filled lattice keeps the contract of bodies")
{
  Lattice lattice = fit_lattice(make_icosphere(0.15, 2), 0.13);
  SoftOptions options = small_block();
  options.mesh = std::move(lattice.solid);
  options.surface = std::move(lattice.surface);
  options.fill = std::move(lattice.fill);
  check_body_contract(contract_for(options));
}

// The textbook way: strain-displacement matrices, rotations by singular values, 12 x 12 products.
TEST_CASE("A and the forces are those of F = -R K (R'x - X) with dense element matrices")
{
  const SoftOptions options = small_block();
  const TetMesh& mesh = options.mesh;
  const double lambda = 1e5 * 0.35 / (1.35 * 0.3), mu = 1e5 / 2.7;
  Eigen::Matrix<double, 6, 6> D = Eigen::Matrix<double, 6, 6>::Zero();
  D.topLeftCorner<3, 3>().setConstant(lambda);
  D.diagonal().head<3>().array() += 2 * mu;
  D.diagonal().tail<3>().setConstant(mu);

  for (const VectorXd& q : contract_for(options).deformed) {
    const int n = static_cast<int>(q.size());
    MatrixXd K = MatrixXd::Zero(n, n);
    VectorXd f = VectorXd::Zero(n);
    for (const Tetrahedron& t : mesh.tetrahedra) {
      Eigen::Matrix4d P;  // rows (1, X): the inverse has the coefficients of the shape functions
      Matrix3d Dm, Ds;
      Eigen::Matrix<double, 12, 1> x, X;
      for (int a = 0; a < 4; ++a) {
        P.row(a) << 1.0, mesh.positions[t[a]].transpose();
        X.segment<3>(3 * a) = mesh.positions[t[a]];
        x.segment<3>(3 * a) = q.segment<3>(3 * t[a]);
      }
      for (int a = 0; a < 3; ++a) {
        Dm.col(a) = X.segment<3>(3 * a + 3) - X.head<3>();
        Ds.col(a) = x.segment<3>(3 * a + 3) - x.head<3>();
      }
      const Eigen::Matrix4d shape = P.inverse();
      Eigen::Matrix<double, 6, 12> B = Eigen::Matrix<double, 6, 12>::Zero();
      for (int a = 0; a < 4; ++a) {
        const Vector3d g = shape.block<3, 1>(1, a);
        B.block<3, 3>(0, 3 * a) = g.asDiagonal();
        B.block<3, 3>(3, 3 * a) << g[1], g[0], 0, 0, g[2], g[1], g[2], 0, g[0];
      }
      const Eigen::Matrix<double, 12, 12> K_e =
          volume({X.segment<3>(0), X.segment<3>(3), X.segment<3>(6), X.segment<3>(9)}) *
          B.transpose() * D * B;
      const Matrix3d F = Ds * Dm.inverse();
      const Eigen::JacobiSVD<Matrix3d> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
      Matrix3d sign = Matrix3d::Identity();
      sign(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant();
      const Matrix3d R = svd.matrixU() * sign * svd.matrixV().transpose();
      Eigen::Matrix<double, 12, 12> R4 = Eigen::Matrix<double, 12, 12>::Zero();
      for (int a = 0; a < 4; ++a) R4.block<3, 3>(3 * a, 3 * a) = R;
      const Eigen::Matrix<double, 12, 12> turned = R4 * K_e * R4.transpose();
      const Eigen::Matrix<double, 12, 1> f_e = -R4 * K_e * (R4.transpose() * x - X);
      for (int a = 0; a < 4; ++a) {
        f.segment<3>(3 * t[a]) += f_e.segment<3>(3 * a);
        for (int b = 0; b < 4; ++b)
          K.block<3, 3>(3 * t[a], 3 * t[b]) += turned.block<3, 3>(3 * a, 3 * b);
      }
    }
    const OneBody one(make_soft_body("block", options));
    const BodyState state{q, VectorXd::Zero(n)};
    const double h = 0.01, c = options.stiffness_damping;
    const MatrixXd M = one.linearise({.dt = 0.0}, state).A;
    CHECK((one.linearise({.dt = h}, state).A - M - h * (c + h) * K).norm() <=
          1e-9 * h * h * K.norm());
    CHECK((one.forces({.dt = h}, state) - f).norm() <= 1e-9 * K.norm() * q.norm());
  }
}

TEST_CASE("a crushed and an inverted cube return to their rest shape")
{
  SoftOptions options;
  options.mesh = make_tet_box({0.1, 0.1, 0.1}, {2, 2, 2});
  options.young = 1e4;
  options.stiffness_damping = 0.02;
  options.mass_damping = 5.0;  // lest it spins: what spins is stretched
  const OneBody one(make_soft_body("cube", options));
  const VectorXd rest = one.start().q;
  for (const double height : {0.05, 0.0, -0.7}) {
    CAPTURE(height);
    const Vector3d crush(1.2, height, 1.1);
    BodyState state{mapped(options.mesh, Matrix3d(crush.asDiagonal())),
                    VectorXd::Zero(one.body().v_size())};
    // Exactly flat or mirrored shapes are saddles of the energy; a nudge decides where to fall.
    Random random(8);
    for (double& x : state.q) x += random.uniform(-1e-4, 1e-4);
    for (int k = 0; k < 400; ++k) {
      state = one.step({.dt = 0.01}, state);
      REQUIRE(state.q.allFinite());
    }
    // All distances are those of the rest shape.
    double worst = 0.0;
    for (Eigen::Index i = 0; i < rest.size(); i += 3)
      for (Eigen::Index j = 0; j < i; j += 3)
        worst = std::max(worst, std::abs((state.q.segment<3>(i) - state.q.segment<3>(j)).norm() -
                                         (rest.segment<3>(i) - rest.segment<3>(j)).norm()));
    CHECK(worst <= 1e-6);
  }
}

TEST_CASE("patch test: uniform strain gives uniform stress on any mesh to 1e-8")
{
  SoftOptions options;
  options.mesh = make_tet_box({1.0, 1.0, 1.0}, {4, 4, 4});
  options.young = 2e6;
  options.poisson = 0.3;
  Random random(3);
  for (Vector3d& p : options.mesh.positions)
    if (p.cwiseAbs().maxCoeff() < 0.49) p += random.in_cube(0.05);
  REQUIRE(inverted_tetrahedra(options.mesh).empty());
  const OneBody one(make_soft_body("patch", options));
  // Pulled along y by p, free at the sides: e_y = p / E, e_x = e_z = -nu p / E.
  const double p = 3e4, e = p / options.young;
  const Vector3d stretch(1.0 - 0.3 * e, 1.0 + e, 1.0 - 0.3 * e);
  const VectorXd q = mapped(options.mesh, Matrix3d(stretch.asDiagonal()));
  const VectorXd f = one.forces({.dt = 0.01}, {q, VectorXd::Zero(q.size())});
  double pull_above = 0.0, pull_below = 0.0, elsewhere = 0.0;
  for (std::size_t i = 0; i < options.mesh.positions.size(); ++i) {
    const double y = options.mesh.positions[i][1];
    Vector3d f_i = f.segment<3>(static_cast<Eigen::Index>(3 * i));
    if (y > 0.499) pull_above -= f_i[1];
    if (y < -0.499) pull_below += f_i[1];
    if (std::abs(y) > 0.499) f_i[1] = 0.0;
    elsewhere = std::max(elsewhere, f_i.norm());
  }
  CHECK(pull_above == doctest::Approx(p).epsilon(1e-8));  // stress times 1 m^2
  CHECK(pull_below == doctest::Approx(p).epsilon(1e-8));
  CHECK(elsewhere <= 1e-8 * p);
  CHECK(one.body().elastic_energy(q) == doctest::Approx(0.5 * p * e).epsilon(1e-8));
}

TEST_CASE("a body of several chunks: the same bits for 1, 2 and 8 threads, and K = -dF/dq")
{
  SoftOptions options;
  options.mesh = make_tet_cylinder(0.1, 0.5, 6, 12);  // 7776 tetrahedra
  const std::unique_ptr<Body> body = make_soft_body("bolt", options);
  std::vector<std::array<int, 2>> couples;
  body->add_couples(0, couples);
  const auto pattern = std::make_shared<const BlockPattern>(body->node_count(), couples);
  body->bind(*pattern, 0);
  const auto workspace = body->make_workspace();
  const StepInput input{.dt = 0.01, .gravity = {0, -9.81, 0}};
  const VectorXd v = VectorXd::Constant(body->v_size(), 0.3);
  struct Result {
    BlockMatrix A;
    VectorXd b, f;
  };
  const auto compute = [&](const VectorXd& q) {
    Result result{zero_matrix(pattern), VectorXd::Zero(q.size()), VectorXd::Zero(q.size())};
    body->linearise(input, q, v, workspace.get(), result.A, result.b);
    body->forces(input, q, v, workspace.get(), result.f);
    return result;
  };

  const VectorXd q = shaken(options.mesh, 0.004);
  std::vector<Result> results;
  const tbb::global_control enough(tbb::global_control::max_allowed_parallelism, 8);
  for (const int threads : {1, 2, 8})
    tbb::task_arena(threads).execute([&] { results.push_back(compute(q)); });
  for (const Result& result : results) {
    CHECK(result.A.blocks == results[0].A.blocks);
    CHECK(result.b == results[0].b);
    CHECK(result.f == results[0].f);
  }

  const VectorXd turned = mapped(options.mesh, turn(1.0, {3, 2, 1}));
  Random random(11);
  VectorXd direction(q.size());
  for (double& x : direction) x = random.uniform(-1, 1);
  Result at_turned = compute(turned);
  BlockMatrix mass = zero_matrix(pattern);
  VectorXd unused = VectorXd::Zero(q.size());
  body->linearise({.dt = 0.0}, turned, v, workspace.get(), mass, unused);
  VectorXd with_stiffness, inertia;
  multiply(at_turned.A, direction, with_stiffness);
  multiply(mass, direction, inertia);
  const VectorXd K_direction = (with_stiffness - inertia) / (input.dt * input.dt);
  const double step = 1e-7;  // m: a hundred thousandth of an element
  const VectorXd difference =
      (compute(turned - step * direction).f - compute(turned + step * direction).f) / (2 * step);
  CHECK((K_direction - difference).norm() <= 1e-6 * K_direction.norm());
}

TEST_CASE("fill scales mass and stiffness, the latter by no less than 0.05")
{
  SoftOptions full = small_block();
  for (const auto& [fill, stiffness] : {std::pair{0.4, 0.4}, {0.01, 0.05}}) {
    SoftOptions partly = full;
    partly.fill.assign(partly.mesh.tetrahedra.size(), fill);
    const OneBody one(make_soft_body("full", full)), other(make_soft_body("partly", partly));
    CHECK(other.body().mass() == doctest::Approx(fill * one.body().mass()).epsilon(1e-13));
    const VectorXd q = shaken(full.mesh, 0.03);
    CHECK(other.body().elastic_energy(q) ==
          doctest::Approx(stiffness * one.body().elastic_energy(q)).epsilon(1e-12));
  }
}

TEST_CASE("the air pulls a soft ball in all with drag x area x relative velocity")
{
  SoftOptions options = small_block();
  options.mesh = make_tet_ball(0.2, 2);
  options.surface = embed(make_icosphere(0.15, 2), options.mesh);
  options.drag = 3.0;
  const OneBody one(make_soft_body("ball", options));
  BodyState state = one.start();
  for (Eigen::Index i = 0; i < state.v.size(); i += 3) state.v.segment<3>(i) = Vector3d(1, 2, 3);
  const StepInput input{.dt = 0.01, .wind = {-1, 0, 5}};
  const VectorXd f = one.forces(input, state);
  const Vector3d sum = f.reshaped(3, f.size() / 3).rowwise().sum();
  const Vector3d expected = 3.0 * area(make_icosphere(0.15, 2)) * Vector3d(-2, -2, 2);
  CHECK((sum - expected).norm() <= 1e-11 * expected.norm());
  // The step leads to where backward Euler has it: every node alike, m v' = d (wind - v).
  const VectorXd b = one.linearise(input, state).b;
  const Vector3d b_sum = b.reshaped(3, b.size() / 3).rowwise().sum();
  CHECK((b_sum - one.body().mass() * Vector3d(1, 2, 3) -
         0.01 * 3.0 * area(make_icosphere(0.15, 2)) * input.wind)
            .norm() <= 1e-12 * b_sum.norm());
}

TEST_CASE("soft bodies refuse meshes and numbers from which nothing can be made")
{
  const auto broken = [](auto change) {
    SoftOptions options = small_block();
    change(options);
    return make_soft_body("jelly", options);
  };
  CHECK_THROWS_WITH_AS(broken([](SoftOptions& o) { o.mesh.tetrahedra.clear(); }),
                       "soft \"jelly\": the mesh has 0 tetrahedra, expected at least 1", Error);
  CHECK_THROWS_AS(
      broken([](SoftOptions& o) { std::swap(o.mesh.tetrahedra[3][0], o.mesh.tetrahedra[3][1]); }),
      Error);
  CHECK_THROWS_WITH_AS(broken([](SoftOptions& o) {
                         o.mesh.positions.push_back({0, 0, 0});
                       }),
                       "soft \"jelly\": node 18 is of no tetrahedron: it would have no mass",
                       Error);
  CHECK_THROWS_WITH_AS(broken([](SoftOptions& o) { o.poisson = 0.5; }),
                       "soft \"jelly\": Poisson's ratio is 0.5, expected a number > -1 and < 0.5",
                       Error);
  CHECK_THROWS_WITH_AS(broken([](SoftOptions& o) { o.young = 0.0; }),
                       "soft \"jelly\": Young's modulus is 0 Pa, expected a number > 0", Error);
  CHECK_THROWS_WITH_AS(broken([](SoftOptions& o) { o.density = -1.0; }),
                       "soft \"jelly\": density is -1 kg/m^3, expected a number > 0", Error);
  CHECK_THROWS_WITH_AS(broken([](SoftOptions& o) { o.fill = {0.5}; }),
                       "soft \"jelly\": fill has 1 entries, expected one for each of 24 tetrahedra",
                       Error);
  CHECK_THROWS_AS(broken([](SoftOptions& o) { o.fill.assign(24, 0.0); }), Error);
}
