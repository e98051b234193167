#include <tact/linalg/stale_cholesky.hpp>

#include <algorithm>

namespace tact {
namespace {

// Two triangular solves and a product with K read each block of L twice; in a factorisation a block
// that is read serves several products. Measured on meshes of cloth and of solids.
constexpr double products_per_block = 2.2;
constexpr int fewest_iterations = 3;  // that are tried, on small matrices too

}  // namespace

StaleCholesky::StaleCholesky(const BlockPattern& pattern) : factor_(pattern)
{
  iteration_work_ =
      products_per_block * factor_.factor_block_count() / std::max(1.0, factor_.work());
}

bool StaleCholesky::solve(const BlockMatrix& K, const VectorXd& b, VectorXd& x,
                          const StaleCholeskyOptions& options)
{
  if (factors_ > 0 && descend(K, b, x, options)) return true;
  ++factors_;
  if (!factor_.factor(K)) return false;
  x = b;
  factor_.solve(x);
  return true;
}

// False: not there after as many iterations as are worth it.
bool StaleCholesky::descend(const BlockMatrix& K, const VectorXd& b, VectorXd& x,
                            const StaleCholeskyOptions& options)
{
  const int most =
      std::max(fewest_iterations, static_cast<int>(options.patience / iteration_work_));
  r_ = b;
  z_ = r_;
  factor_.solve(z_);
  p_ = z_;
  x.setZero(b.size());
  double rz = r_.dot(z_);
  const double target = options.tolerance * options.tolerance * rz;
  for (int k = 0; k < most && rz > target; ++k) {
    ++iterations_;
    multiply(K, p_, q_);
    const double curvature = p_.dot(q_);
    if (!(curvature > 0.0)) return false;
    x += rz / curvature * p_;
    r_ -= rz / curvature * q_;
    z_ = r_;
    factor_.solve(z_);
    const double next = r_.dot(z_);
    p_ = z_ + next / rz * p_;
    rz = next;
  }
  return rz <= target;
}

}  // namespace tact
