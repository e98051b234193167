#include <tact/solvers/cone/interior_point.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tact {
namespace {

constexpr double to_boundary = 0.99;      // share of the way to the boundary that a step may go
constexpr double derivative_from = 1e-2;  // rel_q from which the shift's derivative is used: from
                                          // a cold start it makes the method diverge
constexpr double blur = 10.0;             // of the kink of |y_T|, times mu_c / |z|
constexpr double least_centring = 1e-8;
constexpr double shift_lag = 0.03;  // keeps mu_c from outrunning the shift
constexpr double centre = 1e-9;     // mu_c at which recentring ends
constexpr double vanished = 1e-40;  // mu_c below which nothing can be told

}  // namespace

template <int D>
InteriorPoint<D>::InteriorPoint(Search<D>& search)
    : search_(search), problem_(search.problem), contacts_(search.problem.mu.size())
{
  for (int c = 0; c < problem_.contacts(); ++c) {
    Contact& contact = contacts_[c];
    contact.frictionless = problem_.mu[c] == 0.0;
    contact.mu = contact.frictionless ? 1.0 : problem_.mu[c];
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
    z[0] *= contacts_[c].mu;
    y[0] /= contacts_[c].mu;
    largest_z = std::max(largest_z, z.norm());
    largest_y = std::max(largest_y, y.norm());
    contacts_[c].frozen = y.template tail<D - 1>().norm();
  }
  for (Contact& contact : contacts_) {
    contact.z = (largest_z > 0.0 ? largest_z : 1.0) * Vector::Unit(0);
    contact.y = (largest_y > 0.0 ? largest_y : 1.0) * Vector::Unit(0);
  }
}

template <int D>
double InteriorPoint<D>::complementarity() const
{
  double sum = 0.0;
  for (const Contact& contact : contacts_) sum += contact.y.dot(contact.z);
  return sum / std::max(1, problem_.contacts());
}

template <int D>
void InteriorPoint<D>::impulses(VectorXd& lambda) const
{
  lambda.resize(problem_.size());
  for (int c = 0; c < problem_.contacts(); ++c) {
    part<D>(lambda, c) = contacts_[c].z;
    lambda[D * c] /= contacts_[c].mu;
  }
}

// r_p, E and the scaling of every contact. u_ holds the velocities of the impulses.
template <int D>
void InteriorPoint<D>::take_residuals(double mu_c, bool frozen_shift, bool with_derivative)
{
  double squared_r = 0.0;
  double squared_z = 0.0;
  for (int c = 0; c < problem_.contacts(); ++c) {
    Contact& contact = contacts_[c];
    const TangentVector<D> y_T = contact.y.template tail<D - 1>();
    const double sliding = y_T.norm();
    contact.r_p = part<D>(u_, c);
    contact.r_p[0] /= contact.mu;
    if (contact.frictionless) contact.r_p.template tail<D - 1>().setZero();
    contact.r_p -= contact.y;
    if (!contact.frictionless) contact.r_p[0] += frozen_shift ? contact.frozen : sliding;
    contact.E.setIdentity();
    if (with_derivative && sliding > 0.0) {
      const double kink = blur * mu_c / contact.z.norm();
      const double k = sliding * sliding / (sliding * sliding + kink * kink);
      contact.E.template block<1, D - 1>(0, 1) = -(k / sliding) * y_T.transpose();
    }
    contact.scaling = lorentz::scaling<D>(contact.y, contact.z);
    contact.N2 = contact.scaling.N * contact.scaling.N;
    squared_r += contact.r_p.squaredNorm();
    squared_z += contact.z.squaredNorm();
  }
  r_p_size_ = std::sqrt(squared_r / problem_.contacts());
  z_size_ = std::sqrt(squared_z / problem_.contacts());
}

// Wb + E N^2; tangents of contacts without friction get rows of the unit matrix.
template <int D>
bool InteriorPoint<D>::factor()
{
  LinearSystem& system = search_.system;
  system.begin(problem_.size());
  for (int c = 0; c < problem_.contacts(); ++c) {
    const Contact& contact = contacts_[c];
    for (int k = problem_.first[c]; k < problem_.first[c + 1]; ++k) {
      const int other = problem_.column[k];
      Matrix block = problem_.W[k];
      block.row(0) /= contact.mu;
      block.col(0) /= contacts_[other].mu;
      if (other == c) block.noalias() += contact.E * contact.N2;
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
    const Contact& contact = contacts_[c];
    Vector right = contact.E * (contact.N2 * contact.r_c) - contact.r_p;
    if (contact.frictionless) right.template tail<D - 1>().setZero();
    part<D>(x_, c) = right;
  }
  search_.system.solve(x_);
  for (int c = 0; c < problem_.contacts(); ++c) {
    Contact& contact = contacts_[c];
    contact.*dz = part<D>(x_, c);
    contact.*dy = contact.N2 * (contact.r_c - contact.*dz);
  }
}

template <int D>
double InteriorPoint<D>::longest_step(Vector Contact::*dy, Vector Contact::*dz) const
{
  double step = std::numeric_limits<double>::infinity();
  for (const Contact& contact : contacts_) {
    step = std::min(step, lorentz::longest_step<D>(contact.y, contact.*dy));
    step = std::min(step, lorentz::longest_step<D>(contact.z, contact.*dz));
  }
  return std::min(1.0, to_boundary * step);
}

// sigma by Mehrotra's rule: how far the affine step would bring mu_c down.
template <int D>
double InteriorPoint<D>::centring(double mu_c, bool frozen_shift)
{
  for (Contact& contact : contacts_) contact.r_c = -contact.z;
  solve_step(&Contact::dy_affine, &Contact::dz_affine);
  const double step = longest_step(&Contact::dy_affine, &Contact::dz_affine);
  double sum = 0.0;
  for (const Contact& contact : contacts_)
    sum += (contact.y + step * contact.dy_affine).dot(contact.z + step * contact.dz_affine);
  const double share = std::max(0.0, sum / (problem_.contacts() * mu_c));
  const double sigma = std::clamp(share * share * share, least_centring, 1.0);
  if (frozen_shift) return sigma;
  return std::min(1.0, std::max(sigma, shift_lag * r_p_size_ * z_size_ / mu_c));
}

// r_c of the step that aims at y o z = target e, with the second-order term of the affine step.
template <int D>
void InteriorPoint<D>::correct(double target)
{
  for (Contact& contact : contacts_) {
    const auto& s = contact.scaling;
    Vector d = -lorentz::product<D>(s.l, s.l);
    d -= lorentz::product<D>(s.inverse * contact.dy_affine, s.N * contact.dz_affine);
    d[0] += target;
    contact.r_c = s.inverse * lorentz::quotient<D>(s.l, d);
  }
}

template <int D>
void InteriorPoint<D>::move(double length)
{
  constexpr double inside = 1.0 + 1e-15;
  constexpr double smallest = 1e-300;
  const auto keep_inside = [](Vector& x) {
    const double tangential = x.template tail<D - 1>().norm();
    x[0] = std::max(x[0], inside * tangential + smallest);
  };
  for (Contact& contact : contacts_) {
    contact.y += length * contact.dy;
    contact.z += length * contact.dz;
    keep_inside(contact.y);
    keep_inside(contact.z);
  }
}

template <int D>
StageEnd InteriorPoint<D>::solve(VectorXd& point, const InteriorOptions& options)
{
  start(point);
  double best = std::numeric_limits<double>::infinity();
  int since_gain = 0;
  bool with_derivative = false;
  for (int step = 0; step < options.max_steps && !search_.over(); ++step) {
    const double mu_c = complementarity();
    if (!std::isfinite(mu_c) || mu_c < vanished) return StageEnd::stalled;
    impulses(lambda_);
    problem_.velocities(lambda_, u_);
    take_residuals(mu_c, options.frozen_shift, with_derivative);
    const double error = search_.offer(lambda_, u_);
    ++since_gain;
    if (error < best) {
      best = error;
      since_gain = 0;
    }
    if (since_gain == 0 || options.frozen_shift) point = lambda_;
    const bool centred =
        options.frozen_shift && mu_c < centre && r_p_size_ < 1e-3 * std::sqrt(centre);
    if (centred || search_.converged()) return StageEnd::reached;
    if (!options.frozen_shift && best <= options.stop) return StageEnd::reached;
    if (!options.frozen_shift && since_gain > options.patience) return StageEnd::stalled;
    with_derivative = with_derivative || (!options.frozen_shift && error < derivative_from);
    if (!factor()) return StageEnd::stalled;
    correct(centring(mu_c, options.frozen_shift) * mu_c);
    solve_step(&Contact::dy, &Contact::dz);
    move(longest_step(&Contact::dy, &Contact::dz));
    ++search_.work.interior_steps;
  }
  return search_.converged() ? StageEnd::reached : StageEnd::limit;
}

template class InteriorPoint<2>;
template class InteriorPoint<3>;

}  // namespace tact
