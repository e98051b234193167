#include <array>
#include <string>

#include <doctest/doctest.h>
#include <Eigen/LU>

#include <tact/core/random.hpp>
#include <tact/solvers/cone/friction_solvers.hpp>
#include <tact/solvers/cone/velocity_system.hpp>

using namespace tact;

namespace {

Matrix3d random_block(Random& random)
{
  Matrix3d block;
  for (double& entry : block.reshaped()) entry = random.uniform(-1.0, 1.0);
  return block;
}

// A chain of nodes held to their neighbours; each contact acts on two of them.
VelocityForm chain_form(int nodes, int contacts, Random& random)
{
  std::vector<std::array<int, 2>> couples;
  for (int i = 0; i + 1 < nodes; ++i) couples.push_back({i, i + 1});
  VelocityForm form{zero_matrix(std::make_shared<const BlockPattern>(nodes, couples)), {}};
  for (int i = 0; i < nodes; ++i) {
    form.A.blocks[form.A.pattern->slot(i, i)] = 3.0 * Matrix3d::Identity();
    if (i + 1 == nodes) break;
    form.A.blocks[form.A.pattern->slot(i, i + 1)] = -Matrix3d::Identity();
    form.A.blocks[form.A.pattern->slot(i + 1, i)] = -Matrix3d::Identity();
  }
  for (int c = 0; c < contacts; ++c) {
    const int node = c % (nodes - 3);
    form.J.add({node, random_block(random)});
    form.J.add({node + 3, random_block(random)});
    form.J.close_contact();
  }
  return form;
}

MatrixXd dense_rows(const VelocityForm& form)
{
  const int contacts = form.J.contacts();
  MatrixXd J = MatrixXd::Zero(3 * contacts, form.A.size());
  for (int c = 0; c < contacts; ++c)
    for (const RowBlock& block : form.J.of(c)) J.block<3, 3>(3 * c, 3 * block.node) = block.J;
  return J;
}

MatrixXd dense_response(const VelocityForm& form)
{
  const MatrixXd J = dense_rows(form);
  return J * to_dense(form.A).lu().solve(J.transpose());
}

VectorXd random_impulses(int size, Random& random)
{
  VectorXd x(size);
  for (double& entry : x) entry = random.uniform(-1.0, 1.0);
  return x;
}

// Contacts that stick, slide with friction that pressing makes, and are open.
std::vector<Matrix3d> some_statuses(int contacts, double alpha)
{
  std::vector<Matrix3d> G;
  for (int c = 0; c < contacts; ++c) {
    Matrix3d block = Matrix3d::Zero();
    if (c % 3 == 0) block = Matrix3d::Identity() / alpha;
    if (c % 3 == 1) {
      block(0, 0) = 1.0 / alpha;
      block(1, 0) = 0.4 / alpha;
      block(2, 2) = 0.7;
    }
    G.push_back(block);
  }
  return G;
}

}  // namespace

TEST_CASE("systems in velocities are those in impulses")
{
  Random random(3);
  constexpr int contacts = 30;
  const VelocityForm form = chain_form(20, contacts, random);
  const std::vector<double> ones(contacts, 1.0);
  VelocitySystem system(form, ones);
  const MatrixXd W = dense_response(form);
  const VectorXd x = random_impulses(3 * contacts, random);
  VectorXd u;

  system.multiply(x, u);
  CHECK((u - W * x).norm() <= 1e-12 * u.norm());

  constexpr double alpha = 1e-3;
  const std::vector<Matrix3d> G = some_statuses(contacts, alpha);
  MatrixXd dense_G = MatrixXd::Zero(3 * contacts, 3 * contacts);
  for (int c = 0; c < contacts; ++c) dense_G.block<3, 3>(3 * c, 3 * c) = G[c];
  // dlambda = -(x + G W dlambda), and u = -W dlambda
  const MatrixXd whole = MatrixXd::Identity(3 * contacts, 3 * contacts) + dense_G * W;
  const VectorXd expected = W * whole.lu().solve(x);
  for (int again = 0; again < 2; ++again) {  // the second time with the factor of the first
    REQUIRE(system.solve(G, x, 1e-12, u));
    CHECK((u - expected).norm() <=
          1e-8 * expected.norm());  // 1e-12, times what 1/alpha makes of it
  }
  CHECK(system.factors() == 1);

  constexpr double rho = 0.1;
  REQUIRE(system.factor_shifted(rho));
  u = x;
  system.solve_shifted(u);
  CHECK((W * u + rho * u - x).norm() <= 1e-10 * x.norm());
}

TEST_CASE("rows are scaled contact by contact")
{
  Random random(5);
  const VelocityForm form = chain_form(12, 8, random);
  const std::vector<double> scale = {1.0, 2.0, 3.0, 0.5, 1.0, 4.0, 0.1, 1.0};
  VelocitySystem system(form, scale);
  VectorXd d(24);
  for (int c = 0; c < 8; ++c) d.segment<3>(3 * c).setConstant(scale[c]);
  const VectorXd x = random_impulses(24, random);
  VectorXd u;
  system.multiply(x, u);
  const VectorXd expected = d.cwiseProduct(dense_response(form) * d.cwiseProduct(x));
  CHECK((u - expected).norm() <= 1e-12 * expected.norm());
}

TEST_CASE("solvers find the same velocities with and without A and J")
{
  Random random(9);
  constexpr int contacts = 240;  // on 20 nodes: W is dense and singular
  const VelocityForm form = chain_form(20, contacts, random);
  FrictionProblem problem{3, dense_response(form).sparseView(), VectorXd(3 * contacts),
                          VectorXd::Constant(contacts, 0.3)};
  // What bodies do that move at random: then no normal velocity is out of their reach.
  problem.q = dense_rows(form) * random_impulses(form.A.size(), random);
  for (const char* solver : {"auto", "prox", "admm"}) {
    CAPTURE(solver);
    const double tolerance = 1e-8;
    FrictionSolution plain, informed;
    const SolveReport alone = solve_friction(problem, plain, solver, {.tolerance = tolerance});
    const SolveReport with_form =
        solve_friction(problem, informed, solver, {.tolerance = tolerance, .form = &form});
    CHECK(alone.ok());
    CHECK(with_form.ok());
    if (solver == std::string("prox")) CHECK(with_form.note.find("GMRES") != std::string::npos);
    // Both are within 1e-8 of the law, which the coupling of contacts makes some 1e-5 of u.
    CHECK((plain.u - informed.u).norm() <= 1e-5 * problem.q.norm());
  }
}
