#include <tact/solvers/cone/interior_iterate.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tact {
namespace {

constexpr double to_boundary = 0.99;  // share of the way to the boundary that a step may go
constexpr double least_centring = 1e-8;
constexpr double shift_lag = 0.03;  // keeps mu_c from outrunning the shift
constexpr double vanished = 1e-40;  // mu_c below which nothing can be told

}  // namespace

template <int D>
double InteriorIterate<D>::complementarity() const
{
  double sum = 0.0;
  for (const Contact& contact : contacts) sum += contact.y.dot(contact.z);
  return contacts.empty() ? sum : sum / static_cast<double>(contacts.size());
}

template <int D>
bool InteriorIterate<D>::is_lost(double mu_c) const
{
  return !std::isfinite(mu_c) || mu_c < vanished;
}

template <int D>
void InteriorIterate<D>::impulses(VectorXd& lambda) const
{
  lambda.resize(D * static_cast<Eigen::Index>(contacts.size()));
  for (int c = 0; c < static_cast<int>(contacts.size()); ++c) {
    part<D>(lambda, c) = contacts[c].z;
    lambda[D * c] /= contacts[c].mu;
  }
}

template <int D>
void InteriorIterate<D>::take_residuals(const VectorXd& u, bool frozen_shift)
{
  double squared_r = 0.0, squared_z = 0.0;
  for (int c = 0; c < static_cast<int>(contacts.size()); ++c) {
    Contact& contact = contacts[c];
    const double sliding = contact.y.template tail<D - 1>().norm();
    contact.r_p = part<D>(u, c);
    contact.r_p[0] /= contact.mu;
    if (contact.frictionless) contact.r_p.template tail<D - 1>().setZero();
    contact.r_p -= contact.y;
    if (!contact.frictionless) contact.r_p[0] += frozen_shift ? contact.frozen : sliding;
    contact.scaling = lorentz::scaling<D>(contact.y, contact.z);
    squared_r += contact.r_p.squaredNorm();
    squared_z += contact.z.squaredNorm();
  }
  const auto count = static_cast<double>(contacts.size());
  r_p_size = std::sqrt(squared_r / count);
  z_size = std::sqrt(squared_z / count);
}

template <int D>
void InteriorIterate<D>::aim_at_zero()
{
  for (Contact& contact : contacts) contact.r_c = -contact.z;
}

template <int D>
void InteriorIterate<D>::correct(double target)
{
  for (Contact& contact : contacts) {
    const auto& s = contact.scaling;
    Vector d = -lorentz::product<D>(s.l, s.l);
    d -= lorentz::product<D>(s.inverse * contact.dy_affine, s.N * contact.dz_affine);
    d[0] += target;
    contact.r_c = s.inverse * lorentz::quotient<D>(s.l, d);
  }
}

template <int D>
double InteriorIterate<D>::longest_step(Vector Contact::*dy, Vector Contact::*dz) const
{
  double step = std::numeric_limits<double>::infinity();
  for (const Contact& contact : contacts) {
    step = std::min(step, lorentz::longest_step<D>(contact.y, contact.*dy));
    step = std::min(step, lorentz::longest_step<D>(contact.z, contact.*dz));
  }
  return std::min(1.0, to_boundary * step);
}

// How far the affine step would bring mu_c down.
template <int D>
double InteriorIterate<D>::centring(double mu_c) const
{
  const double step = longest_step(&Contact::dy_affine, &Contact::dz_affine);
  double sum = 0.0;
  for (const Contact& contact : contacts)
    sum += (contact.y + step * contact.dy_affine).dot(contact.z + step * contact.dz_affine);
  const double share = std::max(0.0, sum / (static_cast<double>(contacts.size()) * mu_c));
  return std::clamp(share * share * share, least_centring, 1.0);
}

template <int D>
double InteriorIterate<D>::lagged_centring(double mu_c) const
{
  return std::min(1.0, std::max(centring(mu_c), shift_lag * r_p_size * z_size / mu_c));
}

template <int D>
void InteriorIterate<D>::move()
{
  constexpr double inside = 1.0 + 1e-15;
  constexpr double smallest = 1e-300;
  const auto keep_inside = [](Vector& x) {
    const double tangential = x.template tail<D - 1>().norm();
    x[0] = std::max(x[0], inside * tangential + smallest);
  };
  const double length = longest_step(&Contact::dy, &Contact::dz);
  for (Contact& contact : contacts) {
    contact.y += length * contact.dy;
    contact.z += length * contact.dz;
    keep_inside(contact.y);
    keep_inside(contact.z);
  }
}

template class InteriorIterate<2>;
template class InteriorIterate<3>;

}  // namespace tact
