#include <tact/contact/projected/region_audit.hpp>

#include <tact/coulomb/friction_solvers.hpp>
#include <tact/lcp/solvers.hpp>

namespace tact {
namespace {

constexpr int most_audited = 300;  // contacts: W has 900 rows
constexpr double exact = 1e-11;    // of the solvers' own measures

struct DenseRegion {
  MatrixXd W;
  VectorXd q, mu;
};

DenseRegion dense(const ContactSweep& sweep, ContactRange region)
{
  const int n = region.last - region.first;
  DenseRegion out{MatrixXd(3 * n, 3 * n), VectorXd(3 * n), VectorXd(n)};
  for (int c = 0; c < n; ++c) {
    out.q.segment<3>(3 * c) = sweep.contacts[region.first + c].q;
    out.mu[c] = sweep.contacts[region.first + c].mu;
    for (int d = 0; d < n; ++d)
      out.W.block<3, 3>(3 * c, 3 * d) = sweep.coupling(region.first + c, region.first + d);
  }
  return out;
}

std::optional<VectorXd> solve_disc(const DenseRegion& region)
{
  const FrictionProblem problem{3, region.W.sparseView(), region.q, region.mu};
  FrictionSolution solution;
  const SolveReport report = solve_friction(problem, solution, "auto", {.tolerance = exact});
  if (!report.ok()) return std::nullopt;
  return solution.lambda;
}

// lambda_k = p_k - m_k with p, m >= 0, and a slack for each tangent:
//   0 <= p_k perp u_k + s_k,  0 <= m_k perp s_k - u_k,  0 <= s_k perp mu lambda_n - p_k - m_k
// Seven rows a contact: n, p_1, m_1, p_2, m_2, s_1, s_2.
std::optional<VectorXd> solve_pyramid(const DenseRegion& region)
{
  const auto n = region.mu.size();
  MatrixXd expand = MatrixXd::Zero(3 * n, 7 * n);  // from the unknowns to lambda
  MatrixXd bounds = MatrixXd::Zero(7 * n, 7 * n);
  for (Eigen::Index c = 0; c < n; ++c) {
    expand(3 * c, 7 * c) = 1.0;
    for (int k = 0; k < 2; ++k) {
      const Eigen::Index plus = 7 * c + 1 + 2 * k, minus = plus + 1, slack = 7 * c + 5 + k;
      expand(3 * c + 1 + k, plus) = 1.0;
      expand(3 * c + 1 + k, minus) = -1.0;
      bounds(plus, slack) = bounds(minus, slack) = 1.0;
      bounds(slack, plus) = bounds(slack, minus) = -1.0;
      bounds(slack, 7 * c) = region.mu[c];
    }
  }
  const LcpProblem problem{.M = expand.transpose() * region.W * expand + bounds,
                           .q = expand.transpose() * region.q,
                           .lower = {},
                           .upper = {}};
  LcpSolution solution;
  if (!solve_lcp(problem, solution, "lemke", {.tolerance = 1e-9}).ok()) return std::nullopt;
  return expand * solution.z;
}

}  // namespace

std::optional<double> audit_difference(const ContactSweep& sweep, ContactRange region,
                                       const double* lambda)
{
  const int n = region.last - region.first;
  if (n > most_audited) return std::nullopt;
  const DenseRegion problem = dense(sweep, region);
  const std::optional<VectorXd> answer =
      sweep.law == FrictionLaw::disc ? solve_disc(problem) : solve_pyramid(problem);
  if (!answer) return std::nullopt;
  const Eigen::Map<const VectorXd> iterated(lambda + 3 * region.first, 3 * n);
  return (problem.W * (*answer - iterated)).cwiseAbs().maxCoeff();
}

}  // namespace tact
