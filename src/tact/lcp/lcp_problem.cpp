#include <tact/lcp/lcp_problem.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include <tact/core/error.hpp>

namespace tact {
namespace {

void check_shape(const LcpProblem& problem)
{
  const auto n = problem.q.size();
  if (problem.M.rows() != problem.M.cols())
    throw Error(fmt::format("LcpProblem: M is {} x {}; expected a square matrix", problem.M.rows(),
                            problem.M.cols()));
  if (problem.M.rows() != n)
    throw Error(fmt::format("LcpProblem: q has {} entries but M is {} x {}; expected one a row", n,
                            problem.M.rows(), problem.M.cols()));
  const auto check_bounds = [n](const VectorXd& bound, std::string_view which) {
    if (bound.size() != 0 && bound.size() != n)
      throw Error(fmt::format("LcpProblem: {} has {} entries; expected none or {}", which,
                              bound.size(), n));
  };
  check_bounds(problem.lower, "lower");
  check_bounds(problem.upper, "upper");
}

void check_finite(const LcpProblem& problem)
{
  if (problem.q.allFinite() && problem.M.allFinite()) return;
  for (int i = 0; i < problem.size(); ++i) {
    if (!std::isfinite(problem.q[i]))
      throw Error(
          fmt::format("LcpProblem: q[{}] is {}; expected a finite number", i, problem.q[i]));
    for (int j = 0; j < problem.size(); ++j)
      if (!std::isfinite(problem.M(i, j)))
        throw Error(fmt::format("LcpProblem: M({}, {}) is {}; expected a finite number", i, j,
                                problem.M(i, j)));
  }
}

constexpr double round_off = 1e-14;  // of the terms of a row, which are up to thousands

}  // namespace

LcpKind kind(const LcpProblem& problem)
{
  LcpKind found = LcpKind::lcp;
  for (int i = 0; i < problem.size(); ++i) {
    if (problem.is_equation(i)) {
      found = LcpKind::mlcp;
    } else if (problem.lower_bound(i) != 0.0 || problem.upper_bound(i) != infinity) {
      return LcpKind::blcp;
    }
  }
  return found;
}

std::string_view name(LcpKind kind)
{
  switch (kind) {
    case LcpKind::lcp: return "lcp";
    case LcpKind::mlcp: return "mlcp";
    case LcpKind::blcp: return "blcp";
  }
  return "unknown";
}

void validate(const LcpProblem& problem)
{
  check_shape(problem);
  check_finite(problem);
  for (int i = 0; i < problem.size(); ++i) {
    const double lower = problem.lower_bound(i);
    const double upper = problem.upper_bound(i);
    if (!(lower <= upper) || lower == infinity || upper == -infinity)
      throw Error(
          fmt::format("LcpProblem: variable {} is to lie in [{}, {}]; expected lower <= upper", i,
                      lower, upper));
  }
}

double residual(const LcpProblem& problem, const VectorXd& z, VectorXd& w)
{
  if (z.size() != problem.size())
    throw Error(fmt::format("residual: z has {} entries; the problem has {} variables", z.size(),
                            problem.size()));
  w = problem.q;
  w.noalias() += problem.M * z;
  double worst = 0.0;
  for (int i = 0; i < problem.size(); ++i) {
    // z - mid(l, z - w, u), written so that z - w is not rounded where z is much larger than w.
    const double above_lower = z[i] - problem.lower_bound(i);
    const double above_upper = z[i] - problem.upper_bound(i);
    const double error = std::abs(std::max(above_upper, std::min(above_lower, w[i])));
    if (!std::isfinite(z[i]) || !std::isfinite(w[i])) return infinity;
    worst = std::max(worst, error);
  }
  return worst;
}

double residual(const LcpProblem& problem, const VectorXd& z)
{
  VectorXd w;
  return residual(problem, z, w);
}

double relative_residual(const LcpProblem& problem, const VectorXd& z)
{
  VectorXd w;
  if (!std::isfinite(residual(problem, z, w))) return infinity;
  const MatrixXd sizes = problem.M.cwiseAbs();
  const VectorXd terms = problem.q.cwiseAbs() + sizes * z.cwiseAbs();
  const auto share = [&](int row, double error) { return error == 0.0 ? 0.0 : error / terms[row]; };
  const auto share_of_move = [&](int i, double distance) {  // of z_i, in the row it changes most
    double most = 0.0;
    if (distance == 0.0) return most;
    for (int k = 0; k < problem.size(); ++k)
      most = std::max(most, share(k, sizes(k, i) * distance));
    return most;
  };
  double worst = 0.0;
  for (int i = 0; i < problem.size(); ++i) {
    const double above_lower = z[i] - problem.lower_bound(i);
    const double below_upper = problem.upper_bound(i) - z[i];
    worst = std::max(worst, share_of_move(i, std::max({0.0, -above_lower, -below_upper})));
    const double to_bound = std::max(0.0, w[i] > 0.0 ? above_lower : below_upper);
    if (w[i] == 0.0 || to_bound == 0.0) continue;
    double error = share(i, std::abs(w[i]));
    if (std::isfinite(to_bound)) error = std::min(error, share_of_move(i, to_bound));
    worst = std::max(worst, error);
  }
  return worst;
}

bool is_at_round_off(const LcpProblem& problem, const VectorXd& z)
{
  return relative_residual(problem, z) <= round_off;
}

std::string round_off_note(const LcpProblem& problem, const VectorXd& z)
{
  return fmt::format("at round-off, {:.0e} of the terms of a row", relative_residual(problem, z));
}

}  // namespace tact
