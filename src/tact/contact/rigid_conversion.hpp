// Contact problems of rigid bodies only, in the two forms that there are: the general one, and the
// one with 6 x 6 blocks that the pivoting solvers take.
#pragma once

#include <optional>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/rigid_contact_problem.hpp>

namespace tact {

// Nothing unless every component is one rigid body and every contact has one or two of them.
// Contacts keep their order; body b has nodes 2 b and 2 b + 1.
std::optional<RigidContactProblem> as_rigid(const ContactProblem& problem);

// Nothing where there are bilateral rows, which the general form does not have.
std::optional<ContactProblem> as_general(const RigidContactProblem& problem);

}  // namespace tact
