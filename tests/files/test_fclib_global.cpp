#include <doctest/doctest.h>

#include <Eigen/LU>

#include <files/messages.hpp>
#include <tact/core/random.hpp>
#include <tact/files/fclib_global.hpp>
#include <tact/run/friction_solve.hpp>
#include <tact/solvers/cone/friction_problem_of.hpp>

using namespace tact;

namespace {

MatrixXd dense_random(int rows, int columns, Random& random)
{
  MatrixXd matrix(rows, columns);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) matrix(i, j) = random.uniform(-1.0, 1.0);
  return matrix;
}

// Two bodies of n unknowns each, m contacts on both; `joints` couple them.
GlobalForm two_bodies(int dimension, int n, int m, int joints, Random& random)
{
  MatrixXd M = MatrixXd::Zero(2 * n, 2 * n);
  for (int body = 0; body < 2; ++body) {
    const MatrixXd S = dense_random(n, n, random);
    M.block(n * body, n * body, n, n) = S * S.transpose() + MatrixXd::Identity(n, n);
  }
  GlobalForm form{.dimension = dimension};
  form.M = M.sparseView();
  form.H = dense_random(2 * n, dimension * m, random).sparseView();
  if (joints > 0) form.G = dense_random(2 * n, joints, random).sparseView();
  form.f = dense_random(2 * n, 1, random);
  form.w = dense_random(dimension * m, 1, random);
  form.b = dense_random(joints, 1, random);
  form.mu = VectorXd::Constant(m, 0.5);
  return form;
}

}  // namespace

TEST_CASE("the global form is a contact problem with W = H' M^-1 H and q = H' M^-1 f + w")
{
  Random random(3);
  for (const int dimension : {2, 3})
    for (const int n : {3, 5, 40}) {  // 5 and 40: nodes that two bodies share, and one filled up
      CAPTURE(n);
      const GlobalForm form = two_bodies(dimension, n, 2, 0, random);
      const ContactProblem problem = contact_problem(form);
      if (n == 3) CHECK(problem.components() == 2);
      const FrictionProblem local = CondensedContact(problem).local_problem();
      CHECK(local.dimension == dimension);
      const MatrixXd H = form.H, inverse = MatrixXd(form.M).inverse();
      CHECK((MatrixXd(local.W) - H.transpose() * inverse * H).norm() < 1e-10);
      CHECK((local.q - H.transpose() * inverse * form.f - form.w).norm() < 1e-10);
    }
}

TEST_CASE("a contact problem goes back into the global form but for the last bits of f")
{
  Random random(7);
  for (const int dimension : {2, 3})
    for (const int joints : {0, 2}) {
      const GlobalForm form = two_bodies(dimension, 6, 3, joints, random);
      const GlobalForm again = global_form(contact_problem(form));
      CHECK(again.dimension == dimension);
      CHECK(MatrixXd(again.M) == MatrixXd(form.M));
      CHECK(MatrixXd(again.H) == MatrixXd(form.H));
      if (joints > 0) CHECK(MatrixXd(again.G) == MatrixXd(form.G));
      CHECK((again.f - form.f).norm() < 1e-13);
      CHECK(again.w == form.w);
      CHECK(again.b == form.b);
      CHECK(again.mu == form.mu);
    }
}

TEST_CASE("joints hold in the answer, and momentum is balanced with what they carry")
{
  Random random(5);
  for (const int n : {4, 40}) {
    CAPTURE(n);
    const GlobalForm form = two_bodies(3, n, 2, 2, random);
    const SolvedFriction solved = solve_stored(contact_problem(form), "auto", {.tolerance = 1e-12});
    CHECK(solved.report.ok());
    const FrictionSolution& answer = solved.solution;
    const VectorXd v = answer.v.head(2 * n);
    CHECK(answer.lambda.size() == 6);
    CHECK((form.G.transpose() * v + form.b).norm() < 1e-9);
    CHECK((form.H.transpose() * v + form.w - answer.u).norm() < 1e-9);
    CHECK((form.M * v - form.H * answer.lambda - form.G * answer.beta - form.f).norm() < 1e-9);
  }
}

TEST_CASE("equations are eliminated where the form has no place for them")
{
  Random random(9);
  const GlobalForm form = two_bodies(3, 6, 2, 2, random);
  const FrictionProblem local =
      without_equations(CondensedContact(contact_problem(form)).local_problem());
  // K = [M, -G; G', 0], W = [H; 0]' K^-1 [H; 0], q = [H; 0]' K^-1 [f; -b] + w
  MatrixXd K = MatrixXd::Zero(14, 14), H = MatrixXd::Zero(14, 6);
  K.topLeftCorner(12, 12) = form.M;
  K.topRightCorner(12, 2) = -MatrixXd(form.G);
  K.bottomLeftCorner(2, 12) = MatrixXd(form.G).transpose();
  H.topRows(12) = form.H;
  VectorXd load(14);
  load << form.f, -form.b;
  const MatrixXd inverse = K.inverse();
  CHECK((MatrixXd(local.W) - H.transpose() * inverse * H).norm() < 1e-10);
  CHECK((local.q - H.transpose() * inverse * load - form.w).norm() < 1e-10);
}

TEST_CASE("a mass matrix that is none is refused, and so are sizes that do not fit")
{
  Random random(11);
  const GlobalForm good = two_bodies(3, 6, 2, 0, random);
  GlobalForm bad = good;
  bad.M.coeffRef(2, 2) = -1.0;
  CHECK(contains(message_of([&] { (void)contact_problem(bad); }), "M is not positive definite"));
  bad = good;
  bad.M.coeffRef(0, 1) += 0.1;
  CHECK(contains(message_of([&] { (void)contact_problem(bad); }), "not symmetric"));
  bad = good;
  bad.w.resize(3);
  CHECK(contains(message_of([&] { (void)contact_problem(bad); }), "w has another size"));
}
