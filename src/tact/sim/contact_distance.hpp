#pragma once

#include <tact/sim/world.hpp>

namespace tact {

// The distance at which contacts are held, chosen from the shapes (m): a tenth of the mean edge of
// the finest deformable surface, since folds of a mesh cannot be much sharper than its edges, or a
// fiftieth of the least extent of the smallest rigid body, whichever is less. More of that shows,
// and less costs passes. What is only scripted has no say; 1 mm where nothing moves. Where bodies
// that keep their shape enclose one another with less room than that, a pin in a hole, half of
// their clearance, but no less than a twentieth of what the shapes give.
double choose_contact_distance(const World& world);

}  // namespace tact
