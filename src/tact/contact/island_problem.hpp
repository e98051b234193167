// An island as a contact problem of its own, which any method for contact problems takes.
#pragma once

#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/diagonal_blocks.hpp>

namespace tact {

class IslandProblem {
 public:
  // Of the contacts that act on these components, both ascending; `first_node`: of each component
  // of the whole, and all its nodes at the end.
  IslandProblem(const ContactProblem& whole, std::span<const int> first_node,
                std::span<const int> contacts, std::span<const int> components);

  ContactProblem& problem() { return problem_; }
  const ContactProblem& problem() const { return problem_; }
  std::span<const int> contacts() const { return contacts_; }      // of the whole
  std::span<const int> components() const { return components_; }  // the same

  // The island's part of an answer to the whole problem, and back into its place. Nothing where the
  // sizes of the whole do not fit.
  [[nodiscard]] ContactSolution part(const ContactProblem& whole,
                                     const ContactSolution& solution) const;
  void put(const ContactSolution& part, ContactSolution& whole) const;

 private:
  ContactProblem problem_;
  std::vector<int> contacts_, components_, nodes_;  // of the whole problem
};

// All islands, those with most contacts first.
[[nodiscard]] std::vector<IslandProblem> split_into_islands(const ContactProblem& whole,
                                                            const DiagonalBlocks& D);

}  // namespace tact
