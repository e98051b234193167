#include <tact/lcp/block_pivoting.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <tact/core/stop.hpp>
#include <tact/lcp/complementary_basis.hpp>
#include <tact/lcp/equilibration.hpp>

namespace tact {
namespace {

constexpr int patience = 10;         // full exchanges without progress before single ones
constexpr double dependent = 1e-13;  // Cholesky pivot against its diagonal entry; 1/condition of LU
constexpr double asymmetry = 1e-14;  // of M, relative: what iterative refinement absorbs
constexpr double no_violation = 1e-13;  // violations below, against the largest values, are none
constexpr int max_proximal_steps = 50;  // where a principal block of M turns out to be singular
// Their weight, in equilibrated data (largest entries near 1), falls by ten from step to step.
constexpr double first_proximal = 1e-1, last_proximal = 1e-7;

// Solves K x = b for the matrix of the variables between their bounds, by Cholesky where it can.
class FreeBlock {
 public:
  explicit FreeBlock(bool symmetric) : symmetric_(symmetric) {}

  // False where K is singular to working precision.
  bool factor(const MatrixXd& K)
  {
    uses_cholesky_ = false;
    if (K.size() == 0) return true;
    if (symmetric_) {
      cholesky_.compute(K);
      if (cholesky_.info() == Eigen::Success) {
        uses_cholesky_ = true;
        const auto pivots = cholesky_.matrixLLT().diagonal().array().square();
        return (pivots > dependent * K.diagonal().array()).all();
      }
    }
    lu_.compute(K);
    return lu_.rcond() > dependent;
  }

  VectorXd solve(const VectorXd& b) const
  {
    if (b.size() == 0) return b;
    return uses_cholesky_ ? VectorXd(cholesky_.solve(b)) : VectorXd(lu_.solve(b));
  }

 private:
  bool symmetric_;
  bool uses_cholesky_ = false;
  Eigen::LLT<MatrixXd> cholesky_;
  Eigen::PartialPivLU<MatrixXd> lu_;
};

// The exchanges, in equilibrated data:  w = (M + weight I) z + q - weight center.  This is the
// given problem for weight 0, else one proximal step from the point `center`.
class Exchange {
 public:
  enum class End { solved, singular, limit };

  Exchange(const LcpProblem& given, const VectorXd& z, const BlockPivotingOptions& options);

  End run(double weight, const VectorXd& center, int max_exchanges);
  VectorXd z_given() const { return scale_.column.cwiseProduct(z_); }
  const VectorXd& z() const { return z_; }
  int exchanges() const { return exchanges_; }

 private:
  bool solve_between(double weight, const VectorXd& center);
  void find_violated();
  void change_side(int i);

  BasisSide& side(int i) { return basis_[i]; }

  double tolerance_;
  Equilibration scale_;
  LcpProblem problem_;  // equilibrated
  Basis basis_;
  FreeBlock block_;
  VectorXd z_, w_;
  std::vector<int> between_;   // F
  std::vector<int> violated_;  // H
  double violation_ = 0.0;     // the largest in H, in the units of the given problem
  int exchanges_ = 0;
};

Exchange::Exchange(const LcpProblem& given, const VectorXd& z, const BlockPivotingOptions& options)
    : tolerance_(options.tolerance),
      basis_(basis_of(given, z)),
      block_(given.M.isApprox(given.M.transpose(), asymmetry))
{
  scale_.fit(given.M);
  problem_.M = scale_.row.asDiagonal() * given.M * scale_.column.asDiagonal();
  problem_.q = scale_.row.cwiseProduct(given.q);
  if (given.lower.size()) problem_.lower = given.lower.cwiseQuotient(scale_.column);
  if (given.upper.size()) problem_.upper = given.upper.cwiseQuotient(scale_.column);
  z_ = z.cwiseQuotient(scale_.column);
}

Exchange::End Exchange::run(double weight, const VectorXd& center, int max_exchanges)
{
  std::size_t fewest = basis_.size() + 1;
  int left = patience;
  while (exchanges_ < max_exchanges) {
    end_if_stopped();
    ++exchanges_;
    if (!solve_between(weight, center)) return End::singular;
    find_violated();
    if (violated_.empty()) return End::solved;
    if (violated_.size() < fewest) {
      fewest = violated_.size();
      left = patience;
    } else if (left > 0) {
      --left;
    } else if (violation_ <= 0.5 * tolerance_) {
      return End::solved;  // what is left to exchange changes its mind with the rounding
    } else {
      violated_ = {violated_.back()};  // Murty's rule: of a P-matrix no basis comes twice
    }
    for (const int i : violated_) change_side(i);
  }
  return End::limit;
}

// M_FF z_F = -(q_F + M_FB z_B) for the variables between (F), the others at their bounds (B), with
// one step of iterative refinement; then w of all.
bool Exchange::solve_between(double weight, const VectorXd& center)
{
  between_.clear();
  for (int i = 0; i < problem_.size(); ++i) {
    z_[i] = bound_value(problem_, i, side(i));
    if (side(i) == BasisSide::between) between_.push_back(i);
  }
  MatrixXd K = problem_.M(between_, between_);
  K.diagonal().array() += weight;
  const bool regular = block_.factor(K);
  const auto measure = [&] {
    w_ = problem_.q + weight * (z_ - center);
    w_.noalias() += problem_.M * z_;
  };
  measure();
  for (int pass = 0; pass < 2; ++pass) {
    z_(between_) -= block_.solve(w_(between_));
    measure();
  }
  return regular && z_.allFinite();
}

void Exchange::find_violated()
{
  const double largest_z = z_.cwiseAbs().maxCoeff();
  const double small_z = no_violation * largest_z;
  const double small_w = no_violation * std::max(largest_z, problem_.q.cwiseAbs().maxCoeff());
  violated_.clear();
  violation_ = 0.0;
  for (int i = 0; i < problem_.size(); ++i) {
    const double lower = problem_.lower_bound(i);
    const double upper = problem_.upper_bound(i);
    if (lower == upper) continue;
    const double off = side(i) == BasisSide::between ? std::max(lower - z_[i], z_[i] - upper)
                       : side(i) == BasisSide::lower ? -w_[i]
                                                     : w_[i];
    if (off <= (side(i) == BasisSide::between ? small_z : small_w)) continue;
    violated_.push_back(i);
    const double unit = side(i) == BasisSide::between ? scale_.column[i] : 1.0 / scale_.row[i];
    violation_ = std::max(violation_, off * unit);
  }
}

void Exchange::change_side(int i)
{
  if (side(i) != BasisSide::between) {
    side(i) = BasisSide::between;
  } else {
    side(i) = z_[i] < problem_.lower_bound(i) ? BasisSide::lower : BasisSide::upper;
  }
}

// z_{k+1} solves the problem with M + weight I and q - weight z_k; a fixed point solves the given
// one. With M semidefinite every matrix on the way is definite, and the error shrinks by
// weight / (weight + least nonzero eigenvalue) a step: a small weight needs few steps, a large one
// few exchanges in each. So the weight begins large and ends small, the sides going on from step to
// step. Goes on below the tolerance while a step halves the residual: the velocities N z of M = N'N
// are only as good as its root.
Exchange::End take_proximal_steps(Exchange& exchange, const LcpProblem& problem,
                                  const BlockPivotingOptions& options, int max_exchanges,
                                  VectorXd& z)
{
  double best = residual(problem, z);
  double weight = first_proximal;
  VectorXd center = exchange.z();
  for (int step = 0; step < max_proximal_steps; ++step) {
    const Exchange::End end = exchange.run(weight, center, max_exchanges);
    if (end != Exchange::End::solved) return end;
    center = exchange.z();
    weight = std::max(last_proximal, 0.1 * weight);
    const double found = residual(problem, exchange.z_given());
    const bool settled = best <= options.tolerance && found > 0.5 * best;
    if (found < best) {
      best = found;
      z = exchange.z_given();
    }
    if (settled) break;
  }
  return Exchange::End::solved;
}

}  // namespace

SolveReport solve_block_pivoting(const LcpProblem& problem, LcpSolution& solution,
                                 const BlockPivotingOptions& options)
{
  validate(problem);
  SolveReport report;
  solution.z = starting_point(problem, solution);
  report.residual = residual(problem, solution.z, solution.w);
  report.status = SolveStatus::converged;
  if (report.residual <= options.tolerance) return report;

  const int n = problem.size();
  const int max_exchanges = options.max_exchanges > 0 ? options.max_exchanges : 500 + 20 * n;
  Exchange exchange(problem, solution.z, options);
  Exchange::End end = exchange.run(0.0, VectorXd::Zero(n), max_exchanges);
  if (end == Exchange::End::solved) solution.z = exchange.z_given();
  if (end == Exchange::End::singular) {
    Exchange regularised(problem, solution.z, options);
    const int left = max_exchanges - exchange.exchanges();
    end = take_proximal_steps(regularised, problem, options, left, solution.z);
    report.iterations = regularised.exchanges();
    report.note = "a principal block is singular: proximal steps";
  }
  report.iterations += exchange.exchanges();
  report.residual = residual(problem, solution.z, solution.w);
  report.status = report.residual <= options.tolerance ? SolveStatus::converged
                  : end == Exchange::End::limit        ? SolveStatus::iteration_limit
                                                       : SolveStatus::stalled;
  return report;
}

}  // namespace tact
