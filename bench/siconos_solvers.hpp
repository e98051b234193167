// Solvers of Siconos, for comparison, where the build has found that library.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tact/contact/friction_problem.hpp>

namespace tact {

// Their names; none where the library is absent.
std::vector<std::string> siconos_solvers();

struct SiconosAnswer {
  VectorXd lambda;
  int iterations = 0;
  double seconds = 0.0;  // processor time of the solver alone
  bool ended = false;    // by the limit: lambda is not set
};

// Nothing where the solver does not take problems of this dimension. limit: whole seconds of
// processor time after which the solver is ended; 0: none.
std::optional<SiconosAnswer> solve_by_siconos(const std::string& solver,
                                              const FrictionProblem& problem, double tolerance,
                                              int limit = 0);

}  // namespace tact
