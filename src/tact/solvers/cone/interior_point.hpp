// A primal-dual interior point with Nesterov-Todd scaling, in the cone L of lorentz_cone.hpp
// (interior_iterate.hpp):
//
//   z = (mu lambda_n, lambda_T),  y = (u^_n / mu, u_T),  P = diag(mu, 1, 1), Wb = P^-1 W P^-1
//   y - |y_T| e_0 = Wb z + P^-1 q,    y o z = sigma mu_c e
//
// Newton's step with the derivative of De Saxce's shift, E = I - e_0 (0, k y_T' / |y_T|):
//
//   r_p = Wb z + P^-1 q + |y_T| e_0 - y,   (Wb + E N^2) dz = E N^2 r_c - r_p,   dy = N^2 (r_c - dz)
//
// with Mehrotra's predictor. k < 1 blurs the kink of |y_T| on sticking contacts. Where contacts
// stand at the edge of two statuses the method ends at rel_q of 1e-6 or 1e-7, near the centre of
// all answers, from where the proximal point needs few steps. It is the most predictable of the
// solvers: 10 to 50 factorisations of all contacts, whatever the problem.
#pragma once

#include <vector>

#include <tact/solvers/cone/interior_iterate.hpp>
#include <tact/solvers/cone/search.hpp>

namespace tact {

struct InteriorOptions {
  int max_steps = 50;
  double stop = 0.0;  // rel_q that is enough; the tolerance of the search is enough in any case
  int patience = 6;   // steps without gain
  // Recentring: the shift stays at |u_T| of the point given, which makes the problem convex; ends
  // at its centre, mu_c = 1e-9, and returns that even where it is not the best point.
  bool frozen_shift = false;
};

template <int D>
class InteriorPoint {
 public:
  explicit InteriorPoint(Search<D>& search);

  // Starts cold: of `point` only the size and, with a frozen shift, the sliding velocities count.
  // On return the best point of this stage.
  SolveStatus solve(VectorXd& point, const InteriorOptions& options);

 private:
  using Vector = ContactVector<D>;
  using Matrix = ContactMatrix<D>;

  using Contact = typename InteriorIterate<D>::Contact;

  void start(const VectorXd& point);
  void find_derivative(double mu_c, bool exact);
  bool factor();
  void solve_step(Vector Contact::*dy, Vector Contact::*dz);

  Search<D>& search_;
  const BlockProblem<D>& problem_;
  InteriorIterate<D> at_;
  std::vector<Matrix> EN2_;  // E N^2, one a contact
  VectorXd lambda_, u_, x_;
};

extern template class InteriorPoint<2>;
extern template class InteriorPoint<3>;

}  // namespace tact
