#include <tact/coulomb/proximal_point.hpp>

#include <algorithm>
#include <cmath>

#include <tact/coulomb/newton.hpp>

namespace tact {
namespace {

constexpr double inner_gain = 1e-2;   // |F| that an inner solve aims at, of that at its start
constexpr double smallest_F = 1e-15;  // round-off in scaled numbers
constexpr double enough_gain = 0.1;   // of |F|, by which an inner solve counts as done
constexpr double largest_alpha = 10.0;

// alpha over the outer steps. After a failure it stays for two successes, and then keeps away from
// where it failed: by a factor of two at first, which each success halves.
class Schedule {
 public:
  explicit Schedule(double alpha) : alpha_(alpha) {}
  double alpha() const { return alpha_; }
  int failures() const { return failures_; }

  void succeeded(int steps)
  {
    failures_ = 0;
    if (held_ > 0) {
      --held_;
      return;
    }
    const double wanted = alpha_ * (steps <= 6 ? 0.1 : steps <= 12 ? 0.316 : 1.0);
    alpha_ = std::max(wanted, std::min(alpha_, 2.0 * failed_at_));
    failed_at_ *= 0.5;
  }
  void failed()
  {
    ++failures_;
    held_ = 2;
    failed_at_ = alpha_;
    alpha_ = std::min(largest_alpha, 5.0 * alpha_);
  }

 private:
  double alpha_;
  double failed_at_ = 0.0;
  int held_ = 0;
  int failures_ = 0;
};

}  // namespace

template <int D>
StageEnd proximal_point(Search<D>& search, const VectorXd& start, const ProximalOptions& options)
{
  Newton<D> newton(search);
  Schedule schedule(options.alpha);
  VectorXd lambda = start;
  VectorXd centre;
  double gained_from = search.error();
  int gained_at = 0;
  for (int outer = 0; outer < options.max_outer && !search.over(); ++outer) {
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
      return StageEnd::stalled;
  }
  return search.converged() ? StageEnd::reached : StageEnd::limit;
}

template StageEnd proximal_point(Search<2>&, const VectorXd&, const ProximalOptions&);
template StageEnd proximal_point(Search<3>&, const VectorXd&, const ProximalOptions&);

}  // namespace tact
