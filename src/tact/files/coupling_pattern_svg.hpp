// The sparsity patterns of B and B_s as a picture: [Miguel11] fig. 1.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <tact/solvers/coupling/coupling_pattern.hpp>

namespace tact {

struct NamedPattern {
  std::string name;
  CouplingPattern pattern;
};

// Of the islands with most contacts, in the order of the names; `names` has one for each contact,
// and an island takes that of its first.
std::vector<NamedPattern> island_patterns(const ContactProblem& problem,
                                          std::span<const std::string> names, int at_most);

// One column a pattern: B above, B_s below, and the rank of B_d. Same text for same data.
std::string coupling_pattern_svg(const std::vector<NamedPattern>& patterns);

}  // namespace tact
