#include <solvers/cone/friction_cases.hpp>

#include <tact/contact/rigid_bodies.hpp>
#include <tact/solvers/cone/friction_problem_of.hpp>

namespace tact {

FrictionProblem friction_problem(int dimension, const MatrixXd& W, const VectorXd& q,
                                 const VectorXd& mu)
{
  return {dimension, W.sparseView(), q, mu};
}

FrictionProblem point_on_ground(double mass, const VectorXd& q, double mu)
{
  const auto rows = q.size();
  return friction_problem(static_cast<int>(rows), MatrixXd::Identity(rows, rows) / mass, q,
                          VectorXd::Constant(1, mu));
}

FrictionProblem box_on_corners(const Vector3d& velocity, double mu)
{
  ContactProblem problem;
  Vector6d v_star = Vector6d::Zero();
  v_star.head<3>() = velocity;
  add_rigid_body(problem, Matrix6d::Identity(), v_star);
  for (const Vector3d& corner :
       {Vector3d(1, 1, 0), Vector3d(-1, 1, 0), Vector3d(-1, -1, 0), Vector3d(1, -1, 0)}) {
    BodyRows<3> pair;
    int row = 0;
    for (const int k : {2, 0, 1}) {
      const Vector3d axis = Vector3d::Unit(k);
      pair.J_a.row(row++) << axis.transpose(), corner.cross(axis).transpose();
    }
    add_contact(problem, pair, {.mu = mu});
  }
  return CondensedContact(problem).friction_problem();
}

FrictionProblem random_problem(const RandomCase& asked, Random& random)
{
  const int n = asked.dimension * asked.contacts;
  MatrixXd S(n, n), T(n, n);
  VectorXd q(n), mu(asked.contacts);
  for (int i = 0; i < n; ++i) {
    q[i] = random.uniform(-1.0, 0.5);
    for (int j = 0; j < n; ++j) {
      S(i, j) = random.uniform(-1.0, 1.0);
      T(i, j) = random.uniform(-1.0, 1.0);
    }
  }
  for (int c = 0; c < asked.contacts; ++c) mu[c] = c % 5 == 4 ? 0.0 : random.uniform(0.1, 0.9);
  const MatrixXd W =
      S * S.transpose() + MatrixXd::Identity(n, n) + asked.skew * (T - T.transpose());
  return friction_problem(asked.dimension, W, q, mu);
}

VectorXd reversed(const VectorXd& by_contacts, int dimension)
{
  const auto n = by_contacts.size();
  VectorXd turned(n);
  for (Eigen::Index i = 0; i < n; i += dimension)
    turned.segment(n - i - dimension, dimension) = by_contacts.segment(i, dimension);
  return turned;
}

FrictionProblem reversed(const FrictionProblem& problem)
{
  const int d = problem.dimension;
  const MatrixXd W = problem.W;
  MatrixXd turned(W.rows(), W.cols());
  for (Eigen::Index i = 0; i < W.rows(); i += d)
    for (Eigen::Index j = 0; j < W.cols(); j += d)
      turned.block(W.rows() - i - d, W.cols() - j - d, d, d) = W.block(i, j, d, d);
  return friction_problem(d, turned, reversed(problem.q, d), problem.mu.reverse());
}

}  // namespace tact
