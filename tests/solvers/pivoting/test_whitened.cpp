#include <doctest/doctest.h>
#include <Eigen/Cholesky>

#include <contact/rigid_problems.hpp>
#include <tact/solvers/pivoting/whitened.hpp>

using namespace tact;

namespace {

// Velocities G' v of a problem's bodies, computed the dense way.
std::vector<Twist> whiten(const ContactProblem& problem, const VectorXd& v)
{
  std::vector<Twist> y(problem.A.size() + 1);
  for (int b = 0; b < problem.components(); ++b) {
    const Matrix6d G = body_matrix(problem, b).llt().matrixL();
    const Vector6d y_b = G.transpose() * v.segment<6>(6 * b);
    for (int i = 0; i < 6; ++i) y[b].set(i, y_b[i]);
  }
  return y;
}

}  // namespace

TEST_CASE("whitening changes coordinates, not contact velocities")
{
  Random random(1);
  for (int kind = 0; kind < 3; ++kind) {
    const ContactProblem problem = small_problem(kind, random);
    WhitenedProblem whitened;
    whitened.load(problem);
    VectorXd v(6 * problem.components());
    for (double& entry : v) entry = random.uniform(-1.0, 1.0);
    const std::vector<Twist> y = whiten(problem, v);
    const VectorXd u = contact_velocities(problem, v);
    for (int c = 0; c < problem.size(); ++c) {
      const WhitenedContact& contact = whitened.contacts()[c];
      for (int k = 0; k < 3; ++k) {
        const double row =
            relative_velocity(contact.rows[0][k], contact.rows[1][k], contact.body, y);
        CHECK(row + contact.bias[k] == doctest::Approx(u[3 * c + k]).epsilon(1e-12));
      }
    }
    VectorXd back;
    whitened.unwhiten(y, back);
    CHECK((back - v).norm() < 1e-13 * v.norm());
    whitened.unwhiten(whitened.k(), back);
    CHECK((back - problem.v_star).norm() < 1e-13 * problem.v_star.norm());
  }
}

TEST_CASE("bilateral rows that repeat others are dropped, contradictions are told")
{
  RigidContactBuilder builder;
  builder.add_body({});
  builder.add_ball_joint(0, fixed_body, {1.0, 0.0, 0.0});
  builder.add_ball_joint(0, fixed_body, {1.0, 0.0, 0.0});  // the same again
  ContactProblem problem = builder.build();
  WhitenedProblem whitened;
  whitened.load(problem);
  CHECK(whitened.bilateral().size() == 3);
  CHECK_FALSE(whitened.contradictory());

  problem.bilateral[4].bias = 0.5;  // the same point must move and must not
  whitened.load(problem);
  CHECK(whitened.contradictory());
}
