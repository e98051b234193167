// A stored problem as a Python object.
#pragma once

#include <memory>

#include <tact/files/problem.hpp>

namespace tact::python {

// Shared with the solutions that are measured by it.
struct ProblemObject {
  std::shared_ptr<const Problem> problem;
};

}  // namespace tact::python
