#include <tact/solvers/cone/proximal_point.hpp>

#include <algorithm>
#include <cmath>

#include <tact/core/stop.hpp>
#include <tact/solvers/cone/newton.hpp>
#include <tact/solvers/newton/alpha_schedule.hpp>

namespace tact {
namespace {

constexpr double inner_gain = 1e-2;   // |F| that an inner solve aims at, of that at its start
constexpr double smallest_F = 1e-15;  // round-off in scaled numbers
constexpr double enough_gain = 0.1;   // of |F|, by which an inner solve counts as done

}  // namespace

template <int D>
SolveStatus proximal_point(Search<D>& search, const VectorXd& start, const ProximalOptions& options)
{
  Newton<D> newton(search);
  AlphaSchedule schedule(options.alpha);
  VectorXd lambda = start;
  VectorXd centre;
  double gained_from = search.error();
  int gained_at = 0;
  for (int outer = 0; outer < options.max_outer && !search.over(); ++outer) {
    end_if_stopped();
    ++search.work.outer_steps;
    centre = lambda;
    const double before = newton.residual(lambda, schedule.alpha());
    const NewtonEnd end = newton.solve(lambda, centre,
                                       {.alpha = schedule.alpha(),
                                        .target = std::max(smallest_F, inner_gain * before),
                                        .max_steps = options.max_inner});
    search.offer(lambda);
    if (search.error() < 0.7 * gained_from) {
      gained_from = search.error();
      gained_at = outer;
    }
    if (search.converged()) break;
    if (end.reached || end.residual < enough_gain * before) {
      schedule.succeeded(end.steps);
    } else {
      lambda = centre;  // not the best point: from there the same failures would follow
      schedule.failed();
    }
    if (outer - gained_at > options.patience || schedule.failures() >= options.max_failures)
      return SolveStatus::stalled;
  }
  return search.converged() ? SolveStatus::converged : SolveStatus::iteration_limit;
}

template SolveStatus proximal_point(Search<2>&, const VectorXd&, const ProximalOptions&);
template SolveStatus proximal_point(Search<3>&, const VectorXd&, const ProximalOptions&);

}  // namespace tact
