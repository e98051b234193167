#include "families.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include <Eigen/Geometry>

namespace tact::families {

LcpProblem murty(int n)
{
  LcpProblem problem{MatrixXd::Identity(n, n), VectorXd::Constant(n, -1.0), {}, {}};
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) problem.M(i, j) = 2.0;
  return problem;
}

LcpProblem fathi(int n)
{
  const MatrixXd L = murty(n).M.transpose();
  return {L * L.transpose(), VectorXd::Constant(n, -1.0), {}, {}};
}

MatrixXd random_matrix(int rows, int columns, Random& random)
{
  MatrixXd matrix(rows, columns);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) matrix(i, j) = random.uniform(-1.0, 1.0);
  return matrix;
}

MatrixXd positive_definite(int n, Random& random)
{
  return semidefinite(n, n, random) / n + 0.1 * MatrixXd::Identity(n, n);
}

MatrixXd semidefinite(int n, int rank, Random& random)
{
  const MatrixXd N = random_matrix(rank, n, random);
  return N.transpose() * N;
}

MatrixXd unsymmetric(int n, Random& random)
{
  const MatrixXd S = random_matrix(n, n, random);
  return positive_definite(n, random) + (S - S.transpose()) / std::sqrt(n);
}

MatrixXd saddle(int n, int multipliers, Random& random)
{
  const int velocities = n - multipliers;
  const MatrixXd J = random_matrix(multipliers, velocities, random);
  MatrixXd M = MatrixXd::Zero(n, n);
  M.topLeftCorner(velocities, velocities) = positive_definite(velocities, random);
  M.topRightCorner(velocities, multipliers) = -J.transpose();
  M.bottomLeftCorner(multipliers, velocities) = J;
  return M;
}

Planted plant(const MatrixXd& M, const std::vector<Bounds>& bounds, double degenerate,
              Random& random)
{
  const auto n = M.rows();
  Planted planted{{M, {}, VectorXd::Zero(n), VectorXd::Constant(n, infinity)}, VectorXd(n)};
  VectorXd& lower = planted.problem.lower;
  VectorXd& upper = planted.problem.upper;
  VectorXd w = VectorXd::Zero(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Bounds kind = bounds[i];
    const double at = kind == Bounds::plain ? 0.0 : random.uniform(-1.0, 1.0);
    lower[i] = kind == Bounds::upper_only || kind == Bounds::free ? -infinity : at;
    upper[i] = kind == Bounds::upper_only ? at
               : kind == Bounds::box      ? at + random.uniform(0.1, 2.0)
               : kind == Bounds::fixed    ? at
                                          : infinity;
    const double step = random.uniform(0.1, 1.0);
    const double force = random.uniform() < degenerate ? 0.0 : random.uniform(0.1, 1.0);
    const bool between = kind == Bounds::free || (kind != Bounds::fixed && random.uniform() < 0.5);
    const bool at_lower = lower[i] != -infinity && (upper[i] == infinity || random.uniform() < 0.5);
    if (!between) {
      planted.z[i] = at_lower ? lower[i] : upper[i];
      w[i] = at_lower ? force : -force;
    } else if (kind == Bounds::box) {
      planted.z[i] = lower[i] + 0.9 * step * (upper[i] - lower[i]);
    } else if (kind == Bounds::upper_only) {
      planted.z[i] = at - step;
    } else {
      planted.z[i] = (lower[i] == -infinity ? -0.5 : lower[i]) + step;
    }
  }
  planted.problem.q = w - M * planted.z;
  return planted;
}

Planted plant(const MatrixXd& M, double degenerate, Random& random)
{
  const std::vector<Bounds> plain(M.rows(), Bounds::plain);
  Planted planted = plant(M, plain, degenerate, random);
  planted.problem.lower.resize(0);
  planted.problem.upper.resize(0);
  return planted;
}

LcpProblem frictional_body(int contacts, double mu, Random& random)
{
  constexpr int d = 4;
  MatrixXd G(6, contacts * (1 + d));  // columns: all normals, then d directions a contact
  for (int i = 0; i < contacts; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / contacts;
    const Vector3d normal(-std::cos(angle), -std::sin(angle), 0.0);
    const Vector3d tangent(-std::sin(angle), std::cos(angle), 0.0);
    const Vector3d point = Vector3d(0.0, 0.0, random.uniform(-1.0, 1.0)) - 0.3 * normal;
    const auto put = [&](int column, const Vector3d& direction) {
      G.col(column).head<3>() = direction;
      G.col(column).tail<3>() = point.cross(direction);
    };
    put(i, normal);
    for (int k = 0; k < d; ++k) {
      const double turn = 2.0 * std::numbers::pi * k / d;
      put(contacts + d * i + k, std::cos(turn) * tangent + std::sin(turn) * Vector3d::UnitZ());
    }
  }
  VectorXd impulse(6);
  for (int k = 0; k < 6; ++k) impulse[k] = random.uniform(-1.0, 1.0);

  const int rows = contacts * (1 + d);
  LcpProblem problem{
      MatrixXd::Zero(rows + contacts, rows + contacts), VectorXd::Zero(rows + contacts), {}, {}};
  problem.M.topLeftCorner(rows, rows) = G.transpose() * G;
  problem.q.head(rows) = G.transpose() * impulse;
  for (int i = 0; i < contacts; ++i) {
    problem.M(rows + i, i) = mu;
    for (int k = 0; k < d; ++k) {
      problem.M(rows + i, contacts + d * i + k) = -1.0;
      problem.M(contacts + d * i + k, rows + i) = 1.0;
    }
  }
  return problem;
}

VectorXd wild_factors(int n, double low, double high, Random& random)
{
  VectorXd factors(n);
  for (int i = 0; i < n; ++i) factors[i] = std::pow(10.0, random.uniform(low, high));
  return factors;
}

Planted network(int nodes, int diodes, double low, double high, Random& random)
{
  const int n = nodes + diodes;
  MatrixXd M = MatrixXd::Zero(n, n);
  const auto connect = [&](int a, int b) {  // b = -1: the ground
    const double conductance = std::pow(10.0, random.uniform(low, high));
    M(a, a) += conductance;
    if (b < 0) return;
    M(b, b) += conductance;
    M(a, b) -= conductance;
    M(b, a) -= conductance;
  };
  for (int k = 0; k < nodes; ++k) connect(k, k ? random.below(k) : -1);
  for (int k = 0; k < nodes; ++k) connect(k, (k + 1 + random.below(nodes - 1)) % nodes);
  for (int k = nodes; k < n; ++k) {
    const int a = random.below(nodes), b = (a + 1 + random.below(nodes - 1)) % nodes;
    M(a, k) = M(k, b) = 1.0;
    M(b, k) = M(k, a) = -1.0;
    M(k, k) = std::pow(10.0, random.uniform(-4.0, 0.0));
  }
  std::vector<Bounds> bounds(n, Bounds::free);
  std::fill(bounds.begin() + nodes, bounds.end(), Bounds::plain);
  return plant(M, bounds, 0.1, random);
}

LcpProblem permuted(const LcpProblem& problem, const std::vector<int>& order)
{
  LcpProblem result{problem.M(order, order), problem.q(order), {}, {}};
  if (problem.lower.size()) result.lower = problem.lower(order);
  if (problem.upper.size()) result.upper = problem.upper(order);
  return result;
}

std::vector<int> random_order(int n, Random& random)
{
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (int i = n - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  return order;
}

LcpProblem scaled(const LcpProblem& problem, const VectorXd& row, const VectorXd& column)
{
  LcpProblem result = problem;
  result.M = row.asDiagonal() * problem.M * column.asDiagonal();
  result.q = row.cwiseProduct(problem.q);
  if (problem.lower.size()) result.lower = problem.lower.cwiseQuotient(column);
  if (problem.upper.size()) result.upper = problem.upper.cwiseQuotient(column);
  return result;
}

}  // namespace tact::families
