#include <tact/solvers/cone/friction_solvers.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include <fmt/core.h>
#include <fmt/format.h>

#include <tact/contact/judge.hpp>
#include <tact/core/error.hpp>
#include <tact/core/timer.hpp>
#include <tact/solvers/cone/admm.hpp>
#include <tact/solvers/cone/automatic.hpp>
#include <tact/solvers/cone/gauss_seidel.hpp>
#include <tact/solvers/cone/infeasibility.hpp>
#include <tact/solvers/cone/interior_point.hpp>
#include <tact/solvers/cone/newton.hpp>
#include <tact/solvers/cone/proximal_point.hpp>

namespace tact {
namespace {

constexpr std::string_view automatic_name = "auto";
constexpr int unlimited = 1'000'000'000;  // iterations
// Operations of a Newton step in impulses, below which the pattern of another matrix is not looked
// at.
constexpr double worth_analysing = 1e7;

// How a solver ended, before anyone has judged its answer.
struct SolverEnd {
  StageEnd end = StageEnd::stalled;
  bool no_solution = false;
  std::string note;
};

template <int D>
SolverEnd by_sweeps(Search<D>& search, const VectorXd& start, int max_iterations)
{
  VectorXd growth;
  const int limit = max_iterations > 0 ? max_iterations : GaussSeidelOptions().max_sweeps;
  const StageEnd end = gauss_seidel(search, start, {.max_sweeps = limit}, &growth);
  return {end, proves_no_solution(search.problem, growth), ""};
}

template <int D>
SolverEnd by_admm(Search<D>& search, const VectorXd& start, int)
{
  VectorXd growth;
  VectorXd point = start;
  const StageEnd end = admm(search, point, {}, &growth);
  return {end, proves_no_solution(search.problem, growth), ""};
}

template <int D>
SolverEnd by_newton(Search<D>& search, const VectorXd& start, int max_iterations)
{
  return {newton_alone(search, start, max_iterations > 0 ? max_iterations : 300), false, ""};
}

template <int D>
SolverEnd by_proximal_point(Search<D>& search, const VectorXd& start, int)
{
  gauss_seidel(search, start, {.max_sweeps = 20});
  return {proximal_point(search, search.best(), {}), false, ""};
}

// The interior point ends near the centre of all answers; the last digits are the proximal point's.
template <int D>
SolverEnd by_interior_point(Search<D>& search, const VectorXd& start, int)
{
  search.offer(start);
  VectorXd point = VectorXd::Zero(search.problem.size());
  InteriorPoint<D>(search).solve(point, {.max_steps = 100});
  const double reached = search.error();
  if (search.over()) return {search.converged() ? StageEnd::reached : StageEnd::limit, false, ""};
  const StageEnd end = proximal_point(search, point, {.alpha = 1e-4, .max_outer = 40});
  return {end, false, fmt::format("interior point to {:.0e}, then proximal point", reached)};
}

template <int D>
SolverEnd by_chain(Search<D>& search, const VectorXd& start, int)
{
  const ChainEnd chain = run_chain(search, start);
  SolverEnd end{StageEnd::stalled, chain.no_solution, ""};
  if (search.exhausted()) end.end = StageEnd::limit;
  if (!chain.stages.empty())
    end.note = fmt::format("{} of {}", chain.decided_by.empty() ? "none" : chain.decided_by,
                           fmt::join(chain.stages, ", "));
  return end;
}

// Counts that are not zero, as words.
std::string work_note(const FrictionWork& work)
{
  std::string note;
  const auto add = [&note](int count, const char* what) {
    if (count == 0) return;
    note += fmt::format("{}{} {}", note.empty() ? "" : ", ", count, what);
  };
  add(work.sweeps, "sweeps");
  add(work.admm_iterations, "ADMM iterations");
  add(work.interior_steps, "interior steps");
  add(work.newton_steps, "Newton steps");
  add(work.factorisations, "factorisations");
  add(work.krylov_iterations, "GMRES iterations");
  return note;
}

template <int D>
SolverEnd dispatch(Search<D>& search, const VectorXd& start, std::string_view solver,
                   int max_iterations)
{
  if (solver == "nsgs") return by_sweeps(search, start, max_iterations);
  if (solver == "admm") return by_admm(search, start, max_iterations);
  if (solver == "newton") return by_newton(search, start, max_iterations);
  if (solver == "prox") return by_proximal_point(search, start, max_iterations);
  if (solver == "ipm") return by_interior_point(search, start, max_iterations);
  return by_chain(search, start, max_iterations);
}

SolveStatus status_of(const SolverEnd& end)
{
  if (end.no_solution) return SolveStatus::no_solution;
  switch (end.end) {
    case StageEnd::reached: return SolveStatus::converged;
    case StageEnd::limit: return SolveStatus::iteration_limit;
    case StageEnd::stalled: break;
  }
  return SolveStatus::stalled;
}

// The system in velocities, where there is one and it is cheaper than one in impulses would be.
template <int D>
std::unique_ptr<VelocitySystem> cheaper_system(const BlockProblem<D>& problem,
                                               const VelocityForm* form)
{
  if (D != 3 || !form) return nullptr;
  constexpr double share = 0.5;  // of the rows of W that a Newton step has
  const double entries = share * share * D * D * problem.block_count();
  const double in_impulses = factorisation_work(static_cast<int>(share * problem.size()), entries);
  if (in_impulses < worth_analysing) return nullptr;
  auto velocities = std::make_unique<VelocitySystem>(*form, problem.d);
  return velocities->step_work() < in_impulses ? std::move(velocities) : nullptr;
}

template <int D>
SolveReport solve_in(const FrictionProblem& problem, FrictionSolution& solution,
                     std::string_view solver, const FrictionOptions& options)
{
  const Timer timer;
  const BlockProblem<D> blocks(problem);
  Search<D> search(blocks, options.tolerance,
                   options.max_iterations > 0 ? options.max_iterations : unlimited,
                   options.measure);
  search.max_factorisations = options.max_factorisations;
  const std::unique_ptr<VelocitySystem> velocities = cheaper_system(blocks, options.form);
  search.velocities = velocities.get();
  const bool warm = solution.lambda.size() == problem.size() && solution.lambda.allFinite();
  const VectorXd start = warm ? blocks.scaled(solution.lambda) : search.best();
  search.offer(start);
  SolverEnd end{StageEnd::reached, false, ""};
  if (!search.converged()) {
    if (has_immovable_contact(blocks))
      end = {StageEnd::stalled, true, ""};
    else
      end = dispatch(search, start, solver, options.max_iterations);
  }
  solution.lambda = blocks.unscaled(search.best());
  SolveReport report;
  report.status = status_of(end);
  report.iterations = search.work.iterations();
  report.seconds = timer.seconds();
  const std::string work = work_note(search.work);
  report.note = end.note + (end.note.empty() || work.empty() ? "" : ": ") + work;
  return report;
}

}  // namespace

std::span<const std::string_view> friction_solvers()
{
  static constexpr std::array<std::string_view, 5> names = {"nsgs", "admm", "newton", "prox",
                                                            "ipm"};
  return names;
}

bool is_friction_solver(std::string_view name)
{
  return name == automatic_name ||
         std::ranges::find(friction_solvers(), name) != friction_solvers().end();
}

SolveReport solve_friction(const FrictionProblem& problem, FrictionSolution& solution,
                           std::string_view solver, const FrictionOptions& options)
{
  validate(problem);
  if (!is_friction_solver(solver)) {
    std::vector<std::string> known = {std::string(automatic_name)};
    for (const std::string_view name : friction_solvers()) known.emplace_back(name);
    throw Error(
        fmt::format("unknown friction solver \"{}\"{}", solver, did_you_mean(solver, known)));
  }
  if (solver == "ipm" && problem.blocks() > problem.contacts())
    return unsupported("the interior point knows no bilateral rows");
  SolveReport report = problem.dimension == 2 ? solve_in<2>(problem, solution, solver, options)
                                              : solve_in<3>(problem, solution, solver, options);
  solution.u = problem.W * solution.lambda + problem.q;
  const Residuals residuals = measure(problem, solution.lambda);
  report.residual = options.measure == FrictionMeasure::rel_q ? residuals.rel_q : residuals.natural;
  report.status = judged(report.status, report.residual, options.tolerance);
  return report;
}

}  // namespace tact
