#include <tact/lcp/complementary_basis.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <Eigen/QR>

namespace tact {
namespace {

constexpr int refinements = 4;      // each wins anew the digits of the first solution
constexpr double solved = 1e-8;     // |w_F| against its start: above, the equations are not met
constexpr double singular = 1e-13;  // least pivot of LU against the largest

}  // namespace

double bound_value(const LcpProblem& problem, int variable, BasisSide side)
{
  if (side == BasisSide::between) return 0.0;
  return side == BasisSide::lower ? problem.lower_bound(variable) : problem.upper_bound(variable);
}

Basis default_basis(const LcpProblem& problem)
{
  Basis basis(problem.size(), BasisSide::lower);
  for (int i = 0; i < problem.size(); ++i)
    if (problem.lower_bound(i) == -infinity)
      basis[i] = problem.upper_bound(i) == infinity ? BasisSide::between : BasisSide::upper;
  return basis;
}

Basis basis_of(const LcpProblem& problem, const VectorXd& z)
{
  Basis basis(problem.size(), BasisSide::between);
  for (int i = 0; i < problem.size(); ++i) {
    if (z[i] >= problem.upper_bound(i)) basis[i] = BasisSide::upper;
    if (z[i] <= problem.lower_bound(i)) basis[i] = BasisSide::lower;
  }
  return basis;
}

VectorXd starting_point(const LcpProblem& problem, const LcpSolution& solution)
{
  const bool warm = solution.z.size() == problem.size() && solution.z.allFinite();
  const Basis basis = default_basis(problem);
  VectorXd z(problem.size());
  for (int i = 0; i < problem.size(); ++i) {
    const double at_bound = bound_value(problem, i, basis[i]);
    z[i] =
        warm ? std::clamp(solution.z[i], problem.lower_bound(i), problem.upper_bound(i)) : at_bound;
  }
  return z;
}

BasisSolver::Outcome BasisSolver::solve(const LcpProblem& problem, const Basis& basis, VectorXd& z)
{
  gather(problem, basis, z);
  const Eigen::Index size = between_.size();
  if (size == 0) return Outcome::regular;
  const double start = measure(problem, z);
  fill_matrix(problem);
  Eigen::Ref<MatrixXd> corner = matrix_.topLeftCorner(size, size);
  const Eigen::PartialPivLU<Eigen::Ref<MatrixXd>> factors(corner);
  const auto pivots = factors.matrixLU().diagonal().cwiseAbs();
  const bool regular = pivots.minCoeff() > singular * pivots.maxCoeff();
  if (refine(problem, factors, start, z) <= solved * start)
    return regular ? Outcome::regular : Outcome::singular;

  fill_matrix(problem);
  const Eigen::CompleteOrthogonalDecomposition<MatrixXd> ranked(matrix_.topLeftCorner(size, size));
  for (const int i : between_) z[i] = 0.0;
  measure(problem, z);
  const bool consistent = refine(problem, ranked, start, z) <= solved * start;
  return consistent ? Outcome::singular : Outcome::inconsistent;
}

void BasisSolver::gather(const LcpProblem& problem, const Basis& basis, VectorXd& z)
{
  z.resize(problem.size());
  between_.clear();
  for (int i = 0; i < problem.size(); ++i) {
    const BasisSide side = basis[i];
    z[i] = bound_value(problem, i, side);
    if (side == BasisSide::between) between_.push_back(i);
  }
}

void BasisSolver::fill_matrix(const LcpProblem& problem)
{
  const Eigen::Index size = between_.size();
  if (matrix_.rows() < size) matrix_.resize(problem.size(), problem.size());
  for (Eigen::Index j = 0; j < size; ++j)
    for (Eigen::Index i = 0; i < size; ++i) matrix_(i, j) = problem.M(between_[i], between_[j]);
}

double BasisSolver::measure(const LcpProblem& problem, const VectorXd& z)
{
  w_ = problem.q;
  w_.noalias() += problem.M * z;
  error_ = w_(between_);
  return error_.size() ? error_.cwiseAbs().maxCoeff() : 0.0;
}

// Newton's step for w_F = 0, repeated while it helps; a step that does not (round-off, or not a
// number) is taken back. Returns what is left of |w_F|.
template <class Factors>
double BasisSolver::refine(const LcpProblem& problem, const Factors& factors, double start,
                           VectorXd& z)
{
  double error = start;
  for (int pass = 0; pass <= refinements; ++pass) {
    change_ = factors.solve(error_);
    before_ = z(between_);
    z(between_) -= change_;
    const double improved = measure(problem, z);
    if (!(improved < error)) {
      z(between_) = before_;
      break;
    }
    error = improved;
  }
  return error;
}

}  // namespace tact
