#include <tact/solvers/regions/projected_solver.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include <tact/contact/largest_first.hpp>
#include <tact/core/error.hpp>
#include <tact/core/timer.hpp>
#include <tact/solvers/regions/dense_regions.hpp>
#include <tact/solvers/regions/region_audit.hpp>
#include <tact/solvers/regions/region_solve.hpp>

namespace tact {
namespace {

constexpr std::array<std::string_view, 5> method_names = {"pcg-pgs", "pgs", "nncg", "apgd",
                                                          "mprgp"};

constexpr int contacts_at_once = 64;   // that a thread takes, where regions are small
constexpr double other_answer = 1e-6;  // m/s: exact answers that are further apart are two

NestedOptions workspace_options(const ProjectedOptions& options)
{
  NestedOptions nested = anticipation_options();
  nested.tolerance = options.tolerance;
  nested.law = options.law;
  nested.keep_history = options.keep_history;
  return nested;
}

bool has_any_friction(const ContactProblem& problem)
{
  return std::any_of(problem.contacts.begin(), problem.contacts.end(),
                     [](const ContactRows& contact) { return contact.mu > 0.0; });
}

}  // namespace

std::string_view name(ProjectedMethod method)
{
  return method_names[static_cast<std::size_t>(method)];
}

struct ProjectedSolver::Memory {
  ProjectedOptions options;
  NestedSolver::Workspace work;
  RegionVectors vectors;
  DenseRegions dense;
  std::vector<RegionReport> reports;  // one a region
  std::vector<RegionAudit> audits;    // of the regions that were solved twice
  long solves = 0;

  RegionReport relax(const ContactProblem& problem, int region);
  AuditReport audit();
};

ProjectedSolver::ProjectedSolver(const ProjectedOptions& options)
    : memory_(std::make_unique<Memory>())
{
  memory_->options = options;
  memory_->work.options = workspace_options(options);
  memory_->work.islands.separate = options.separate;
}

ProjectedSolver::~ProjectedSolver() = default;
ProjectedSolver::ProjectedSolver(ProjectedSolver&&) noexcept = default;
ProjectedSolver& ProjectedSolver::operator=(ProjectedSolver&&) noexcept = default;

void ProjectedSolver::begin(const ContactProblem& problem,
                            std::span<const BlockCholesky* const> factors)
{
  NestedSolver::Workspace& work = memory_->work;
  if (!work.D.load(problem))
    throw Error("contact problem: a diagonal block of A is not positive definite");
  work.parts.begin(problem, work.D, work.options.max_exact_nodes, factors);
  work.sides.clear();
  work.scales.clear();
}

// A component with more contacts than a dense W can have is nodal: its region gets nested passes.
RegionReport ProjectedSolver::Memory::relax(const ContactProblem& problem, int region)
{
  const IslandPlace& place = work.places[region];
  if (!place.nodal) {
    work.load_blocks(place);
    const Timer timer;
    if (options.dense) dense.assemble(work, place);
    const double assembly = options.dense ? timer.seconds() : 0.0;
    RegionReport report = RegionSolve(work, place, options, vectors).run();
    report.assembly = assembly;
    return report;
  }
  work.relax(problem, region);
  const IslandReport& nested = work.reports[region];
  return {.status = nested.status, .sweeps = nested.sweeps, .history = nested.history};
}

// Every k-th region, another one of k in each solve, so that in time all have their turn.
AuditReport ProjectedSolver::Memory::audit()
{
  AuditReport report;
  if (options.audit <= 0.0) return report;
  const long period = std::max(1L, std::lround(1.0 / options.audit));
  std::vector<int> chosen;
  for (int k = static_cast<int>(solves % period); k < static_cast<int>(work.places.size());
       k += static_cast<int>(period))
    if (!work.places[k].nodal) chosen.push_back(k);
  audits.resize(chosen.size());
  run_largest_first(static_cast<int>(chosen.size()), [&](int k) {
    audits[k] = audit_region(work.sweep, work.places[chosen[k]].contacts, work.lambda.data());
  });
  report.regions = static_cast<int>(chosen.size());
  for (const RegionAudit& audit : audits)
    report += {.unsolved = audit.solved ? 0 : 1,
               .ambiguous = audit.spread > other_answer ? 1 : 0,
               .difference = audit.difference,
               .residual = audit.residual,
               .spread = audit.spread};
  return report;
}

ProjectedReport ProjectedSolver::solve(const ContactProblem& problem, ContactSolution& solution)
{
  ProjectedReport report;
  Memory& memory = *memory_;
  if (memory.options.method == ProjectedMethod::mprgp && has_any_friction(problem)) {
    report.status = SolveStatus::unsupported;
    report.note = "mprgp takes problems without friction only";
    return report;
  }
  NestedSolver::Workspace& work = memory.work;
  work.append(problem);
  work.lay_out();
  work.load_contacts(problem);
  if (memory.options.dense) memory.dense.lay_out(work);
  work.load_warm_start(problem, solution);
  const int regions = static_cast<int>(work.places.size());
  work.reports.resize(regions);
  work.corrections.resize(std::max<std::size_t>(work.corrections.size(), regions));
  memory.vectors.resize(work.islands.contacts.size());
  memory.reports.resize(regions);
  run_largest_first(
      regions, [&](int k) { return work.islands.islands[k].contacts(); }, contacts_at_once,
      [&](int k) { memory.reports[k] = memory.relax(problem, k); });
  report.audit = memory.audit();
  ++memory.solves;
  work.write(problem, solution);

  report.regions = regions;
  if (regions > 0) report.history = memory.reports.front().history;  // the largest comes first
  for (int k = 0; k < regions; ++k) {
    const RegionReport& region = memory.reports[k];
    const int iterations = region.cg_iterations + region.sweeps;
    report.cg_iterations = std::max(report.cg_iterations, region.cg_iterations);
    report.sweeps = std::max(report.sweeps, region.sweeps);
    report.all_iterations += iterations;
    report.assembly += region.assembly;
    report.contact_updates += static_cast<long>(iterations) * work.islands.islands[k].contacts();
    if (region.status == SolveStatus::iteration_limit) ++report.limited;
    if (region.status == SolveStatus::converged) continue;
    ++report.unconverged;
    report.status = region.status;
  }
  report.residuals = work.meter.measure(problem, solution, work.D, memory.options.law);
  const bool missed = !(report.residuals.worst() <= memory.options.tolerance);
  if (report.ok() && missed) report.status = SolveStatus::stalled;
  report.note = fmt::format("{} regions, at most {} iterations of cg and {} sweeps", regions,
                            report.cg_iterations, report.sweeps);
  return report;
}

}  // namespace tact
