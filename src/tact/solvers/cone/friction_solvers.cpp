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

constexpr int unlimited = 1'000'000'000;  // iterations
// Operations of a Newton step in impulses, below which the pattern of another matrix is not looked
// at.
constexpr double worth_analysing = 1e7;

// How a solver ended, before anyone has judged its answer.
struct SolverEnd {
  SolveStatus status = SolveStatus::stalled;
  std::string note = {};
};

template <int D>
SolverEnd proven_or(SolveStatus status, const Search<D>& search, const VectorXd& growth)
{
  return {proves_no_solution(search.problem, growth) ? SolveStatus::no_solution : status};
}

template <int D>
SolverEnd by_sweeps(Search<D>& search, const VectorXd& start, int max_iterations)
{
  VectorXd growth;
  const int limit = max_iterations > 0 ? max_iterations : GaussSeidelOptions().max_sweeps;
  const SolveStatus end = gauss_seidel(search, start, {.max_sweeps = limit}, &growth);
  return proven_or(end, search, growth);
}

template <int D>
SolverEnd by_admm(Search<D>& search, const VectorXd& start, int)
{
  VectorXd growth;
  VectorXd point = start;
  const SolveStatus end = admm(search, point, {}, &growth);
  return proven_or(end, search, growth);
}

template <int D>
SolverEnd by_newton(Search<D>& search, const VectorXd& start, int max_iterations)
{
  return {newton_alone(search, start, max_iterations > 0 ? max_iterations : 300)};
}

template <int D>
SolverEnd by_proximal_point(Search<D>& search, const VectorXd& start, int)
{
  gauss_seidel(search, start, {.max_sweeps = 20});
  return {proximal_point(search, search.best(), {})};
}

// The interior point ends near the centre of all answers; the last digits are the proximal point's.
template <int D>
SolverEnd by_interior_point(Search<D>& search, const VectorXd& start, int)
{
  search.offer(start);
  VectorXd point = VectorXd::Zero(search.problem.size());
  InteriorPoint<D>(search).solve(point, {.max_steps = 100});
  const double reached = search.error();
  if (search.over())
    return {search.converged() ? SolveStatus::converged : SolveStatus::iteration_limit};
  const SolveStatus end = proximal_point(search, point, {.alpha = 1e-4, .max_outer = 40});
  return {end, fmt::format("interior point to {:.0e}, then proximal point", reached)};
}

template <int D>
SolverEnd by_chain(Search<D>& search, const VectorXd& start, int)
{
  const ChainEnd chain = run_chain(search, start);
  SolverEnd end;
  if (search.exhausted()) end.status = SolveStatus::iteration_limit;
  if (chain.no_solution) end.status = SolveStatus::no_solution;
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
struct ConeSolver {
  std::string_view name;
  SolverEnd (*run)(Search<D>&, const VectorXd& start, int max_iterations);
};

template <int D>
constexpr std::array<ConeSolver<D>, 6> cone_solvers = {{{"auto", by_chain<D>},
                                                        {"nsgs", by_sweeps<D>},
                                                        {"admm", by_admm<D>},
                                                        {"newton", by_newton<D>},
                                                        {"prox", by_proximal_point<D>},
                                                        {"ipm", by_interior_point<D>}}};

template <int D>
SolverEnd run_named(Search<D>& search, const VectorXd& start, std::string_view name,
                    int max_iterations)
{
  for (const ConeSolver<D>& solver : cone_solvers<D>)
    if (solver.name == name) return solver.run(search, start, max_iterations);
  return {};
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
  SolverEnd end{SolveStatus::converged};
  if (!search.converged())
    end = has_immovable_contact(blocks) ? SolverEnd{SolveStatus::no_solution}
                                        : run_named(search, start, solver, options.max_iterations);
  solution.lambda = blocks.unscaled(search.best());
  SolveReport report;
  report.status = end.status;
  report.iterations = search.work.iterations();
  report.seconds = timer.seconds();
  const std::string work = work_note(search.work);
  report.note = end.note + (end.note.empty() || work.empty() ? "" : ": ") + work;
  return report;
}

}  // namespace

std::vector<std::string> friction_solvers()
{
  std::vector<std::string> names;
  for (const ConeSolver<3>& solver : cone_solvers<3>) names.emplace_back(solver.name);
  return names;
}

SolveReport solve_friction(const FrictionProblem& problem, FrictionSolution& solution,
                           std::string_view solver, const FrictionOptions& options)
{
  validate(problem);
  const std::vector<std::string> known = friction_solvers();
  if (std::ranges::find(known, solver) == known.end())
    throw Error(
        fmt::format("unknown friction solver \"{}\"{}", solver, did_you_mean(solver, known)));
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
