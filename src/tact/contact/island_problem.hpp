// An island as a contact problem of its own, which any method for contact problems takes: contacts
// and bilateral rows that are coupled through components they share, and these components.
#pragma once

#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>

namespace tact {

class IslandProblem {
 public:
  // What of the whole stands in the island, all ascending.
  struct Members {
    std::vector<int> contacts, rows, components;  // rows: bilateral ones
  };

  // `first_node`: of each component of the whole, and all its nodes at the end.
  IslandProblem(const ContactProblem& whole, std::span<const int> first_node, Members members);

  ContactProblem& problem() { return problem_; }
  const ContactProblem& problem() const { return problem_; }
  const Members& members() const { return members_; }

  // The island's part of an answer to the whole problem, and back into its place. Nothing where the
  // sizes of the whole do not fit.
  [[nodiscard]] ContactSolution part(const ContactProblem& whole,
                                     const ContactSolution& solution) const;
  void put(const ContactSolution& part, ContactSolution& whole) const;

 private:
  ContactProblem problem_;
  Members members_;
  std::vector<int> nodes_;  // of the whole problem
};

// All islands, those with most contacts first.
[[nodiscard]] std::vector<IslandProblem> split_into_islands(const ContactProblem& whole);

}  // namespace tact
