// A contact problem as methods for islands see it: what is known of A and of the contacts since
// begin(), and which contacts act on each other. All islands of a solver read the same one; of its
// parts each changes those of its own components only.
#pragma once

#include <span>
#include <vector>

#include <tact/contact/component_parts.hpp>
#include <tact/contact/contact_problem.hpp>
#include <tact/contact/diagonal_blocks.hpp>
#include <tact/contact/islands.hpp>
#include <tact/contact/sides.hpp>
#include <tact/linalg/block_cholesky.hpp>

namespace tact {

struct IslandedProblem {
  DiagonalBlocks D;
  ComponentParts parts;
  ContactSides sides;
  std::vector<double> scales;  // of the natural map, one a contact
  Islands islands;
  std::vector<int> part_at;  // one a component: its first entry in the state of its island

  // A has changed. Components of up to so many nodes are treated exactly. Throws Error where a
  // diagonal block of A is not positive definite, and where there are bilateral rows.
  void begin(const ContactProblem& problem, int max_exact_nodes,
             std::span<const BlockCholesky* const> factors);

  // Takes in the contacts that were appended, and finds the islands anew. Throws Error where
  // contacts are gone.
  void append(const ContactProblem& problem);

  std::span<int> contacts_of(const Island& island);
  std::span<const int> components_of(const Island& island) const;
};

}  // namespace tact
