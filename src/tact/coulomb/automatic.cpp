#include <tact/coulomb/automatic.hpp>

#include <algorithm>

#include <tact/coulomb/admm.hpp>
#include <tact/coulomb/gauss_seidel.hpp>
#include <tact/coulomb/infeasibility.hpp>
#include <tact/coulomb/interior_point.hpp>
#include <tact/coulomb/proximal_point.hpp>

namespace tact {
namespace {

constexpr double worth_of_sweeps = 25.0;  // factorisations
constexpr double least_patience = 4e5;    // operations
constexpr double good_start = 1e-6;       // rel_q from which the proximal point needs few steps
constexpr double polish_gain = 1e-2;      // of the tolerance
constexpr int most_recentrings = 10;

template <int D>
class Chain {
 public:
  explicit Chain(Search<D>& search) : search_(search) {}

  ChainEnd run(const VectorXd& start)
  {
    search_.offer(start);
    if (has_immovable_contact(search_.problem)) {
      end_.no_solution = true;
      return end_;
    }
    first_round(start);
    second_round();
    third_round();
    const bool in_speeds = search_.measure() == FrictionMeasure::eps_nat;  // then enough is enough
    if (search_.converged() && !in_speeds) polish();
    return end_;
  }

 private:
  bool over() const { return search_.over() || end_.no_solution; }

  // Runs a stage unless there is nothing left to do, and notes which one made the best point.
  template <class Run>
  void stage(const char* name, Run run)
  {
    if (over()) return;
    end_.stages.emplace_back(name);
    const double before = search_.error();
    run();
    if (search_.error() < before) end_.decided_by = name;
  }

  void first_round(const VectorXd& start)
  {
    stage("gs", [&] { sweeps(start); });
    if (search_.error() > good_start)
      stage("admm", [&] {
        point_ = search_.best();
        admm(search_, point_, {.max_iterations = 3000, .stop = good_start});
      });
    else
      point_ = search_.best();
    proximal({.alpha = 1e-4, .max_outer = 100, .patience = 15});
  }

  void second_round()
  {
    stage("admm", [&] {
      VectorXd growth;
      admm(search_, point_,
           {.max_iterations = 3000,
            .stop = 0.1 * good_start,
            .leave_when_stalled = false,
            .start = AdmmStart::at_zero},
           &growth);
      end_.no_solution = proves_no_solution(search_.problem, growth);
    });
    proximal({.alpha = 1e-4, .max_outer = 200, .patience = 60});
  }

  void third_round()
  {
    stage("ipm", [&] {
      point_ = VectorXd::Zero(search_.problem.size());
      InteriorPoint<D>(search_).solve(point_, {.stop = good_start});
    });
    proximal({.alpha = 1e-4, .max_outer = 40, .patience = 20});
    for (int k = 0; k < most_recentrings && !over(); ++k) {
      stage("centre", [&] {
        point_ = search_.best();
        InteriorPoint<D>(search_).solve(point_, {.max_steps = 25, .frozen_shift = true});
      });
      proximal({.alpha = 1e-3, .max_outer = 20});
    }
  }

  void sweeps(const VectorXd& start)
  {
    const BlockProblem<D>& problem = search_.problem;
    const double entries = static_cast<double>(D * D) * problem.block_count();
    const double factor = factorisation_work(problem.size(), entries);
    VectorXd growth;
    gauss_seidel(
        search_, start,
        {.max_sweeps = 3000, .patience = std::max(least_patience, worth_of_sweeps * factor)},
        &growth);
    end_.no_solution = !search_.converged() && proves_no_solution(problem, growth);
  }

  void proximal(const ProximalOptions& options)
  {
    stage("prox", [&] { proximal_point(search_, point_, options); });
  }

  // At most ten factorisations, or half as many as there were.
  void polish()
  {
    const double asked = search_.tolerance;
    const int allowed = search_.max_factorisations;
    search_.tolerance = polish_gain * asked;
    const int used = search_.work.factorisations;
    search_.max_factorisations = std::min(allowed, used + std::max(10, used / 2));
    if (!search_.over())
      proximal_point(search_, search_.best(),
                     {.alpha = std::max(1e-10, 1e-2 * search_.error()),
                      .max_outer = 8,
                      .max_inner = 20,
                      .max_failures = 3});
    search_.tolerance = asked;
    search_.max_factorisations = allowed;
  }

  Search<D>& search_;
  VectorXd point_;  // where the next stage starts
  ChainEnd end_;
};

}  // namespace

template <int D>
ChainEnd run_chain(Search<D>& search, const VectorXd& start)
{
  return Chain<D>(search).run(start);
}

template ChainEnd run_chain(Search<2>&, const VectorXd&);
template ChainEnd run_chain(Search<3>&, const VectorXd&);

}  // namespace tact
