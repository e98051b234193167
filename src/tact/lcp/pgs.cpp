#include <tact/lcp/pgs.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include <tact/core/stop.hpp>
#include <tact/lcp/complementary_basis.hpp>

namespace tact {
namespace {

constexpr int sweeps_between_looks = 8;

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

//   z_i <- mid(l_i, z_i - (M_i z + q_i) / M_ii, u_i),   i = 1..n, each with the newest z
//
// The projection belongs inside the sweep: applied after it, the method need not converge.
void sweep(const RowMajorMatrix& M, const LcpProblem& problem, VectorXd& z)
{
  for (int i = 0; i < problem.size(); ++i) {
    const double w = M.row(i).dot(z) + problem.q[i];
    z[i] = std::clamp(z[i] - w / M(i, i), problem.lower_bound(i), problem.upper_bound(i));
  }
}

}  // namespace

SolveReport solve_pgs(const LcpProblem& problem, LcpSolution& solution, const PgsOptions& options)
{
  validate(problem);
  SolveReport report;
  solution.z = starting_point(problem, solution);
  report.residual = residual(problem, solution.z, solution.w);
  for (int i = 0; i < problem.size(); ++i) {
    if (problem.M(i, i) > 0.0) continue;
    report.status = SolveStatus::unsupported;
    report.note =
        fmt::format("pgs divides by the diagonal, and M({0}, {0}) is {1}; \"lemke\" does not", i,
                    problem.M(i, i));
    return report;
  }

  const RowMajorMatrix M = problem.M;
  const int max_sweeps = options.max_sweeps > 0 ? options.max_sweeps : 20'000;
  while (report.residual > options.tolerance && report.iterations < max_sweeps) {
    end_if_stopped();
    const int sweeps = std::min(sweeps_between_looks, max_sweeps - report.iterations);
    for (int k = 0; k < sweeps; ++k) sweep(M, problem, solution.z);
    report.iterations += sweeps;
    report.residual = residual(problem, solution.z, solution.w);
    if (!std::isfinite(report.residual)) break;
  }
  report.status = report.residual <= options.tolerance ? SolveStatus::converged
                  : std::isfinite(report.residual)     ? SolveStatus::iteration_limit
                                                       : SolveStatus::stalled;
  if (report.status == SolveStatus::stalled) report.note = "the sweeps diverge";
  return report;
}

}  // namespace tact
