// Contact problems with bilateral rows of every kind, at random.
#pragma once

#include <tact/contact/contact_problem.hpp>
#include <tact/core/random.hpp>

namespace tact {

enum class RandomBodies { rigid, mixed };  // mixed: with nets and soft cubes

// Some 2 to 7 bodies, of masses over two orders of magnitude, that touch the ground and each other
// at random places; joined by ball joints and hinges, some of them said twice; with motors, dry
// friction and ends of ranges. To stay as they are is always allowed, so that there is an answer.
ContactProblem random_jointed_problem(Random& random, RandomBodies bodies);

// Boxes in a row on the ground, four contacts each, every second one heavier; ball joints between
// neighbours, with a motor about the vertical.
ContactProblem chain_of_links(int links, double mass_ratio, Random& random);

// Only what stands in them without limits.
ContactProblem without_limited_rows(const ContactProblem& problem);

}  // namespace tact
