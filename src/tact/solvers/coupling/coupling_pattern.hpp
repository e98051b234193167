// Which contacts see which others, [Miguel11] fig. 1: where B = J P^-1 J' can differ from zero, the
// part of that which nodes bring about, B_s, and the rank of the rest, B_d, which rigid bodies do.
#pragma once

#include <span>
#include <vector>

#include <tact/solvers/coupling/coupled_problem.hpp>

namespace tact {

struct PatternRun {
  int row = 0;
  int first = 0, last = 0;  // columns
};

// Rows and columns are contacts, set by set: deformable, rigid, mixed.
struct CouplingPattern {
  int contacts = 0;
  int deformable = 0, rigid = 0, mixed = 0;  // contacts of the sets a, b, c
  std::vector<PatternRun> full;              // of B
  std::vector<PatternRun> sparse;            // of B_s
  int rigid_bodies = 0;
  int dense_rank = 0;  // of B_d, in numbers, three a contact: at most six a rigid body

  static long entries(const std::vector<PatternRun>& runs);  // pairs of contacts
};

// Of all contacts, or of some. Throws Error where the rows of one are not those of points.
[[nodiscard]] CouplingPattern coupling_pattern(const ContactProblem& problem);
[[nodiscard]] CouplingPattern coupling_pattern(const ContactProblem& problem,
                                               std::span<const int> contacts);

}  // namespace tact
