// The velocity without contact, of problems that are stated about an expected motion.
#pragma once

#include <tact/contact/contact_problem.hpp>
#include <tact/linalg/block_pcg.hpp>

namespace tact {

// One component: v_star becomes A^-1 b, from where it is, and rest is zero there. False: A is not
// positive definite or the iterations were not enough; v_star is as good as it got.
bool find_free_motion(ContactProblem& problem, int component, const PcgOptions& options,
                      int& iterations);

// The same problem about the velocity without contact, to round-off: what all solvers take.
[[nodiscard]] ContactProblem about_free_motion(ContactProblem problem);

}  // namespace tact
