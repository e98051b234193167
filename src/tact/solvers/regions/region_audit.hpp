// A region solved once more, exactly, to see how far an iterated answer is from it.
#pragma once

#include <tact/solvers/nested/contact_sweep.hpp>

namespace tact {

// Velocities are compared, since impulses need not be unique. Velocities need not be either:
// contacts that are redundant share the normal impulse in any way, and with it the bounds of
// friction. So the exact answer is looked for from the iterated one, by Newton's method, and once
// more from no impulses, by other methods: the solvers of the exact cone, or Lemke's for the
// pyramid, on the dense W.
struct RegionAudit {
  bool solved = false;      // else: nothing exact was found, or the region is too large to try
  double difference = 0.0;  // m/s: largest of a contact's velocity from the exact answer nearby
  double residual = 0.0;    // m/s: natural map of that one, of its worst contact
  double spread = 0.0;      // m/s: largest difference of both exact answers; 0 where one is missing
};
[[nodiscard]] RegionAudit audit_region(const ContactSweep& sweep, ContactRange region,
                                       const double* lambda);

}  // namespace tact
