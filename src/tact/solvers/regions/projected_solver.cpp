#include <tact/solvers/regions/projected_solver.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include <tact/core/timer.hpp>
#include <tact/linalg/parallel.hpp>
#include <tact/solvers/regions/dense_regions.hpp>
#include <tact/solvers/regions/region_audit.hpp>
#include <tact/solvers/regions/region_solve.hpp>

namespace tact {
namespace {

constexpr std::array<std::string_view, 5> method_names = {"pcg-pgs", "pgs", "nncg", "apgd",
                                                          "mprgp"};

constexpr int contacts_at_once = 64;   // that a thread takes, where regions are small
constexpr double other_answer = 1e-6;  // m/s: exact answers that are further apart are two

NestedOptions options_of_islands(const ProjectedOptions& options)
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

// What the solver keeps of a region besides its island.
struct ProjectedRegion {
  RegionVectors vectors;
  DenseRegion dense;
  RegionReport report;
};

struct ProjectedSolver::Memory {
  ProjectedOptions options;
  NestedIslands islands;
  std::vector<ProjectedRegion> regions;
  std::vector<RegionAudit> audits;  // of the regions that were solved twice
  long solves = 0;

  RegionReport relax(NestedIsland& island, ProjectedRegion& region) const;
  AuditReport audit(std::span<const NestedIsland> relaxed);
};

ProjectedSolver::ProjectedSolver(const ProjectedOptions& options)
    : memory_(std::make_unique<Memory>())
{
  memory_->options = options;
  memory_->islands.options = options_of_islands(options);
  memory_->islands.all.islands.separate = options.separate;
}

ProjectedSolver::~ProjectedSolver() = default;
ProjectedSolver::ProjectedSolver(ProjectedSolver&&) noexcept = default;
ProjectedSolver& ProjectedSolver::operator=(ProjectedSolver&&) noexcept = default;

void ProjectedSolver::begin(const ContactProblem& problem,
                            std::span<const BlockCholesky* const> factors)
{
  memory_->islands.begin(problem, factors);
}

// A component with more contacts than a dense W can have is nodal: its region gets nested passes.
RegionReport ProjectedSolver::Memory::relax(NestedIsland& island, ProjectedRegion& region) const
{
  if (!island.nodal) {
    island.load_blocks();
    const Timer timer;
    if (options.dense) region.dense.assemble(island);
    const double assembly = options.dense ? timer.seconds() : 0.0;
    region.vectors.resize(island.contacts.size());
    RegionReport report = RegionSolve(island, options, region.vectors).run();
    report.assembly = assembly;
    return report;
  }
  island.relax();
  const IslandReport& nested = island.report;
  return {.status = nested.status, .sweeps = nested.sweeps, .history = nested.history};
}

// Every k-th region, another one of k in each solve, so that in time all have their turn.
AuditReport ProjectedSolver::Memory::audit(std::span<const NestedIsland> relaxed)
{
  AuditReport report;
  if (options.audit <= 0.0) return report;
  const long period = std::max(1L, std::lround(1.0 / options.audit));
  std::vector<int> chosen;
  for (int k = static_cast<int>(solves % period); k < static_cast<int>(relaxed.size());
       k += static_cast<int>(period))
    if (!relaxed[k].nodal) chosen.push_back(k);
  audits.resize(chosen.size());
  run_largest_first(static_cast<int>(chosen.size()), [&](int k) {
    const NestedIsland& island = relaxed[chosen[k]];
    audits[k] = audit_region(island.sweep, island.range(), island.lambda.data());
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
  const std::span<NestedIsland> islands = memory.islands.lay_out(problem);
  const auto regions = static_cast<int>(islands.size());
  if (memory.regions.size() < islands.size()) memory.regions.resize(islands.size());
  const WarmStart start(problem, solution);
  run_largest_first(
      regions, [&](int k) { return islands[k].size(); }, contacts_at_once,
      [&](int k) {
        islands[k].load(problem, start);
        memory.regions[k].report = memory.relax(islands[k], memory.regions[k]);
      });
  report.audit = memory.audit(islands);
  ++memory.solves;
  report.residuals = memory.islands.write(problem, solution);

  report.regions = regions;
  if (regions > 0) report.history = memory.regions.front().report.history;  // the largest
  for (int k = 0; k < regions; ++k) {
    const RegionReport& region = memory.regions[k].report;
    const int iterations = region.cg_iterations + region.sweeps;
    report.cg_iterations = std::max(report.cg_iterations, region.cg_iterations);
    report.sweeps = std::max(report.sweeps, region.sweeps);
    report.all_iterations += iterations;
    report.assembly += region.assembly;
    report.contact_updates += static_cast<long>(iterations) * islands[k].size();
    if (region.status == SolveStatus::iteration_limit) ++report.limited;
    if (region.status == SolveStatus::converged) continue;
    ++report.unconverged;
    report.status = region.status;
  }
  const bool missed = !(report.residuals.worst() <= memory.options.tolerance);
  if (report.ok() && missed) report.status = SolveStatus::stalled;
  report.note = fmt::format("{} regions, at most {} iterations of cg and {} sweeps", regions,
                            report.cg_iterations, report.sweeps);
  return report;
}

}  // namespace tact
