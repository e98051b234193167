#include <tact/coulomb/friction_problem.hpp>

#include <cmath>

#include <fmt/core.h>

#include <tact/core/error.hpp>

namespace tact {
namespace {

void require_friction(bool holds, const std::string& complaint)
{
  if (!holds) throw Error("friction problem: " + complaint);
}

}  // namespace

void validate(const FrictionProblem& problem)
{
  const int d = problem.dimension;
  require_friction(d == 2 || d == 3, fmt::format("found dimension {}, expected 2 or 3", d));
  const int n = problem.size();
  require_friction(problem.W.rows() == n && problem.W.cols() == n,
                   fmt::format("found W of {} x {}, expected {} x {} for {} contacts",
                               problem.W.rows(), problem.W.cols(), n, n, problem.contacts()));
  require_friction(problem.q.size() == n,
                   fmt::format("found {} entries in q, expected {}", problem.q.size(), n));
  for (int row = 0; row < n; ++row) {
    for (SparseRows::InnerIterator it(problem.W, row); it; ++it)
      require_friction(std::isfinite(it.value()), fmt::format("W({}, {}) is {}, expected a finite "
                                                              "number",
                                                              row, it.col(), it.value()));
    require_friction(std::isfinite(problem.q[row]),
                     fmt::format("q[{}] is {}, expected a finite number", row, problem.q[row]));
  }
  for (int c = 0; c < problem.contacts(); ++c)
    require_friction(std::isfinite(problem.mu[c]) && problem.mu[c] >= 0.0,
                     fmt::format("mu[{}] is {}, expected a number >= 0", c, problem.mu[c]));
}

}  // namespace tact
