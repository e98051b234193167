// Piles of irregular convex rocks: hundreds of contacts of which many are redundant.
#pragma once

#include <tact/samples/contact_families.hpp>

namespace tact {

// Rocks of about 1 m and 2,500 kg in a pit, open above, that has been shaken until they fit: the
// cells of Voronoi around random points, with whole faces in common. Some of the faces touch: in up
// to four points, along an edge, or in one corner; others have come apart by a little. How many
// touch, how fast the rocks move, and how much their densities differ is drawn for each pile. One
// step of 10 ms under gravity. Of 8 rocks about 100 contacts, of 30 about 450.
ContactProblem rock_pile(int rocks, Random& random, MuRange mu = {0.3, 1.0});

// The pile of a number from 0 on: 6 to 35 rocks, all mu equal in every third pile.
ContactProblem numbered_rock_pile(int number);

}  // namespace tact
