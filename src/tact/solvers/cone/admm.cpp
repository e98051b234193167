#include <tact/solvers/cone/admm.hpp>

#include <algorithm>
#include <utility>

#include <tact/core/stop.hpp>

namespace tact {
namespace {

constexpr double first_rho = 0.1;  // W is scaled to a unit diagonal
constexpr double rho_factor = 3.0;
constexpr double imbalance = 10.0;  // of the two residuals, above which rho is changed
constexpr double relaxation = 1.5;
constexpr int check_interval = 10;  // iterations
constexpr int rho_interval = 50;

template <int D>
class AdmmIteration {
 public:
  AdmmIteration(Search<D>& search, const VectorXd& z) : search_(search), z_(z) {}

  // y = P_K*(u^) of z; the projection on the dual cone is x + P_K(-x) (Moreau). Of a bilateral row
  // u where its limit holds it, else 0.
  void start_at_point()
  {
    problem().velocities(z_, y_);
    for (int c = 0; c < problem().contacts(); ++c) {
      const ImpulseSet& set = problem().sets[c];
      if (set.is_row) {
        const double wanted = z_[D * c] - y_[D * c];
        if (set.clamped(wanted) == wanted) y_[D * c] = 0.0;
        continue;
      }
      const ContactVector<D> moved = shifted<D>(part<D>(y_, c), set.mu);
      part<D>(y_, c) = moved + project_on_cone<D>(-moved, set.mu);
    }
  }
  void start_at_zero()
  {
    y_.setZero(problem().size());
    z_.setZero(problem().size());
  }

  bool factor()
  {
    ++search_.work.factorisations;
    return search_.velocities ? search_.velocities->factor_shifted(rho_) : factor_in_impulses();
  }

  bool factor_in_impulses()
  {
    LinearSystem& system = search_.system;
    system.begin(problem().size());
    for (int c = 0; c < problem().contacts(); ++c) {
      for (int k = problem().first[c]; k < problem().first[c + 1]; ++k) {
        for (int i = 0; i < D; ++i) {
          for (int j = 0; j < D; ++j) {
            const double rho = k == problem().diagonal[c] && i == j ? rho_ : 0.0;
            system.add(D * c + i, D * problem().column[k] + j, problem().W[k](i, j) + rho);
          }
        }
      }
    }
    return system.factor();
  }

  void step()
  {
    ++search_.work.admm_iterations;
    lambda_ = y_ + rho_ * z_ - problem().q;
    for (int c = 0; c < problem().contacts(); ++c)
      lambda_[D * c] -= problem().sets[c].mu * y_.segment<D - 1>(D * c + 1).norm();
    solve(lambda_);
    old_z_ = z_;
    relaxed_ = relaxation * lambda_ + (1.0 - relaxation) * z_;
    for (int c = 0; c < problem().contacts(); ++c)
      part<D>(z_, c) = project<D>(part<D>(relaxed_, c) - part<D>(y_, c) / rho_, problem().sets[c]);
    y_ -= rho_ * (relaxed_ - z_);
  }

  // Keeps the residuals of the two halves alike. False: the new matrix is singular.
  bool adapt_rho()
  {
    const double primal = (lambda_ - z_).norm();
    const double dual = rho_ * (z_ - old_z_).norm();
    if (primal > imbalance * dual)
      rho_ *= rho_factor;
    else if (dual > imbalance * primal)
      rho_ /= rho_factor;
    else
      return true;
    changed_ = true;
    return factor();
  }

  bool take_changed() { return std::exchange(changed_, false); }
  const VectorXd& z() const { return z_; }
  VectorXd growth() const { return z_.size() == old_z_.size() ? z_ - old_z_ : VectorXd(); }

 private:
  const BlockProblem<D>& problem() const { return search_.problem; }

  void solve(VectorXd& x)  // x := (W + rho I)^-1 x
  {
    if (search_.velocities)
      search_.velocities->solve_shifted(x);
    else
      search_.system.solve(x);
  }

  Search<D>& search_;
  double rho_ = first_rho;
  bool changed_ = false;
  VectorXd lambda_, relaxed_, y_, z_, old_z_;
};

}  // namespace

template <int D>
SolveStatus admm(Search<D>& search, VectorXd& point, const AdmmOptions& options, VectorXd* growth)
{
  AdmmIteration<D> iteration(search, point);
  if (options.start == AdmmStart::at_zero)
    iteration.start_at_zero();
  else
    iteration.start_at_point();
  double best = search.offer(iteration.z());
  point = iteration.z();
  double halved_from = best;
  int halved_at = 0;
  int rho_changed_at = 0;
  SolveStatus end = SolveStatus::iteration_limit;
  if (!iteration.factor()) return SolveStatus::stalled;
  for (int k = 1; k <= options.max_iterations && !search.over(); ++k) {
    end_if_stopped();
    iteration.step();
    if (k % check_interval != 0) continue;
    const double error = search.offer(iteration.z());
    if (error < best) {
      best = error;
      point = iteration.z();
    }
    if (best < 0.5 * halved_from) {
      halved_from = best;
      halved_at = k;
    }
    if (search.converged() || best <= options.stop) break;
    const bool stalled = options.leave_when_stalled && k - halved_at > std::max(300, k / 3);
    const bool may_change = k - rho_changed_at >= rho_interval;
    if (stalled || (may_change && !iteration.adapt_rho())) {
      end = SolveStatus::stalled;
      break;
    }
    if (iteration.take_changed()) rho_changed_at = k;
  }
  if (growth) *growth = iteration.growth();
  return search.converged() || best <= options.stop ? SolveStatus::converged : end;
}

template SolveStatus admm(Search<2>&, VectorXd&, const AdmmOptions&, VectorXd*);
template SolveStatus admm(Search<3>&, VectorXd&, const AdmmOptions&, VectorXd*);

}  // namespace tact
