#include <tact/linalg/stale_cholesky.hpp>

#include <algorithm>

#include <tact/linalg/elimination.hpp>
#include <tact/linalg/elimination_order.hpp>

namespace tact {
namespace {

// Two triangular solves and a product with K read each block of L twice; in a factorisation a block
// that is read serves several products. Measured on meshes of cloth and of solids.
constexpr double products_per_block = 2.2;
constexpr int fewest_iterations = 3;  // that are tried, on small matrices too
// r' M^-1 r, M the matrix of the factor, is known after one more solve with it. It mostly falls as
// r' r does; where that leaves so much room, the solve is saved.
constexpr double sure = 0.1;

}  // namespace

void StaleCholesky::begin(const BlockPattern& pattern, std::span<const int> order)
{
  elimination_ = std::make_shared<const Elimination>(
      order.empty() ? analyse(pattern, minimum_degree_order(pattern)) : analyse(pattern, order));
  single_.begin(elimination_);
  double_.reset();
  factors_ = iterations_ = 0;
  iteration_work_ =
      products_per_block * elimination_->factor_block_count / std::max(1.0, elimination_->work);
}

bool StaleCholesky::solve(const BlockMatrix& K, const VectorXd& b, VectorXd& x,
                          const StaleCholeskyOptions& options)
{
  if (factors_ > 0 && descend(K, b, x, options)) return true;
  if (!double_) {
    ++factors_;
    if (single_.factor(K) && descend(K, b, x, options)) return true;
    double_.emplace(elimination_);
  }
  ++factors_;
  if (!double_->factor(K)) return false;
  x = b;
  double_->solve(x);
  return true;
}

void StaleCholesky::precondition(const VectorXd& r, VectorXd& z)
{
  if (double_) {
    z = r;
    double_->solve(z);
  } else {
    single_.solve(r, z);
  }
}

// False: not there after as many iterations as are worth it.
bool StaleCholesky::descend(const BlockMatrix& K, const VectorXd& b, VectorXd& x,
                            const StaleCholeskyOptions& options)
{
  const int most =
      std::max(fewest_iterations, static_cast<int>(options.patience / iteration_work_));
  r_ = b;
  precondition(r_, z_);
  p_ = z_;
  x.setZero(b.size());
  double rz = r_.dot(z_), rr = r_.squaredNorm();
  const double target = options.tolerance * options.tolerance * rz;
  for (int k = 0; k < most && rz > target; ++k) {
    ++iterations_;
    multiply(K, p_, q_);
    const double curvature = p_.dot(q_);
    if (!(curvature > 0.0)) return false;
    x += rz / curvature * p_;
    r_ -= rz / curvature * q_;
    const double rest = r_.squaredNorm();
    if (rest * rz <= sure * target * rr) return true;
    rr = rest;
    precondition(r_, z_);
    const double next = r_.dot(z_);
    p_ = z_ + next / rz * p_;
    rz = next;
  }
  return rz <= target;
}

}  // namespace tact
