#pragma once

#include <tact/sim/world.hpp>

namespace tact {

// The distance at which contacts are held, chosen from the shapes (m): a tenth of the mean edge of
// the finest deformable surface, since folds of a mesh cannot be much sharper than its edges, and
// a hundredth of the least extent of any moving body. What is only scripted has no say.
double choose_contact_distance(const World& world);

}  // namespace tact
