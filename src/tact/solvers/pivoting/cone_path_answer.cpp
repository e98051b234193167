// What the end of a cone-state path says: impulses, and the certificate that they obey the law.
#include <algorithm>
#include <cmath>

#include <tact/solvers/pivoting/cone_path.hpp>

namespace tact {

// Impulse of one contact from its generators. A force that round-off left just outside its edge or
// facet is put back onto it; a sticking one may have coordinates of any sign.
Vector3d ConePath::impulse_of(int contact) const
{
  const Face face = states_[contact].face;
  const int x = states_[contact].x;
  const auto coordinate = [&](int slot) {
    const double value = kernel_.x(kernel_.column_of(contact, slot));
    return face == Face::stick ? value : std::max(value, 0.0);
  };
  const double mu = problem_->contacts()[contact].mu;
  Vector3d impulse = Vector3d::Zero();
  for (int slot = 0; slot < std::min(static_cast<int>(face), 2); ++slot) {
    impulse += coordinate(slot) *
               Vector3d(1.0, mu * pyramid_->cos_d[x + slot], mu * pyramid_->sin_d[x + slot]);
  }
  if (face == Face::stick) impulse[0] += coordinate(2);
  return impulse;
}

void ConePath::impulses(VectorXd& lambda) const
{
  lambda.resize(3 * problem_->size());
  lambda.setZero();
  for (const int contact : active_) lambda.segment<3>(3 * contact) = impulse_of(contact);
}

void ConePath::bilateral_impulses(VectorXd& beta) const
{
  const auto count = static_cast<Eigen::Index>(problem_->bilateral().size());
  beta.resize(count);
  // Bilateral columns came first and never leave, so they still have the first places.
  for (Eigen::Index r = 0; r < count; ++r) beta[r] = kernel_.x(static_cast<int>(r));
}

double ConePath::certificate() const
{
  double worst = normals_.worst_approach(kernel_.y());
  for (const int contact : active_) worst = std::max(worst, certificate_of(contact));
  return worst;
}

double ConePath::certificate_of(int contact) const
{
  const WhitenedContact& c = problem_->contacts()[contact];
  const auto [face, x] = states_[contact];
  const auto& y = kernel_.y();
  const double u_n = relative_velocity(c.rows[0][0], c.rows[1][0], c.body, y) + c.bias[0];
  Tangential u = tangential(contact, y);
  u.u_1 += c.bias[1];
  u.u_2 += c.bias[2];
  double worst = std::abs(u_n);
  const auto must_be_positive = [&worst](double value) { worst = std::max(worst, -value); };
  const auto p = [&](int k) { return pyramid_->cos_e[k] * u.u_2 - pyramid_->sin_e[k] * u.u_1; };
  if (face != Face::stick) must_be_positive(kernel_.x(kernel_.column_of(contact, 0)));
  if (c.mu == 0.0) return worst;
  if (face == Face::ray) {
    must_be_positive(p(x));
    must_be_positive(-p(pyramid_->previous(x)));
  } else if (face == Face::facet) {
    must_be_positive(kernel_.x(kernel_.column_of(contact, 1)));
    must_be_positive(-(pyramid_->cos_e[x] * u.u_1 + pyramid_->sin_e[x] * u.u_2));
    worst = std::max(worst, std::abs(p(x)));
  } else {
    worst = std::max({worst, std::abs(u.u_1), std::abs(u.u_2)});
    const Vector3d f = impulse_of(contact);
    for (int k = 0; k < pyramid_->d; ++k) {
      must_be_positive(c.mu * pyramid_->half_cos * f[0] - pyramid_->cos_e[k] * f[1] -
                       pyramid_->sin_e[k] * f[2]);
    }
  }
  return worst;
}

}  // namespace tact
