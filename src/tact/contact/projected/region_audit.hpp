// A region solved once more, exactly, to see how far an iterated answer is from it.
#pragma once

#include <optional>

#include <tact/contact/contact_sweep.hpp>

namespace tact {

// The largest difference of a contact's velocity, m/s: velocities are compared since impulses need not
// be unique. The disc is solved by the solvers of the exact cone, the pyramid by Lemke's method, both
// on the dense W of the region. Nothing where these give up, or where the region has more contacts
// than they are made for.
[[nodiscard]] std::optional<double> audit_difference(const ContactSweep& sweep, ContactRange region,
                                                     const double* lambda);

}  // namespace tact
