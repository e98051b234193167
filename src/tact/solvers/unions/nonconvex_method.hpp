// The ways to solve problems with unions of half-spaces. docs/nonconvex.md
#pragma once

#include <string_view>

namespace tact {

enum class NonconvexMethod {
  selection,  // one side a group, chosen by side_selection.hpp: the default
  max_form,   // Lemke on the max formulation: exact, but may end on a ray
  sum_form,   // Lemke on the summation formulation: fewer rows, cuts corners, may end on a ray
};

std::string_view name(NonconvexMethod method);

}  // namespace tact
