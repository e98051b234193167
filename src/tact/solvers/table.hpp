// The methods that tact brings along. Everybody else asks solvers.hpp.
#pragma once

#include <tact/solvers/solvers.hpp>

namespace tact {

[[nodiscard]] std::vector<ContactMethod> built_in_methods();

}  // namespace tact
