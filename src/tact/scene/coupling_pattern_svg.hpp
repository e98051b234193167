// The sparsity patterns of B and B_s as a picture: [Miguel11] fig. 1.
#pragma once

#include <string>
#include <vector>

#include <tact/contact/coupling/coupling_pattern.hpp>

namespace tact {

struct NamedPattern {
  std::string name;
  CouplingPattern pattern;
};

// One column a pattern: B above, B_s below, and the rank of B_d. Same text for same data.
std::string coupling_pattern_svg(const std::vector<NamedPattern>& patterns);

}  // namespace tact
