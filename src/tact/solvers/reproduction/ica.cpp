#include <tact/solvers/reproduction/ica.hpp>

#include <algorithm>
#include <cmath>

#include <tact/core/stop.hpp>
#include <tact/linalg/parallel.hpp>

namespace tact {
namespace {

constexpr int ica_sweeps = 8;            // a pass
constexpr int ica_visits = 3;            // updates of a contact in a row, Sec. 5.5
constexpr int most_inner_sweeps = 100;   // a pass, where they end by themselves
constexpr int least_ica_patience = 150;  // passes without a better answer; more where many are made

NestedOptions options_of_passes(const IcaOptions& options)
{
  return {.scheme = NestedScheme::gauss_seidel,
          .max_exact_nodes = 0,
          .max_passes = options.max_passes,
          .min_passes = options.min_passes,
          .tolerance = options.tolerance,
          .law = options.law,
          .keep_history = options.keep_history};
}

// An island in passes as printed, or in sweeps where it has no mesh.
class IcaIsland {
 public:
  IcaIsland(NestedIsland& island, std::span<const ContactRange> regions, const IcaOptions& options,
            std::vector<long>& inner_loops)
      : island_(island), regions_(regions), options_(options), inner_loops_(inner_loops)
  {
    inner_loops_.resize(most_inner_sweeps + 1, 0);
  }

  void relax()
  {
    if (!island_.nodal) return island_.relax();
    island_.choose_P();
    island_.wholes = false;
    island_.load_blocks();
    island_.find_response();
    const int patience = std::max(least_ica_patience, island_.options->max_passes / 20);
    for (;; ++island_.report.passes) {
      end_if_stopped();
      const double momentum = island_.find_momentum();
      island_.look(std::max(momentum, island_.natural()), island_.report.passes);
      if (island_.reached(Goal::tolerance)) {
        island_.report.status = SolveStatus::converged;
        break;
      }
      if (island_.report.passes == island_.options->max_passes) break;
      if (island_.report.passes - island_.best.found_at > patience) {
        island_.report.status = SolveStatus::stalled;
        break;
      }
      make_pass();
    }
    island_.restore_best();
  }

 private:
  void make_pass()
  {
    predict();
    options_.inner_change > 0.0 ? sweep_until_settled() : sweep_regions();
    island_.find_force();
    forget_prediction();
    island_.gauss_seidel();
  }

  // x := x + D^-1 (J' lambda - A x), the Jacobi step by which contacts are anticipated, eq. (9).
  void predict()
  {
    std::copy(island_.state.begin(), island_.state.end(), island_.old_state.begin());
    island_.for_parts([&](int component, const Part& part, int at) {
      const BlockPattern& pattern = *island_.problem->A[component].pattern;
      island_.add_response(pattern, part, at, Vector3d::Zero());
    });
  }

  void forget_prediction()
  {
    island_.for_parts([&](int, const Part& part, int at) {
      std::copy_n(island_.old_state.begin() + at, 3 * part.nodes, island_.state.begin() + at);
    });
  }

  void sweep_regions()
  {
    island_.report.sweeps += ica_sweeps;
    for (const ContactRange region : regions_) sweep_region(region);
    if (regions_.empty()) sweep_region(island_.range());
  }

  // Sec. 5.5: "change less than 5% between two iterations".
  void sweep_until_settled()
  {
    double before = island_.natural();
    int sweeps = 0;
    for (bool changes = true; changes && sweeps < most_inner_sweeps; ++sweeps) {
      island_.sweep.sweep(island_.range(), ica_visits, island_.lambda.data(), island_.state.data(),
                          island_.awake.data());
      const double after = island_.natural();
      changes = std::abs(after - before) > options_.inner_change * before;
      before = after;
    }
    island_.report.sweeps += sweeps;
    ++inner_loops_[sweeps];
  }

  void sweep_region(ContactRange region)
  {
    double* lambda = island_.lambda.data();
    double* state = island_.state.data();
    int* found = island_.awake.data() + region.first;
    keep_impulses(region);
    const int not_open = island_.sweep.sweep(region, ica_visits, lambda, state, found);
    const std::span<const int> again(found, static_cast<std::size_t>(not_open));
    for (int k = 1; k < ica_sweeps && !has_settled(region); ++k) {
      keep_impulses(region);
      island_.sweep.sweep(again, ica_visits, lambda, state);
    }
  }

  void keep_impulses(ContactRange region)
  {
    std::copy(island_.lambda.begin() + 3 * region.first, island_.lambda.begin() + 3 * region.last,
              island_.old_lambda.begin() + 3 * region.first);
  }

  bool has_settled(ContactRange region) const
  {
    const double bound = options_.settled * island_.options->tolerance;
    for (int c = region.first; c < region.last; ++c) {
      const double w = island_.sweep.contacts[c].w.trace() / 3.0;
      for (int i = 3 * c; i < 3 * c + 3; ++i)
        if (w * std::abs(island_.lambda[i] - island_.old_lambda[i]) > bound) return false;
    }
    return true;
  }

  NestedIsland& island_;
  std::span<const ContactRange> regions_;
  const IcaOptions& options_;
  std::vector<long>& inner_loops_;
};

}  // namespace

IcaSolver::IcaSolver(const IcaOptions& options) : options_(options)
{
  islands_.options = options_of_passes(options);
}

void IcaSolver::begin(const ContactProblem& problem, std::span<const BlockCholesky* const> factors)
{
  islands_.begin(problem, factors);
}

NestedReport IcaSolver::solve(const ContactProblem& problem, ContactSolution& solution)
{
  const std::span<NestedIsland> islands = islands_.lay_out(problem);
  if (regions_.size() < islands.size()) {
    regions_.resize(islands.size());
    inner_loops_.resize(islands.size());
  }
  const bool apart = options_.settled >= 0.0;
  if (apart) by_nodes_.find(islands_.all);
  const WarmStart start(problem, solution);
  run_largest_first(static_cast<int>(islands.size()), [&](int k) {
    regions_[k].clear();
    if (apart && islands[k].nodal) by_nodes_.sort(islands[k].contacts, regions_[k]);
    islands[k].load(problem, start);
    IcaIsland(islands[k], regions_[k], options_, inner_loops_[k]).relax();
  });
  return islands_.report(islands_.write(problem, solution));
}

std::vector<long> IcaSolver::inner_loops() const
{
  std::vector<long> sum;
  for (const std::vector<long>& of_island : inner_loops_) {
    sum.resize(std::max(sum.size(), of_island.size()), 0);
    for (std::size_t k = 0; k < of_island.size(); ++k) sum[k] += of_island[k];
  }
  return sum;
}

}  // namespace tact
