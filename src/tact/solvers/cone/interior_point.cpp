#include <tact/solvers/cone/interior_point.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <tact/core/stop.hpp>

namespace tact {
namespace {

constexpr double derivative_from = 1e-2;  // rel_q from which the shift's derivative is used: from
                                          // a cold start it makes the method diverge
constexpr double blur = 10.0;             // of the kink of |y_T|, times mu_c / |z|
constexpr double centre = 1e-9;           // mu_c at which recentring ends

}  // namespace

template <int D>
InteriorPoint<D>::InteriorPoint(Search<D>& search)
    : search_(search), problem_(search.problem), EN2_(search.problem.sets.size())
{
  at_.contacts.resize(EN2_.size());
  for (int c = 0; c < problem_.contacts(); ++c) {
    Contact& contact = at_.contacts[c];
    contact.frictionless = problem_.sets[c].mu == 0.0;
    contact.mu = contact.frictionless ? 1.0 : problem_.sets[c].mu;
  }
}

template <int D>
void InteriorPoint<D>::start(const VectorXd& point)
{
  problem_.velocities(point, u_);
  double largest_z = 0.0;
  double largest_y = 0.0;
  for (int c = 0; c < problem_.contacts(); ++c) {
    Vector z = part<D>(point, c);
    Vector y = part<D>(u_, c);
    z[0] *= at_.contacts[c].mu;
    y[0] /= at_.contacts[c].mu;
    largest_z = std::max(largest_z, z.norm());
    largest_y = std::max(largest_y, y.norm());
    at_.contacts[c].frozen = y.template tail<D - 1>().norm();
  }
  for (Contact& contact : at_.contacts) {
    contact.z = (largest_z > 0.0 ? largest_z : 1.0) * Vector::Unit(0);
    contact.y = (largest_y > 0.0 ? largest_y : 1.0) * Vector::Unit(0);
  }
}

// E: the derivative of the shift, or none.
template <int D>
void InteriorPoint<D>::find_derivative(double mu_c, bool exact)
{
  for (int c = 0; c < problem_.contacts(); ++c) {
    Contact& contact = at_.contacts[c];
    const TangentVector<D> y_T = contact.y.template tail<D - 1>();
    const double sliding = y_T.norm();
    contact.E.setIdentity();
    if (exact && sliding > 0.0) {
      const double kink = blur * mu_c / contact.z.norm();
      const double k = sliding * sliding / (sliding * sliding + kink * kink);
      contact.E.template block<1, D - 1>(0, 1) = -(k / sliding) * y_T.transpose();
    }
    EN2_[c] = contact.E * (contact.scaling.N * contact.scaling.N);
  }
}

// Wb + E N^2; tangents of contacts without friction get rows of the unit matrix.
template <int D>
bool InteriorPoint<D>::factor()
{
  LinearSystem& system = search_.system;
  system.begin(problem_.size());
  for (int c = 0; c < problem_.contacts(); ++c) {
    const Contact& contact = at_.contacts[c];
    for (int k = problem_.first[c]; k < problem_.first[c + 1]; ++k) {
      const int other = problem_.column[k];
      Matrix block = problem_.W[k];
      block.row(0) /= contact.mu;
      block.col(0) /= at_.contacts[other].mu;
      if (other == c) block += EN2_[c];
      if (contact.frictionless) {
        block.template bottomRows<D - 1>().setZero();
        if (other == c) block.template bottomRightCorner<D - 1, D - 1>().setIdentity();
      }
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) system.add(D * c + i, D * other + j, block(i, j));
    }
  }
  ++search_.work.factorisations;
  return system.factor();
}

template <int D>
void InteriorPoint<D>::solve_step(Vector Contact::*dy, Vector Contact::*dz)
{
  x_.resize(problem_.size());
  for (int c = 0; c < problem_.contacts(); ++c) {
    const Contact& contact = at_.contacts[c];
    Vector right = EN2_[c] * contact.r_c - contact.r_p;
    if (contact.frictionless) right.template tail<D - 1>().setZero();
    part<D>(x_, c) = right;
  }
  search_.system.solve(x_);
  for (int c = 0; c < problem_.contacts(); ++c) {
    Contact& contact = at_.contacts[c];
    contact.*dz = part<D>(x_, c);
    const Matrix& N = contact.scaling.N;
    contact.*dy = N * (N * (contact.r_c - contact.*dz));
  }
}

template <int D>
SolveStatus InteriorPoint<D>::solve(VectorXd& point, const InteriorOptions& options)
{
  start(point);
  double best = std::numeric_limits<double>::infinity();
  int since_gain = 0;
  bool with_derivative = false;
  for (int step = 0; step < options.max_steps && !search_.over(); ++step) {
    end_if_stopped();
    const double mu_c = at_.complementarity();
    if (at_.is_lost(mu_c)) return SolveStatus::stalled;
    at_.impulses(lambda_);
    problem_.velocities(lambda_, u_);
    at_.take_residuals(u_, options.frozen_shift);
    find_derivative(mu_c, with_derivative);
    const double error = search_.offer(lambda_, u_);
    ++since_gain;
    if (error < best) {
      best = error;
      since_gain = 0;
    }
    if (since_gain == 0 || options.frozen_shift) point = lambda_;
    const bool centred =
        options.frozen_shift && mu_c < centre && at_.r_p_size < 1e-3 * std::sqrt(centre);
    if (centred || search_.converged()) return SolveStatus::converged;
    if (!options.frozen_shift && best <= options.stop) return SolveStatus::converged;
    if (!options.frozen_shift && since_gain > options.patience) return SolveStatus::stalled;
    with_derivative = with_derivative || (!options.frozen_shift && error < derivative_from);
    if (!factor()) return SolveStatus::stalled;
    at_.aim_at_zero();
    solve_step(&Contact::dy_affine, &Contact::dz_affine);
    at_.correct((options.frozen_shift ? at_.centring(mu_c) : at_.lagged_centring(mu_c)) * mu_c);
    solve_step(&Contact::dy, &Contact::dz);
    at_.move();
    ++search_.work.interior_steps;
  }
  return search_.converged() ? SolveStatus::converged : SolveStatus::iteration_limit;
}

template class InteriorPoint<2>;
template class InteriorPoint<3>;

}  // namespace tact
