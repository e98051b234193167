// Stored problems and problems made of arrays, by any solver.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <tact/core/error.hpp>
#include <tact/run/problem_solve.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interrupt.hpp"
#include "problem_object.hpp"

namespace tact::python {
namespace {

using namespace pybind11::literals;

// ---- problems -----------------------------------------------------------------------------------

ProblemObject problem_object(Problem problem)
{
  return {std::make_shared<const Problem>(std::move(problem))};
}

ProblemObject read_file(const py::object& file)
{
  const auto name = py::cast<std::string>(py::module_::import("os").attr("fspath")(file));
  return problem_object(released([&] { return read_problem(name); }));
}

ProblemObject lcp_of(const Doubles& M, const Doubles& q, const std::optional<Doubles>& lower,
                     const std::optional<Doubles>& upper)
{
  LcpProblem problem{matrix_from(M, "M"), vector_from(q, "q"), {}, {}};
  if (lower) problem.lower = vector_from(*lower, "lower");
  if (upper) problem.upper = vector_from(*upper, "upper");
  validate(problem);
  const auto kind_name = std::string(name(kind(problem)));
  return problem_object({.kind = kind_name, .data = std::move(problem)});
}

// Of scipy, any of its formats, or dense.
SparseRows sparse_from(const py::object& matrix)
{
  std::vector<Eigen::Triplet<double>> entries;
  if (!py::hasattr(matrix, "tocoo")) {
    const SparseRows sparse = matrix_from(py::cast<Doubles>(matrix), "W").sparseView();
    return sparse;
  }
  const py::object triplets = matrix.attr("tocoo")();
  const auto rows = py::cast<Integers>(triplets.attr("row"));
  const auto columns = py::cast<Integers>(triplets.attr("col"));
  const auto values = py::cast<Doubles>(triplets.attr("data"));
  for (py::ssize_t k = 0; k < values.size(); ++k)
    entries.emplace_back(rows.at(k), columns.at(k), values.at(k));
  const auto [height, width] = py::cast<std::pair<int, int>>(matrix.attr("shape"));
  SparseRows sparse(height, width);
  sparse.setFromTriplets(entries.begin(), entries.end());
  return sparse;
}

ProblemObject friction_of(const py::object& W, const Doubles& q, const Doubles& mu, int dimension)
{
  FrictionProblem problem;
  problem.dimension = dimension;
  problem.W = sparse_from(W);
  problem.q = vector_from(q, "q");
  problem.mu = vector_from(mu, "mu");
  validate(problem);
  return problem_object({.kind = "friction", .data = std::move(problem)});
}

// ---- answers ------------------------------------------------------------------------------------

struct SolutionObject {
  std::shared_ptr<const Problem> problem;
  FrictionLaw law = FrictionLaw::disc;
  SolvedProblem solved;
};

std::optional<FrictionLaw> law_from(const std::optional<std::string>& text)
{
  if (!text) return std::nullopt;
  if (*text == "disc") return FrictionLaw::disc;
  if (*text == "pyramid") return FrictionLaw::pyramid;
  throw Error(fmt::format("friction: found \"{}\", expected disc or pyramid", *text));
}

SolutionObject solve_object(const py::object& what, const std::string& solver, double tolerance,
                            int max_iterations, int directions,
                            const std::optional<std::string>& friction, bool warm_start)
{
  const ProblemObject problem =
      py::isinstance<ProblemObject>(what) ? py::cast<ProblemObject>(what) : read_file(what);
  if (!(tolerance >= 0.0))
    throw Error(fmt::format("tolerance: found {:g}, expected a number >= 0", tolerance));
  if (max_iterations < 0)
    throw Error(fmt::format("max_iterations: found {}, expected 0 or more", max_iterations));
  if (directions < 4 || directions > 64 || directions % 2 != 0)
    throw Error(fmt::format("directions: found {}, expected an even number, 4 to 64", directions));
  require_solver(solver);
  const ProblemOptions options{.tolerance = tolerance,
                               .max_iterations = max_iterations,
                               .directions = directions,
                               .law = law_from(friction),
                               .warm_start = warm_start};
  SolvedProblem solved = released([&] { return solve(*problem.problem, solver, options); });
  return {problem.problem, options.law.value_or(problem.problem->law), std::move(solved)};
}

// The vector of that name in the solution, if it is of a kind that has it.
py::object vector_named(const SolutionObject& solution, VectorXd LcpSolution::*of_lcp,
                        VectorXd ContactSolution::*of_contact,
                        VectorXd FrictionSolution::*of_friction)
{
  return std::visit(
      [&](const auto& found) -> py::object {
        using Found = std::decay_t<decltype(found)>;
        const VectorXd* x = nullptr;
        if constexpr (std::is_same_v<Found, LcpSolution>) {
          if (of_lcp) x = &(found.*of_lcp);
        } else if constexpr (std::is_same_v<Found, ContactSolution>) {
          if (of_contact) x = &(found.*of_contact);
        } else {
          if (of_friction) x = &(found.*of_friction);
        }
        if (!x || x->size() == 0) return py::none();
        return copy_of(*x);
      },
      solution.solved.solution);
}

py::dict as_dict(const Residuals& residuals)
{
  return py::dict("natural"_a = residuals.natural, "natural_max"_a = residuals.natural_max,
                  "penetration"_a = residuals.penetration, "momentum"_a = residuals.momentum,
                  "cone_violation"_a = residuals.cone_violation,
                  "bilateral"_a = residuals.bilateral, "rel_q"_a = residuals.rel_q,
                  "rel_max"_a = residuals.rel_max, "active"_a = residuals.active);
}

// Measured anew, by the one judge of answers.
py::object residuals_of(const SolutionObject& solution)
{
  const SolvedProblem& solved = solution.solved;
  if (solved.friction) return as_dict(*solved.friction);
  const auto* contact = std::get_if<ContactProblem>(&solution.problem->data);
  const auto* answer = std::get_if<ContactSolution>(&solved.solution);
  if (!contact || !answer || solution.problem->bodies) return py::none();
  return as_dict(measure(*contact, *answer, solution.law));
}

std::string solution_words(const SolutionObject& solution)
{
  const SolveReport& report = solution.solved.report;
  return fmt::format("<tact.Solution {} by {}: residual {:.2g}, {} iterations, {:.3g} s>",
                     name(report.status), solution.solved.solver, report.residual,
                     report.iterations, report.seconds);
}

template <class Member>
auto of_report(Member SolveReport::*member)
{
  return [member](const SolutionObject& solution) { return solution.solved.report.*member; };
}

void bind_solution(py::module_& module)
{
  using S = SolutionObject;
  py::class_<S>(module, "Solution", "What a solver answered, and how good that is.")
      .def_property_readonly(
          "solver", [](const S& s) { return s.solved.solver; }, "Who solved it.")
      .def_property_readonly(
          "status", [](const S& s) { return std::string(name(s.solved.report.status)); },
          "converged, iteration_limit, stalled, no_solution or unsupported.")
      .def_property_readonly(
          "ok", [](const S& s) { return s.solved.report.ok(); }, "Whether it converged.")
      .def_property_readonly("residual", of_report(&SolveReport::residual),
                             "The shared measure, from the problem and the answer alone.")
      .def_property_readonly("residuals", &residuals_of,
                             "dict of all that the judge measures, of problems with friction; None "
                             "of others.")
      .def_property_readonly("iterations", of_report(&SolveReport::iterations), "Pivots or sweeps.")
      .def_property_readonly("seconds", of_report(&SolveReport::seconds), "s: of the solver alone.")
      .def_property_readonly("note", of_report(&SolveReport::note),
                             "One sentence where there is more to say.")
      .def_property_readonly(
          "z", [](const S& s) { return vector_named(s, &LcpSolution::z, nullptr, nullptr); },
          "Of an LCP; else None.")
      .def_property_readonly(
          "w", [](const S& s) { return vector_named(s, &LcpSolution::w, nullptr, nullptr); },
          "M z + q, of an LCP; else None.")
      .def_property_readonly(
          "v",
          [](const S& s) {
            return vector_named(s, nullptr, &ContactSolution::v, &FrictionSolution::v);
          },
          "m/s: velocities of the nodes, of a problem that has them; else None.")
      .def_property_readonly(
          "impulses",
          [](const S& s) {
            return vector_named(s, nullptr, &ContactSolution::lambda, &FrictionSolution::lambda);
          },
          "N s: normal and tangents of each contact; None of an LCP.")
      .def_property_readonly(
          "u", [](const S& s) { return vector_named(s, nullptr, nullptr, &FrictionSolution::u); },
          "m/s: W lambda + q, of a problem of impulses; else None.")
      .def_property_readonly(
          "beta",
          [](const S& s) {
            return vector_named(s, nullptr, &ContactSolution::beta, &FrictionSolution::beta);
          },
          "N s: of bilateral rows; None where there are none.")
      .def("__repr__", &solution_words);
}

std::vector<std::string> solver_names()
{
  std::vector<std::string> names;
  for (const SolverEntry& entry : all_solvers()) names.push_back(entry.name);
  return names;
}

constexpr const char* solve_help =
    R"(Solves a problem and measures the answer.

problem         a Problem, or the name of a file (tact.read_problem)
solver          "auto" or a name of tact.solvers()
tolerance       on the shared residual; 0: 1e-9, friction 1e-8, contact between meshes 3e-3 m/s
max_iterations  pivots or sweeps; 0: by the size of the problem
directions      sides of the friction pyramid of contact between rigid bodies; 4 to 64, even
friction        "disc" or "pyramid", of contact between meshes; None: that of the problem
warm_start      begin where the step began that the problem was recorded of

Does not raise where a solver does not converge: look at .status and .residual.)";

}  // namespace

void bind_problems(py::module_& module)
{
  py::class_<ProblemObject>(module, "Problem",
                            "An LCP or a contact problem: of a file, of arrays or of a step.")
      .def_property_readonly(
          "kind", [](const ProblemObject& p) { return p.problem->kind; },
          "lcp, mlcp, blcp, contact or friction.")
      .def_property_readonly(
          "size", [](const ProblemObject& p) { return p.problem->size(); }, "Unknowns.")
      .def_property_readonly(
          "contacts", [](const ProblemObject& p) { return p.problem->contacts(); }, "0 for an LCP.")
      .def("__repr__", [](const ProblemObject& p) {
        return fmt::format("<tact.Problem {}: {} unknowns, {} contacts>", p.problem->kind,
                           p.problem->size(), p.problem->contacts());
      });
  bind_solution(module);
  module.def("read_problem", &read_file, "file"_a,
             "Reads a problem file: tact's JSON, or the HDF5 of FCLIB (docs/files.md).");
  module.def("lcp", &lcp_of, "M"_a, "q"_a, "lower"_a = py::none(), "upper"_a = py::none(),
             "The problem lower <= z <= upper, w = M z + q: w_i >= 0 where z_i is at its lower\n"
             "bound, <= 0 at its upper one, 0 between. Bounds: 0 and inf where not given.");
  module.def("friction", &friction_of, "W"_a, "q"_a, "mu"_a, "dimension"_a = 3,
             "The problem of Coulomb's cone, u = W lambda + q, with the normal first and then the\n"
             "tangents of each contact. W: dense, or of scipy.sparse; mu: one a contact;\n"
             "dimension: 2 or 3.");
  module.def("solve", &solve_object, "problem"_a, "solver"_a = "auto", "tolerance"_a = 0.0,
             "max_iterations"_a = 0, "directions"_a = 8, "friction"_a = py::none(),
             "warm_start"_a = false, solve_help);
  module.def("solvers", &solver_names, "The names of all solvers: `tact list solvers` tells more.");
}

}  // namespace tact::python
