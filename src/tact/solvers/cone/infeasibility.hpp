// A proof that a friction problem has no answer.
//
// K* contains u^ exactly where u_n >= 0. If some y >= 0, one number a contact, has
//   y . q_n < 0   and   W' (y, 0) = 0
// then y . u_n = y . q_n < 0 for any impulses: contacts that squeeze each other by normal impulses
// in balance, and yet are asked to come apart.
#pragma once

#include <tact/solvers/cone/block_problem.hpp>

namespace tact {

// Whether the normal part of `growing`, an impulse that kept growing, is such a y to working
// precision.
template <int D>
bool proves_no_solution(const BlockProblem<D>& problem, const VectorXd& growing);

// The same for every contact alone: those that nothing moves.
template <int D>
bool has_immovable_contact(const BlockProblem<D>& problem);

}  // namespace tact
