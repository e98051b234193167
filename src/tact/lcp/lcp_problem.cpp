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

}  // namespace tact
