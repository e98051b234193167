// Stored problems of any kind, solved by any solver that takes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tact/contact/judge.hpp>
#include <tact/contact/law.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/core/solver_guide.hpp>
#include <tact/files/problem.hpp>

namespace tact {

struct ProblemOptions {
  double tolerance = 0.0;  // on the shared residual; 0: 1e-9, for contact between meshes 3e-3 m/s,
                           // for friction problems 1e-8
  int max_iterations = 0;  // 0: each solver chooses from the size of the problem
  int directions = 8;      // sides of the friction pyramid of rigid contact; 4 to 64, even
  std::optional<FrictionLaw> law = {};  // of contact between meshes; none: the problem's own
  bool warm_start = false;              // begin where the recorded step began
};

struct SolvedProblem {
  std::string solver;
  SolveReport report;
  std::variant<LcpSolution, ContactSolution, FrictionSolution> solution;
  std::optional<Residuals> friction = {};  // of a friction problem
};

// Solves by the named solver or by "auto". A solver of another kind of problem gives `unsupported`.
// Throws Error for a name that no kind knows.
SolvedProblem solve(const Problem& problem, std::string_view solver, const ProblemOptions& options);

// A solver of the tables of the layers below, under the kind of problem it takes.
struct SolverEntry {
  std::string name;
  std::string kind;  // lcp (with mlcp and blcp), contact; or friction, which takes contact too
  SolverGuide guide;
};

std::vector<SolverEntry> all_solvers();

// The names that `--solver all` runs on this problem.
std::vector<std::string> solvers_for(const Problem& problem);

// Throws Error with the nearest spelling unless some kind of problem knows the solver.
void require_solver(std::string_view name);

}  // namespace tact
