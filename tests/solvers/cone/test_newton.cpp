#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include <Eigen/LU>

#include <solvers/cone/friction_cases.hpp>
#include <tact/solvers/cone/alart_curnier.hpp>
#include <tact/solvers/cone/newton.hpp>

using namespace tact;

TEST_CASE("the derivative of Alart and Curnier's function agrees with differences off its kinks")
{
  Random random(15);
  const AlartCurnier<3> law(Vector3d(0.5, 1.0, 2.0).asDiagonal(), {.mu = 0.6});
  constexpr double h = 1e-6;  // central differences: error of about h^2
  int open = 0, stick = 0, slip = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Eigen::Matrix<double, 6, 1> at, direction;
    for (int i = 0; i < 6; ++i) {
      at[i] = random.uniform(-1.0, 1.0);
      direction[i] = random.uniform(-1.0, 1.0);
    }
    const auto F = [&](double s) {
      const Eigen::Matrix<double, 6, 1> moved = at + s * direction;
      return law.value(moved.head<3>(), moved.tail<3>());
    };
    const auto derivative = law.derivative(at.head<3>(), at.tail<3>());
    const Vector3d exact = derivative.A * direction.head<3>() + derivative.B * direction.tail<3>();
    const Vector3d forward = (F(h) - F(0.0)) / h;
    const Vector3d backward = (F(0.0) - F(-h)) / h;
    if ((forward - backward).norm() > 1e-3) continue;  // a kink in between
    CHECK((0.5 * (forward + backward) - exact).norm() < 1e-7);
    const bool sticks = derivative.B(1, 1) == law.rho_T && derivative.B(1, 2) == 0.0;
    ++(derivative.open ? open : sticks ? stick : slip);
  }
  CHECK(std::min({open, stick, slip}) > 20);
}

TEST_CASE("a contact's step is the same whether its own equations are used beforehand or not")
{
  Random random(16);
  std::array<int, 4> seen{};  // by the number of unknowns left
  for (int trial = 0; trial < 300; ++trial) {
    Matrix3d root;
    Vector3d lambda, u;
    for (int i = 0; i < 3; ++i) {
      lambda[i] = random.uniform(-1.0, 1.0);
      u[i] = random.uniform(-1.0, 1.0);
      for (int j = 0; j < 3; ++j) root(i, j) = random.uniform(-1.0, 1.0);
    }
    const Matrix3d W = root * root.transpose() + Matrix3d::Identity();
    const AlartCurnier<3> law(W, {.mu = trial % 4 == 0 ? 0.0 : 0.6});
    const auto full = law.derivative(lambda, u);
    const Vector3d expected =
        (full.A + full.B * W).partialPivLu().solve(Vector3d(-law.value(lambda, u)));

    const ReducedContact<3> reduced(law, lambda, u);
    ++seen[reduced.rows];
    const Matrix3d K = reduced.RA + reduced.RB * W;
    const MatrixXd kept = (K * reduced.C).topLeftCorner(reduced.rows, reduced.rows);
    const VectorXd right = (reduced.right - K * reduced.d).head(reduced.rows);
    Vector3d step = reduced.d;
    if (reduced.rows > 0)
      step += reduced.C.leftCols(reduced.rows) * kept.partialPivLu().solve(right);
    // Round-off of two 3 x 3 systems of the same condition.
    CHECK((step - expected).norm() <= 1e-11 * (1.0 + expected.norm()));
  }
  CHECK(*std::min_element(seen.begin(), seen.end()) > 10);  // open, smooth, sliding, sticking
}

TEST_CASE("Newton's method converges fast on a regular problem")
{
  Random random(17);
  const FrictionProblem problem = random_problem({.contacts = 8}, random);
  const BlockProblem<3> blocks(problem);
  Search<3> search(blocks, 1e-12, 1000);
  CHECK(newton_alone(search, VectorXd::Zero(blocks.size()), 100) == SolveStatus::converged);
  CHECK(search.work.newton_steps <= 15);
}
