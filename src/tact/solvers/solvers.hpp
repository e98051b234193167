// The table of methods for contact problems, and the doors to them: solve_contact() in one call,
// and make_contact_solver() for those who solve step after step. The scene format, `tact list
// solvers` and error texts are made from the table.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tact/contact/contact_solver.hpp>
#include <tact/core/solver_guide.hpp>

namespace tact {

// Problems with groups of sides (ContactProblem::groups).
enum class Unions { refused, needed };

// What a method takes islands of.
enum class Takes { all_bodies, rigid_bodies_and_nodes, rigid_bodies };

// Which bilateral rows a method takes beside the contacts.
enum class Rows { refused, equations, limited };  // each more than the one before

// From the warm start in the solution where its sizes fit. `unsupported` for what it does not take.
// Who calls measures the answer.
using SolveInOneCall =
    std::function<SolveReport(const ContactProblem&, ContactSolution&, const ContactOptions&)>;
using MakeContactSolver = std::function<std::unique_ptr<ContactSolver>(const ContactOptions&)>;

// A method has one of the two functions. One that only solves in one call is run island by island
// in time steps.
struct ContactMethod {
  std::string name;
  SolverGuide guide;
  SolveInOneCall solve = {};
  MakeContactSolver make = {};
  Takes takes = Takes::all_bodies;
  Unions unions = Unions::refused;
  Rows rows = Rows::refused;
  bool takes_matrices = false;  // also solves a FrictionProblem: solve_friction() knows its name
};

// All methods but `auto`, in the order in which `--solver all` runs them.
const std::vector<ContactMethod>& contact_methods();

// Methods of a program that links tact: before anybody asks for the table. Throws Error where the
// name is taken, or where not exactly one of the functions is there.
void add_contact_method(ContactMethod method);

// Null for "auto". Throws Error with the nearest spelling for an unknown name.
[[nodiscard]] const ContactMethod* contact_method(std::string_view name);

// Why a method does not take the rows and groups of a problem, in one sentence; empty where it
// does.
[[nodiscard]] std::string not_taken(const ContactMethod& method, const ContactProblem& problem);

// Which rows the bilateral ones of a problem ask a method to take.
[[nodiscard]] Rows rows_of(const ContactProblem& problem);

// The names of the methods that take as much as `least`, "auto" first.
[[nodiscard]] std::vector<std::string> methods_taking(Rows least);

// "auto" and the names of the table.
[[nodiscard]] std::vector<std::string> contact_method_names();

// Solves by a named method or by "auto", from the warm start in `solution` where its sizes fit.
// Measures the residual and the time; `converged` means that the shared residual is within the
// tolerance, whatever the method thinks. Throws Error for an unknown name.
SolveReport solve_contact(const ContactProblem& problem, ContactSolution& solution,
                          std::string_view method, const ContactOptions& options = {});

// Of time steps. Islands that the method does not take are solved by `auto`; the report says so.
// Throws Error for an unknown name.
[[nodiscard]] std::unique_ptr<ContactSolver> make_contact_solver(std::string_view method,
                                                                 const ContactOptions& options);

}  // namespace tact
