// A second implementation of continuous collision detection, slow and plain, to compare with.
//
// It shares nothing with the fast one: weights of the contact point come from the Gram determinants
// of P and Q (quartics) instead of one component of P x Q, and roots from bisection between the
// roots of the derivative instead of Bernstein coefficients. All candidate times, the roots of
// everything whose sign matters, are tried in order.
//
// Coordinates must be small integers, |x| <= 8. Roots are bisected to 2^-320. A polynomial that is
// nearer to 0 than that at a root is 0 there: were it not, the resultant of the two polynomials, an
// integer, would lie strictly between -1 and 1. (Degree 4 and coefficients below 2^30 make any
// nonzero value larger than 2^-250.)
#pragma once

#include <optional>

#include <gmpxx.h>

#include <tact/collision/ccd.hpp>

namespace tact {

// The first contact time lies in [low, high]; they are equal or 2^-320 apart.
struct RationalTime {
  mpq_class low, high;
};

std::optional<RationalTime> rational_contact(const CcdQuery& query);

}  // namespace tact
