// A stored problem of any kind: what `tact solve`, `tact check` and recorded steps deal in.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/friction_law.hpp>
#include <tact/contact/friction_problem.hpp>
#include <tact/contact/friction_residuals.hpp>
#include <tact/contact/global_problem.hpp>
#include <tact/contact/rigid_contact_problem.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/core/solver_guide.hpp>
#include <tact/lcp/lcp_problem.hpp>

namespace tact {

struct Problem {
  std::string kind;  // as the file says: lcp, mlcp, blcp, contact or friction (that of HDF5)
  std::variant<LcpProblem, RigidContactProblem, ContactProblem, FrictionProblem,
               GlobalFrictionProblem>
      data;
  ContactSolution warm_start = {};      // of a step that was recorded; else empty
  std::vector<int> regions = {};        // the same: the region of each contact
  FrictionLaw law = FrictionLaw::disc;  // the same: that of its friction

  int size() const;      // unknowns: entries of z, or impulses (3 a contact, 1 a bilateral row)
  int contacts() const;  // 0 for what is not a contact problem
};

// Reads and validates a problem file: JSON, its kind told by the key "kind", or the HDF5 of FCLIB.
Problem read_problem(const std::filesystem::path& file);

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
  std::variant<LcpSolution, RigidContactSolution, ContactSolution, FrictionSolution> solution;
  std::optional<FrictionResiduals> friction = {};  // of a friction problem
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
