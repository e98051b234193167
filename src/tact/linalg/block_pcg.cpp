#include <tact/linalg/block_pcg.hpp>

#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include <tact/core/stop.hpp>
#include <tact/linalg/padded3.hpp>
#include <tact/linalg/row_chunks.hpp>

namespace tact {

namespace {

// Round-off lets the residual that is carried along drift from the true one. A restart from the
// true one that does not gain this much is the last.
constexpr double worthwhile_gain = 0.5;

bool positive_definite(const Matrix3d& D)
{
  const double minor = D(0, 0) * D(1, 1) - D(0, 1) * D(1, 0);
  return D(0, 0) > 0.0 && minor > 0.0 && D.determinant() > 0.0 && D.allFinite();
}

double sum_in_order(const std::vector<double>& sums)
{
  double total = 0.0;
  for (const double sum : sums) total += sum;
  return total;
}

// z = D^-1 r in some rows. Returns r' z there.
double precondition(const std::vector<Matrix3d>& inverse_diagonal, RowChunk rows, const VectorXd& r,
                    VectorXd& z)
{
  Padded3 sum = {};
  for (int row = rows.first; row < rows.last; ++row) {
    const double* D = inverse_diagonal[row].data();
    const Padded3 r_i = load3(r.data() + 3 * row);
    const Padded3 z_i = load3(D) * r_i[0] + load3(D + 3) * r_i[1] + load3(D + 6) * r_i[2];
    store3(z_i, z.data() + 3 * row);
    sum += r_i * z_i;
  }
  return sum[0] + sum[1] + sum[2];
}

auto part(VectorXd& x, RowChunk rows)
{
  return x.segment(3 * rows.first, 3 * (rows.last - rows.first));
}

}  // namespace

// How a run of conjugate gradients ended.
struct BlockPcg::Descent {
  int iterations = 0;
  bool broke_down = false;   // A is not positive definite, or p vanished
  bool near_enough = false;  // by the energy of the error
};

// What it runs to.
struct BlockPcg::Target {
  double residual = 0.0;  // r' D^-1 r
  double energy = 0.0;    // e' A e, 0: none
};

namespace {

// What the last iterations gained of e' A e, added up.
class LastGains {
 public:
  void add(double gain)
  {
    sum_ += gain - gains_[next_];
    gains_[next_] = gain;
    next_ = (next_ + 1) % gains_.size();
    if (next_ == 0) full_ = true;
  }
  bool below(double energy) const { return full_ && sum_ <= energy; }

 private:
  std::array<double, 12> gains_{};
  std::size_t next_ = 0;
  double sum_ = 0.0;
  bool full_ = false;
};

}  // namespace

// The Rayleigh quotient of the uniform motion is 1 / ratio; conjugate gradients gain a factor of
// (sqrt(k) - 1) / (sqrt(k) + 1) an iteration, k the condition number.
double expected_pcg_iterations(const BlockMatrix& A, double tolerance)
{
  double diagonal = 0.0, all = 0.0;
  for (int i = 0; i < A.rows(); ++i) {
    diagonal += A.blocks[A.pattern->diagonal_slot(i)].trace();
    for (int slot = A.pattern->first_slot(i); slot < A.pattern->first_slot(i + 1); ++slot) {
      all += A.blocks[slot].trace();
    }
  }
  if (!(all > 0.0)) return std::numeric_limits<double>::infinity();
  return 0.5 * std::sqrt(2.0 * diagonal / all) * std::log(2.0 / tolerance);
}

bool BlockPcg::prepare(const BlockMatrix& A)
{
  const int n = A.rows();
  inverse_diagonal_.resize(n);
  for (VectorXd* v : {&r_, &z_, &p_, &q_}) v->resize(3 * n);
  sums_.resize(chunk_count(n));
  for (int row = 0; row < n; ++row) {
    const Matrix3d& D = A.blocks[A.pattern->diagonal_slot(row)];
    if (!positive_definite(D)) return false;
    inverse_diagonal_[row] = D.inverse();
  }
  return true;
}

// v' D^-1 v
double BlockPcg::weighted_square(const BlockPattern& pattern, const VectorXd& v)
{
  for_row_chunks(pattern, [&](RowChunk rows) {
    sums_[rows.index] = precondition(inverse_diagonal_, rows, v, z_);
  });
  return sum_in_order(sums_);
}

// r = b - A x, z = D^-1 r. Returns r' z.
double BlockPcg::residual_squared(const BlockMatrix& A, const VectorXd& b, const VectorXd& x)
{
  for_row_chunks(*A.pattern, [&](RowChunk rows) {
    multiply_rows(A, rows, x.data(), q_.data());
    for (int i = 3 * rows.first; i < 3 * rows.last; ++i) r_[i] = b[i] - q_[i];
    sums_[rows.index] = precondition(inverse_diagonal_, rows, r_, z_);
  });
  return sum_in_order(sums_);
}

// Conjugate gradients from r, z and r' z = rz, until r' z or the energy is below its target.
BlockPcg::Descent BlockPcg::descend(const BlockMatrix& A, VectorXd& x, double rz,
                                    const Target& target, int budget)
{
  Descent descent;
  LastGains gains;
  p_ = z_;
  while (rz > target.residual && descent.iterations < budget) {
    end_if_stopped();
    ++descent.iterations;
    for_row_chunks(*A.pattern, [&](RowChunk rows) {
      multiply_rows(A, rows, p_.data(), q_.data());
      sums_[rows.index] = part(p_, rows).dot(part(q_, rows));
    });
    const double pq = sum_in_order(sums_);
    descent.broke_down = !(pq > 0.0);
    if (descent.broke_down) break;
    const double alpha = rz / pq;
    gains.add(alpha * rz);
    for_row_chunks(*A.pattern, [&](RowChunk rows) {
      part(x, rows) += alpha * part(p_, rows);
      part(r_, rows) -= alpha * part(q_, rows);
      sums_[rows.index] = precondition(inverse_diagonal_, rows, r_, z_);
    });
    const double previous = rz;
    rz = sum_in_order(sums_);
    descent.near_enough = target.energy > 0.0 && gains.below(target.energy);
    if (descent.near_enough) break;
    const double beta = rz / previous;
    for_row_chunks(*A.pattern,
                   [&](RowChunk rows) { part(p_, rows) = part(z_, rows) + beta * part(p_, rows); });
  }
  return descent;
}

PcgReport BlockPcg::solve(const BlockMatrix& A, const VectorXd& b, VectorXd& x,
                          const PcgOptions& options)
{
  assert(b.size() == A.size() && r_.size() == A.size());
  if (x.size() != b.size()) x.setZero(b.size());
  PcgReport report;
  const double b_norm = std::sqrt(weighted_square(*A.pattern, b));
  if (b_norm == 0.0) {
    x.setZero();
    report.converged = true;
    return report;
  }
  const double target = options.tolerance * b_norm;
  double norm = std::sqrt(residual_squared(A, b, x));
  bool useful = true;
  while (useful && norm > target && report.iterations < options.max_iterations) {
    const Descent descent =
        descend(A, x, norm * norm, {.residual = target * target, .energy = options.error_energy},
                options.max_iterations - report.iterations);
    report.iterations += descent.iterations;
    const double before = norm;
    norm = std::sqrt(residual_squared(A, b, x));
    report.converged = descent.near_enough;
    useful = !descent.near_enough && !descent.broke_down && norm <= worthwhile_gain * before;
  }
  report.residual = norm / b_norm;
  report.converged = report.converged || norm <= target;
  return report;
}

}  // namespace tact
