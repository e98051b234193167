// The point of a primal-dual interior method in the cones L of lorentz_cone.hpp, one pair a
// contact, and what such a method does with it, whatever system it solves for its step:
//
//   z = (mu lambda_n, lambda_T),  y = (u^_n / mu, u_T),  y o z = sigma mu_c e
//
// with Nesterov-Todd scaling and Mehrotra's predictor.
#pragma once

#include <vector>

#include <tact/contact/lorentz_cone.hpp>

namespace tact {

template <int D>
class InteriorIterate {
 public:
  using Vector = ContactVector<D>;

  struct Contact {
    double mu = 1.0;  // 1 where there is no friction: then z and y have their first entry alone
    bool frictionless = false;
    double frozen = 0.0;  // |u_T|, where the shift is frozen
    Vector y, z, dy, dz, dy_affine, dz_affine, r_p, r_c;
    ContactMatrix<D> E;
    lorentz::Scaling<D> scaling;
  };

  double complementarity() const;  // mu_c
  bool is_lost(double mu_c) const;
  void impulses(VectorXd& lambda) const;
  // r_p, with the shift as it is, and the scaling; u: of the impulses.
  void take_residuals(const VectorXd& u, bool frozen_shift);
  void aim_at_zero();  // r_c of the affine step
  // r_c of the step that aims at y o z = target e, with the second-order term of the affine step.
  void correct(double target);
  double longest_step(Vector Contact::*dy, Vector Contact::*dz) const;
  double centring(double mu_c) const;  // sigma, from the affine step, by Mehrotra's rule
  // The same, but no less than keeps mu_c from outrunning the shift.
  double lagged_centring(double mu_c) const;
  void move();  // as far as dy and dz lead inside

  std::vector<Contact> contacts;
  double r_p_size = 0.0, z_size = 0.0;  // root mean squares
};

extern template class InteriorIterate<2>;
extern template class InteriorIterate<3>;

}  // namespace tact
