#include <tact/solvers/regions/region_audit.hpp>

#include <algorithm>
#include <optional>
#include <vector>

#include <tact/lcp/solvers.hpp>
#include <tact/solvers/cone/friction_solvers.hpp>
#include <tact/solvers/nested/newton_correction.hpp>

namespace tact {
namespace {

constexpr int most_audited = 300;          // contacts: W has 900 rows
constexpr double exact = 1e-11;            // of the solvers' own measures
constexpr double exact_velocity = 1e-9;    // m/s: natural map of what counts as exact
constexpr int most_corrections = 20;       // by Newton's method, each of a few steps
constexpr int most_sweeps_between = 1000;  // where these do not help
constexpr double work_of_sweeps = 1e7;     // entries of W to pass through, at most, each time

struct MatrixRegion {
  MatrixXd W;
  VectorXd q, mu;
};

MatrixRegion dense(const ContactSweep& sweep, ContactRange region)
{
  const int n = region.last - region.first;
  MatrixRegion out{MatrixXd(3 * n, 3 * n), VectorXd(3 * n), VectorXd(n)};
  for (int c = 0; c < n; ++c) {
    out.q.segment<3>(3 * c) = sweep.contacts[region.first + c].q;
    out.mu[c] = sweep.contacts[region.first + c].mu;
  }
  sweep.form_delassus(region, out.W.data());
  out.W.transposeInPlace();  // it comes row by row
  return out;
}

// From `start`, or from no impulses where it is empty.
std::optional<VectorXd> solve_disc(const MatrixRegion& region, const VectorXd& start)
{
  const FrictionProblem problem{3, region.W.sparseView(), region.q, region.mu};
  FrictionSolution solution{start, {}, {}};
  const SolveReport report = solve_friction(problem, solution, "auto", {.tolerance = exact});
  if (!report.ok()) return std::nullopt;
  return solution.lambda;
}

// lambda_k = p_k - m_k with p, m >= 0, and a slack for each tangent:
//   0 <= p_k perp u_k + s_k,  0 <= m_k perp s_k - u_k,  0 <= s_k perp mu lambda_n - p_k - m_k
// Seven rows a contact: n, p_1, m_1, p_2, m_2, s_1, s_2.
std::optional<VectorXd> solve_pyramid(const MatrixRegion& region)
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

// The natural map of the worst contact, m/s.
double worst_contact(const ContactSweep& sweep, ContactRange range, const MatrixRegion& region,
                     const VectorXd& lambda)
{
  const VectorXd u = region.W * lambda + region.q;
  NaturalSum sum;
  for (int c = range.first; c < range.last; ++c) {
    const int at = 3 * (c - range.first);
    const SweepContact& contact = sweep.contacts[c];
    sum.add(u.segment<3>(at), lambda.segment<3>(at), contact.mu, contact.scale, sweep.law);
  }
  return sum.worst;
}

// Sweeps as any other, but on W itself, and many.
void sweep_on(const ContactSweep& sweep, ContactRange range, const MatrixRegion& region,
              VectorXd& lambda)
{
  const auto entries = static_cast<double>(region.W.size());
  const int sweeps = std::clamp(static_cast<int>(work_of_sweeps / entries), 1, most_sweeps_between);
  ColumnsDelassus W{region.W, region.W * lambda + region.q};
  const auto law = [of = sweep.law_of(1), &range](int k, const Vector3d& u, const Vector3d& own) {
    return of(range.first + k, u, own);
  };
  for (int k = 0; k < sweeps; ++k)
    tact::sweep<3>(W, ContactNumbers(0, range.last - range.first), law, lambda.data());
}

// An exact answer near the iterated one: Newton's method, with sweeps where it does not get on.
std::optional<VectorXd> find_nearby(const ContactSweep& sweep, ContactRange range,
                                    const MatrixRegion& region, const double* lambda)
{
  std::vector<double> all(lambda, lambda + 3 * range.last);
  Eigen::Map<VectorXd> own(all.data() + 3 * range.first, 3 * (range.last - range.first));
  NewtonCorrection newton;
  for (int k = 0; k < most_corrections; ++k) {
    const bool better = newton.improve(sweep, range, all.data());
    VectorXd answer = own;
    if (worst_contact(sweep, range, region, answer) <= exact_velocity) return answer;
    if (better) continue;
    sweep_on(sweep, range, region, answer);
    own = answer;
  }
  return std::nullopt;
}

}  // namespace

RegionAudit audit_region(const ContactSweep& sweep, ContactRange region, const double* lambda)
{
  RegionAudit audit;
  const int n = region.last - region.first;
  if (n > most_audited) return audit;
  const MatrixRegion problem = dense(sweep, region);
  const bool disc = sweep.law == FrictionLaw::disc;
  const auto is_exact = [&](const VectorXd& answer) {
    return worst_contact(sweep, region, problem, answer) <= exact_velocity;
  };
  const auto apart = [&](const VectorXd& a, const VectorXd& b) {
    return (problem.W * (a - b)).cwiseAbs().maxCoeff();
  };
  std::optional<VectorXd> afresh = disc ? solve_disc(problem, {}) : solve_pyramid(problem);
  if (afresh && !is_exact(*afresh)) afresh.reset();
  const VectorXd iterated = Eigen::Map<const VectorXd>(lambda + 3 * region.first, 3 * n);
  std::optional<VectorXd> nearby = find_nearby(sweep, region, problem, lambda);
  if (!nearby && disc) nearby = solve_disc(problem, iterated);
  if (!nearby || !is_exact(*nearby)) nearby = afresh;
  if (!nearby) return audit;
  audit.solved = true;
  audit.difference = apart(*nearby, iterated);
  audit.residual = worst_contact(sweep, region, problem, *nearby);
  audit.spread = afresh ? apart(*nearby, *afresh) : 0.0;
  return audit;
}

}  // namespace tact
