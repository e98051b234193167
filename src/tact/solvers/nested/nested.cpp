#include <tact/solvers/nested/nested.hpp>

#include <algorithm>
#include <limits>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <tact/contact/largest_first.hpp>
#include <tact/core/error.hpp>
#include <tact/solvers/nested/nested_work.hpp>

namespace tact {

NestedOptions automatic_options()
{
  return {};
}

NestedOptions anticipation_options()
{
  return {
      .max_exact_nodes = std::numeric_limits<int>::max(), .rigid_tolerance = 0.0, .newton = false};
}

NestedOptions accelerated_options()
{
  return {.max_exact_nodes = 0, .max_passes = 4000, .rigid_tolerance = 0.0, .newton = false};
}

// From no impulses residuals rise at first, for hundreds of passes on fine meshes.
NestedOptions ica_options()
{
  return {.scheme = NestedScheme::ica,
          .max_exact_nodes = 0,
          .max_passes = 8000,
          .sweeps_per_pass = 8,
          .visits_per_contact = 3,
          .rigid_tolerance = 0.0,
          .newton = false};
}

NestedSolver::NestedSolver(const NestedOptions& options) : work_(std::make_unique<Workspace>())
{
  work_->options = options;
}

NestedSolver::~NestedSolver() = default;
NestedSolver::NestedSolver(NestedSolver&&) noexcept = default;
NestedSolver& NestedSolver::operator=(NestedSolver&&) noexcept = default;

void NestedSolver::begin(const ContactProblem& problem,
                         std::span<const BlockCholesky* const> factors)
{
  Workspace& work = *work_;
  if (!work.D.load(problem)) {
    throw Error("contact problem: a diagonal block of A is not positive definite");
  }
  work.parts.begin(problem, work.D, work.options.max_exact_nodes, factors);
  work.sides.clear();
  work.scales.clear();
}

namespace {

NestedReport summary(const std::vector<IslandReport>& reports)
{
  NestedReport summary;
  summary.status = SolveStatus::converged;
  summary.islands = static_cast<int>(reports.size());
  for (const IslandReport& report : reports) {
    summary.passes = std::max(summary.passes, report.passes);
    summary.sweeps = std::max(summary.sweeps, report.sweeps);
    summary.factors = std::max(summary.factors, report.factors);
    if (!report.exact) ++summary.inexact;
    if (report.status != SolveStatus::converged) summary.status = report.status;
  }
  if (!reports.empty()) summary.history = reports.front().history;
  return summary;
}

}  // namespace

NestedReport NestedSolver::solve(const ContactProblem& problem, ContactSolution& solution)
{
  Workspace& work = *work_;
  work.append(problem);
  work.lay_out();
  work.load_contacts(problem);
  work.load_warm_start(problem, solution);
  work.reports.resize(work.places.size());
  work.corrections.resize(std::max(work.corrections.size(), work.places.size()));
  work.couplings.resize(std::max(work.couplings.size(), work.places.size()));
  work.newtons.resize(std::max(work.newtons.size(), work.places.size()));
  work.rigid_islands.resize(std::max(work.rigid_islands.size(), work.places.size()));
  work.wholes_on.resize(work.places.size());
  run_largest_first(static_cast<int>(work.places.size()), [&](int k) { work.relax(problem, k); });
  work.write(problem, solution);
  NestedReport report = summary(work.reports);
  report.residuals = work.meter.measure(problem, solution, work.D, work.options.law);
  const bool missed = !(report.residuals.worst() <= work.options.tolerance);
  if (report.ok() && missed) report.status = SolveStatus::stalled;
  return report;
}

void NestedSolver::Workspace::relax(const ContactProblem& problem, int island)
{
  const IslandPlace& place = places[island];
  IslandReport& report = reports[island];
  report.status = SolveStatus::iteration_limit;
  report.passes = report.sweeps = report.factors = 0;
  report.exact = true;
  report.history.clear();
  couplings[island].on = false;
  wholes_on[island] = has_few_contacts(place) ? 1 : 0;
  for_parts(place, [&](int, Part& part, int) {
    if (part.treatment != Treatment::nodal) return;
    parts.find_whole(problem, D, part);
    if (options.scheme == NestedScheme::accelerated) parts.find_om(problem, D, part);
    if (options.scheme != NestedScheme::accelerated) part.om = 1.0;
  });
  load_blocks(place);
  find_response(place);
  if (is_exact(place)) {
    solve_rigid(problem, place, report);
  } else if (place.nodal) {
    run_passes(problem, place, report);
  } else {
    anticipate(place, report, corrections[island]);
  }
}

// The first over all contacts, the others over those that were not open.
void NestedSolver::Workspace::make_sweeps(const IslandPlace& island, int count,
                                          IslandReport& report)
{
  report.sweeps += count;
  if (!colours[island.number].empty()) return sweep_colours(island, count);
  const int first = first_inner[island.number], last = first_inner[island.number + 1];
  if (first < last) return sweep_regions(std::span(inner).subspan(first, last - first), count);
  int* found = awake.data() + island.contacts.first;
  const int visits = options.visits_per_contact;
  const int size = sweep.sweep(island.contacts, visits, lambda.data(), state.data(), found);
  const std::span<const int> not_open(found, static_cast<std::size_t>(size));
  for (int k = 1; k < count; ++k) sweep.sweep(not_open, visits, lambda.data(), state.data());
}

// Colour by colour; the groups of a colour at the same time.
void NestedSolver::Workspace::sweep_colours(const IslandPlace& island, int count)
{
  const PairColours& own = colours[island.number];
  const int visits = options.visits_per_contact;
  const auto sweep_group = [&](const PairColours::Group& group, bool first) {
    const int at = island.contacts.first + group.first;
    int* found = awake.data() + at;
    if (first) {
      const ContactRange range{at, island.contacts.first + group.last};
      awake_count[at] = sweep.sweep(range, visits, lambda.data(), state.data(), found);
    } else {
      const std::span<const int> not_open(found, static_cast<std::size_t>(awake_count[at]));
      sweep.sweep(not_open, visits, lambda.data(), state.data());
    }
  };
  constexpr std::size_t grain = 4;  // groups: some 10 us of work
  for (int k = 0; k < count; ++k) {
    for (int colour = 0; colour < own.colours(); ++colour) {
      const auto groups = own.groups(colour);
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, groups.size(), grain),
                        [&](const auto& range) {
                          for (std::size_t g = range.begin(); g < range.end(); ++g)
                            sweep_group(groups[g], k == 0);
                        });
    }
  }
}

void NestedSolver::Workspace::find_force(const IslandPlace& island)
{
  std::fill(force.begin() + island.first, force.begin() + island.last, 0.0);
  sweep.add_impulses(island.contacts, lambda.data(), force.data());
}

// Nodal components keep their x.
void NestedSolver::Workspace::find_response(const IslandPlace& island)
{
  find_force(island);
  for_parts(island, [&](int, const Part& part, int at) {
    double* x = state.data() + at;
    if (part.treatment == Treatment::exact) std::fill_n(x, part.compliance.slots(), 0.0);
    if (part.treatment != Treatment::direct) return;
    for (int i = 0; i < part.nodes; ++i) {
      Eigen::Map<Vector3d>(x + 3 * i) = D.solve(part.first_node + i, force.data() + at + 3 * i);
    }
  });
  for (int c = island.contacts.first; c < island.contacts.last; ++c) {
    const Eigen::Map<const Vector3d> lambda_c(lambda.data() + 3 * c);
    if (lambda_c[0] > 0.0) sweep.push_exact(sweep.contacts[c], lambda_c, state.data());
  }
}

double NestedSolver::Workspace::natural(const IslandPlace& island) const
{
  return sweep.look(island.contacts, lambda.data(), state.data()).rms();
}

void NestedSolver::Workspace::look(const IslandPlace& island, double worst, int at,
                                   BestAnswer& best, IslandReport& report)
{
  if (options.keep_history) report.history.push_back(worst);
  if (!(worst < best.worst)) return;
  best = {worst, at};
  std::copy(state.begin() + island.first, state.begin() + island.last,
            best_state.begin() + island.first);
  std::copy(lambda.begin() + 3 * island.contacts.first, lambda.begin() + 3 * island.contacts.last,
            best_lambda.begin() + 3 * island.contacts.first);
}

void NestedSolver::Workspace::restore_best(const IslandPlace& island)
{
  std::copy(best_state.begin() + island.first, best_state.begin() + island.last,
            state.begin() + island.first);
  std::copy(best_lambda.begin() + 3 * island.contacts.first,
            best_lambda.begin() + 3 * island.contacts.last,
            lambda.begin() + 3 * island.contacts.first);
}

}  // namespace tact
