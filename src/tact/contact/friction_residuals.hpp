// The one judge of answers to friction problems, measured from the problem and the impulses alone.
//
//   e = | lambda - P_K(lambda - u^) | over all contacts, u^ = u + (mu |u_T|, 0), u = W lambda + q
//
// adds N s to m/s, as is the custom with stored problems (FCLIB, Siconos), so it is not free of
// units; eps_nat is.
#pragma once

#include <tact/contact/friction_problem.hpp>

namespace tact {

// What a tolerance is about: rel_q, free of the size of q, or eps_nat, in m/s.
enum class FrictionMeasure { rel_q, eps_nat };

struct FrictionResiduals {
  double natural = 0.0;  // e
  double rel_q = 0.0;    // e / |q|: what tolerances are about
  double rel_max = 0.0;  // e / max(|q|, |lambda|, |u|), never above rel_q
  // m/s: root mean square of w_c |lambda - P_K(lambda - u^ / w_c)|, w_c = trace(W_cc) / dimension
  double eps_nat = 0.0;
  double penetration = 0.0;     // m/s: largest max(0, -u_n)
  double cone_violation = 0.0;  // N s: largest of -lambda_n and |lambda_T| - mu lambda_n
};

// Where q is zero the relative measures are e itself. Impulses that are not finite or of the wrong
// number have infinite residuals; so do impulses so large that q is lost in the rounding of
// W lambda + q, for which e would be small for want of digits: those of a problem without answer.
[[nodiscard]] FrictionResiduals measure(const FrictionProblem& problem, const VectorXd& lambda);

}  // namespace tact
