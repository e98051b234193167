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
  if (between_.empty()) return Outcome::regular;
  const double start = measure(problem, z);
  fill_matrix(problem);
  // As given first: rows of large entries are pivoted first then, and come out best.
  const bool regular = refine_by_lu(problem, start, z);
  if (regular && error_size() <= solved * start) return Outcome::regular;

  scale_matrix(problem);
  const bool is_singular = !refine_by_lu(problem, error_size(), z);
  if (error_size() <= solved * start) return is_singular ? Outcome::singular : Outcome::regular;

  scale_matrix(problem);
  const Eigen::CompleteOrthogonalDecomposition<MatrixXd> ranked(corner());
  for (const int i : between_) z[i] = 0.0;
  refine(problem, ranked, measure(problem, z), z);
  return error_size() <= solved * start ? Outcome::singular : Outcome::inconsistent;
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

Eigen::Ref<MatrixXd> BasisSolver::corner()
{
  const auto size = static_cast<Eigen::Index>(between_.size());
  return matrix_.topLeftCorner(size, size);
}

// M_FF as given.
void BasisSolver::fill_matrix(const LcpProblem& problem)
{
  const auto size = static_cast<Eigen::Index>(between_.size());
  if (matrix_.rows() < size) matrix_.resize(problem.size(), problem.size());
  for (Eigen::Index j = 0; j < size; ++j)
    for (Eigen::Index i = 0; i < size; ++i) matrix_(i, j) = problem.M(between_[i], between_[j]);
  scale_.row.setOnes(size);
  scale_.column.setOnes(size);
}

// M_FF equilibrated.
void BasisSolver::scale_matrix(const LcpProblem& problem)
{
  fill_matrix(problem);
  scale_.fit(corner());
  corner() = scale_.row.asDiagonal() * corner() * scale_.column.asDiagonal();
}

double BasisSolver::error_size() const
{
  return error_.size() ? error_.cwiseAbs().maxCoeff() : 0.0;
}

double BasisSolver::measure(const LcpProblem& problem, const VectorXd& z)
{
  w_ = problem.q;
  w_.noalias() += problem.M * z;
  error_ = w_(between_);
  return error_size();
}

// Whether the matrix is regular.
bool BasisSolver::refine_by_lu(const LcpProblem& problem, double start, VectorXd& z)
{
  Eigen::Ref<MatrixXd> matrix = corner();
  const Eigen::PartialPivLU<Eigen::Ref<MatrixXd>> factors(matrix);
  const auto pivots = factors.matrixLU().diagonal().cwiseAbs();
  refine(problem, factors, start, z);
  return pivots.minCoeff() > singular * pivots.maxCoeff();
}

// Newton's step for w_F = 0, repeated while it helps; a step that does not (round-off, or not a
// number) is taken back.
template <class Factors>
void BasisSolver::refine(const LcpProblem& problem, const Factors& factors, double start,
                         VectorXd& z)
{
  double error = start;
  for (int pass = 0; pass <= refinements; ++pass) {
    change_ = scale_.column.cwiseProduct(factors.solve(scale_.row.cwiseProduct(error_)));
    before_ = z(between_);
    z(between_) -= change_;
    const double improved = measure(problem, z);
    if (!(improved < error)) {
      z(between_) = before_;
      measure(problem, z);
      break;
    }
    error = improved;
  }
}

}  // namespace tact
