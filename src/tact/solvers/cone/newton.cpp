#include <tact/solvers/cone/newton.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/LU>

#include <tact/core/stop.hpp>
#include <tact/solvers/cone/gauss_seidel.hpp>

namespace tact {
namespace {

constexpr double least_gain = 0.7;
constexpr double last_resort = 1e-8;           // on the diagonal of a singular matrix
constexpr double least_in_velocities = 1e-11;  // regularisation, whose inverse stands in the matrix
// Of the velocities, times the regularisation: impulses are these over that, and have to be good
// enough for |F| to fall a hundredfold.
constexpr double velocity_error = 1e-5;

// The largest of the last five values: what a step is compared with, so that |F| may rise a little.
class RecentResiduals {
 public:
  explicit RecentResiduals(double first) { values_.fill(first); }
  void add(double value) { values_[static_cast<std::size_t>(next_++ % 5)] = value; }
  double largest() const { return *std::max_element(values_.begin(), values_.end()); }

 private:
  std::array<double, 5> values_{};
  int next_ = 1;
};

// Whether the best |F| fell by 30 % within the last `patience` steps.
class GainWatch {
 public:
  GainWatch(double first, int patience) : patience_(patience), bests_{first} {}
  bool is_stalled(double best)
  {
    bests_.push_back(best);
    const auto count = static_cast<int>(bests_.size()) - 1;
    return count > patience_ && best > least_gain * bests_[count - patience_];
  }

 private:
  int patience_;
  std::vector<double> bests_;
};

}  // namespace

template <int D>
Newton<D>::Newton(Search<D>& search)
    : search_(search),
      problem_(search.problem),
      law_(alart_curnier(search.problem)),
      reduced_(law_.size()),
      first_row_(law_.size())
{
}

template <int D>
double Newton<D>::measure(const VectorXd& lambda, const VectorXd& u) const
{
  double squared = 0.0;
  for (int c = 0; c < problem_.contacts(); ++c)
    squared += law_[c].value(part<D>(lambda, c), part<D>(u, c)).squaredNorm();
  return std::sqrt(squared);
}

// A step length that leaves alpha out would be too long where alpha is large, and no step would
// lower |F| then.
template <int D>
void Newton<D>::use_alpha(double alpha)
{
  if (alpha == law_alpha_) return;
  law_ = alart_curnier(problem_, alpha);
  law_alpha_ = alpha;
}

template <int D>
double Newton<D>::residual(const VectorXd& lambda, double alpha)
{
  use_alpha(alpha);
  problem_.velocities(lambda, u_);
  return measure(lambda, u_);
}

template <int D>
void Newton<D>::linearise(const Point& at)
{
  rows_ = 0;
  for (int c = 0; c < problem_.contacts(); ++c) {
    reduced_[c] = ReducedContact<D>(law_[c], part<D>(at.lambda, c), part<D>(at.u, c));
    first_row_[c] = rows_;
    rows_ += reduced_[c].rows;
  }
}

// R (A + B (W + regularisation I)) C xi = -R F - R (A + B (W + regularisation I)) d
template <int D>
void Newton<D>::fill(double regularisation)
{
  LinearSystem& system = search_.system;
  system.begin(rows_);
  right_.resize(rows_);
  for (int c = 0; c < problem_.contacts(); ++c) {
    const ReducedContact<D>& row = reduced_[c];
    if (row.rows == 0) continue;
    ContactVector<D> right = row.right;
    for (int k = problem_.first[c]; k < problem_.first[c + 1]; ++k) {
      const int other = problem_.column[k];
      const bool own = other == c;
      ContactMatrix<D> block = row.RB * problem_.W[k];
      if (own) block += row.RA + regularisation * row.RB;
      const ReducedContact<D>& column = reduced_[other];
      right.noalias() -= block * column.d;
      if (column.rows == 0) continue;
      block = block * column.C;
      for (int i = 0; i < row.rows; ++i)
        for (int j = 0; j < column.rows; ++j)
          if (own || block(i, j) != 0.0)
            system.add(first_row_[c] + i, first_row_[other] + j, block(i, j));
    }
    for (int i = 0; i < row.rows; ++i) right_[first_row_[c] + i] = right[i];
  }
}

template <int D>
bool Newton<D>::factor(double regularisation)
{
  fill(regularisation);
  ++search_.work.factorisations;
  if (search_.system.factor()) return true;
  for (int i = 0; i < rows_; ++i) search_.system.add(i, i, last_resort);
  ++search_.work.factorisations;
  return search_.system.factor();
}

// dlambda = C xi + d of one contact, with xi in right_.
template <int D>
ContactVector<D> Newton<D>::step_of(int contact) const
{
  const ReducedContact<D>& at = reduced_[contact];
  ContactVector<D> step = at.d;
  for (int j = 0; j < at.rows; ++j) step += right_[first_row_[contact] + j] * at.C.col(j);
  return step;
}

// Velocities take the same time however few contacts act.
template <int D>
bool Newton<D>::are_velocities_cheaper(double regularisation) const
{
  if (!search_.velocities || regularisation < least_in_velocities) return false;
  const double share = static_cast<double>(rows_) / problem_.size();
  const double entries = share * share * D * D * problem_.block_count();
  return search_.velocities->step_work() < factorisation_work(rows_, entries);
}

template <int D>
bool Newton<D>::find_in_impulses(double regularisation)
{
  if (rows_ > 0) {
    if (!factor(regularisation)) return false;
    search_.system.solve(right_);
    if (!right_.allFinite()) return false;
  }
  direction_.lambda.resize(problem_.size());
  for (int c = 0; c < problem_.contacts(); ++c) part<D>(direction_.lambda, c) = step_of(c);
  problem_.multiply(direction_.lambda, direction_.u);
  return true;
}

template <int D>
bool Newton<D>::find_in_velocities(const Point& at, double regularisation)
{
  if constexpr (D == 3) {
    VelocitySystem& system = *search_.velocities;
    G_.resize(law_.size());
    g_.resize(problem_.size());
    for (int c = 0; c < problem_.contacts(); ++c) {
      const Vector3d lambda = part<D>(at.lambda, c), u = part<D>(at.u, c);
      const auto slope = law_[c].derivative(lambda, u);
      const Matrix3d inverse = (slope.A + regularisation * slope.B).inverse();
      G_[c] = inverse * slope.B;
      part<D>(g_, c) = inverse * law_[c].value(lambda, u);
    }
    const int factors = system.factors(), iterations = system.iterations();
    const double tolerance = std::clamp(velocity_error * regularisation, 1e-13, 1e-7);
    const bool found = system.solve(G_, g_, tolerance, response_);
    search_.work.factorisations += system.factors() - factors;
    search_.work.krylov_iterations += system.iterations() - iterations;
    if (!found) return false;
    direction_.lambda.resize(problem_.size());
    for (int c = 0; c < problem_.contacts(); ++c)
      part<D>(direction_.lambda, c) = G_[c] * part<D>(response_, c) - part<D>(g_, c);
    system.multiply(direction_.lambda, direction_.u);
    return direction_.lambda.allFinite();
  } else {
    return false;
  }
}

template <int D>
bool Newton<D>::find_direction(const Point& at, double alpha, double regularisation)
{
  linearise(at);
  const bool found =
      are_velocities_cheaper(regularisation) && find_in_velocities(at, regularisation);
  if (!found && !find_in_impulses(regularisation)) return false;
  direction_.u += alpha * direction_.lambda;
  return true;
}

// Moves `at` along direction_. False: there is nowhere to go.
template <int D>
bool Newton<D>::choose_step(Point& at, double reference, double best)
{
  const auto try_step = [&](const Point& from, const Direction& along, double length,
                            Point& trial) {
    trial.lambda = from.lambda + length * along.lambda;
    trial.u = from.u + length * along.u;
    trial.residual = measure(trial.lambda, trial.u);
    return std::isfinite(trial.residual);
  };
  return watchdog_.choose_step(at, direction_, reference, best, try_step);
}

template <int D>
NewtonEnd Newton<D>::solve(VectorXd& lambda, const VectorXd& centre, const NewtonTask& task)
{
  use_alpha(task.alpha);
  Point at;
  at.lambda = lambda;
  problem_.velocities(lambda, at.u);
  at.u += task.alpha * (lambda - centre);
  at.residual = measure(at.lambda, at.u);
  RecentResiduals recent(at.residual);
  GainWatch gain(at.residual, task.patience);
  NewtonEnd end{0, at.residual, at.residual <= task.target};
  watchdog_.reset();
  while (!end.reached && end.steps < task.max_steps && !search_.exhausted()) {
    end_if_stopped();
    const double regularisation = task.alpha + task.damping * at.residual;
    if (!find_direction(at, task.alpha, regularisation)) break;
    ++end.steps;
    ++search_.work.newton_steps;
    if (!choose_step(at, recent.largest(), end.residual)) break;
    recent.add(at.residual);
    if (at.residual < end.residual) {
      end.residual = at.residual;
      lambda = at.lambda;
    }
    end.reached = end.residual <= task.target;
    if (gain.is_stalled(end.residual)) break;
  }
  return end;
}

namespace {

// Newton's method until the tolerance or a stall; returns the steps it took. The tolerance is on
// rel_q, in the units of the problem: |F| follows it step by step.
template <int D>
int descend(Search<D>& search, Newton<D>& newton, VectorXd& lambda, int max_steps)
{
  const VectorXd centre = lambda;
  int steps = 0;
  double target = newton.residual(lambda);
  while (steps < max_steps && !search.over()) {
    target *= 0.1;
    const NewtonEnd end = newton.solve(
        lambda, centre,
        {.damping = 0.1, .target = target, .max_steps = max_steps - steps, .patience = 30});
    steps += std::max(1, end.steps);
    search.offer(lambda);
    if (!end.reached) break;
  }
  return steps;
}

}  // namespace

template <int D>
SolveStatus newton_alone(Search<D>& search, const VectorXd& start, int max_steps)
{
  constexpr int first_sweeps = 20, most_sweeps = 640;
  gauss_seidel(search, start, {.max_sweeps = first_sweeps});
  Newton<D> newton(search);
  int steps = 0;
  for (int sweeps = 2 * first_sweeps; steps < max_steps && !search.over(); sweeps *= 2) {
    VectorXd lambda = search.best();
    steps += descend(search, newton, lambda, max_steps - steps);
    if (search.over() || sweeps > most_sweeps) break;
    gauss_seidel(search, search.best(), {.max_sweeps = sweeps});
  }
  if (search.converged()) return SolveStatus::converged;
  return steps >= max_steps || search.exhausted() ? SolveStatus::iteration_limit
                                                  : SolveStatus::stalled;
}

template class Newton<2>;
template class Newton<3>;
template SolveStatus newton_alone(Search<2>&, const VectorXd&, int);
template SolveStatus newton_alone(Search<3>&, const VectorXd&, int);

}  // namespace tact
