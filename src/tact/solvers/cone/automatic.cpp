#include <tact/solvers/cone/automatic.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <tact/core/random.hpp>
#include <tact/solvers/cone/admm.hpp>
#include <tact/solvers/cone/gauss_seidel.hpp>
#include <tact/solvers/cone/infeasibility.hpp>
#include <tact/solvers/cone/interior_point.hpp>
#include <tact/solvers/cone/multipliers.hpp>
#include <tact/solvers/cone/proximal_point.hpp>

namespace tact {
namespace {

constexpr int first_sweeps = 20;           // tell which contacts act
constexpr double worth_of_sweeps = 25.0;   // Newton steps
constexpr double worth_of_admm = 100.0;    // Newton steps
constexpr double always_worthwhile = 2e9;  // operations
constexpr int usual_admm = 500;            // iterations
constexpr double least_patience = 4e5;     // operations
constexpr double good_start = 1e-6;        // rel_q from which the proximal point needs few steps
constexpr double worth_keeping = 1e-4;     // rel_q of a point that is better than a new beginning
constexpr double polish_gain = 1e-2;       // of the tolerance
constexpr double worth_polishing = 1e-6;   // a tolerance above asks for speed, not for digits
constexpr double worth_of_polish = 2.0;    // Newton steps that its sweeps may cost
constexpr int long_admm = 3000;            // iterations
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
    if (search_.converged() && !in_speeds && search_.tolerance <= worth_polishing) polish();
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
    point_ = search_.best();
    if (search_.error() > good_start && is_admm_worthwhile(usual_admm))
      stage("admm", [&] { admm(search_, point_, {.max_iterations = 3000, .stop = good_start}); });
    proximal({.alpha = 1e-4, .max_outer = 100, .patience = 15});
  }

  void second_round()
  {
    const VectorXd after_first = point_ = search_.best();
    if (begins_anew())
      stage("admm", [&] {
        VectorXd growth;
        admm(search_, point_,
             {.max_iterations = long_admm,
              .stop = 0.1 * good_start,
              .leave_when_stalled = false,
              .start = AdmmStart::at_zero},
             &growth);
        end_.no_solution = proves_no_solution(search_.problem, growth);
      });
    if (takes_multipliers()) {
      multipliers({.alpha = 1e-3});
      point_ = after_first;
    }
    proximal({.alpha = 1e-4, .max_outer = 200, .patience = 60});
  }

  void third_round()
  {
    if (search_.problem.has_rows) return;  // the interior point does not know them
    stage("ipm", [&] {
      point_ = VectorXd::Zero(search_.problem.size());
      InteriorPoint<D>(search_).solve(point_, {.stop = good_start});
    });
    if (takes_multipliers())
      multipliers({.alpha = 1e-3});
    else
      proximal({.alpha = 1e-4, .max_outer = 40, .patience = 20});
    for (int k = 0; k < most_recentrings && !over(); ++k) {
      stage("centre", [&] {
        point_ = search_.best();
        InteriorPoint<D>(search_).solve(point_, {.max_steps = 25, .frozen_shift = true});
      });
      if (!takes_multipliers()) {
        proximal({.alpha = 1e-3, .max_outer = 20});
        continue;
      }
      multipliers({.alpha = 1e-3});
      draw_start(k);
      multipliers({.alpha = 1e-1});
    }
  }

  void sweeps(const VectorXd& start)
  {
    gauss_seidel(search_, start, {.max_sweeps = first_sweeps});
    if (search_.over()) return;
    VectorXd growth;
    gauss_seidel(
        search_, search_.best(),
        {.max_sweeps = 3000, .patience = std::max(least_patience, worth_of_sweeps * newton_work())},
        &growth);
    end_.no_solution = !search_.converged() && proves_no_solution(search_.problem, growth);
  }

  double entries() const { return static_cast<double>(D * D) * search_.problem.block_count(); }

  // Operations of a Newton step, which has no row for what is open and D - 1 for what slides: at
  // the best point so far.
  double newton_work() const
  {
    if (search_.velocities) return search_.velocities->step_work();
    constexpr double at_bound = 1.0 - 1e-6;
    int rows = 0;
    for (int c = 0; c < search_.problem.contacts(); ++c) {
      const ContactVector<D> lambda = part<D>(search_.best(), c);
      const ImpulseSet& set = search_.problem.sets[c];
      const double bound = set.mu * lambda[0];
      if (set.is_row) ++rows;
      if (set.is_row || !(lambda[0] > 0.0)) continue;
      rows += lambda.template tail<D - 1>().norm() >= at_bound * bound ? D - 1 : D;
    }
    const double share = static_cast<double>(rows) / search_.problem.size();
    return factorisation_work(rows, share * share * entries());
  }

  // ADMM keeps all contacts: where few of many act on one body Newton's method gets there sooner.
  bool is_admm_worthwhile(int iterations) const
  {
    if (search_.velocities)
      return iterations * search_.velocities->solve_work() <= worth_of_admm * newton_work();
    return factorisation_work(search_.problem.size(), entries()) + iterations * admm_work() <=
           std::max(always_worthwhile, worth_of_admm * newton_work());
  }

  // Operations of an iteration.
  double admm_work() const
  {
    if (search_.velocities) return search_.velocities->solve_work();
    const double n = search_.problem.size();
    constexpr double fill = 4.0;  // entries of the factors, of those of W
    return 2.0 * std::min(n * n, fill * entries());
  }

  void proximal(const ProximalOptions& options)
  {
    stage("prox", [&] { proximal_point(search_, point_, options); });
  }

  // Whether ADMM from zero is worth its time: after 3,000 iterations the method of multipliers has
  // few steps to go.
  bool begins_anew()
  {
    if (takes_multipliers() && long_admm * admm_work() <= multipliers_->work()) return true;
    return search_.error() > worth_keeping && is_admm_worthwhile(long_admm);
  }

  // Whether many contacts act on few bodies; looked at where the first round has not been enough.
  bool takes_multipliers()
  {
    if (!over() && !multipliers_) multipliers_.emplace(search_);
    return multipliers_ && multipliers_->applies();
  }

  void multipliers(const MultiplierOptions& options)
  {
    if (takes_multipliers()) stage("mult", [&] { multipliers_->solve(point_, options); });
  }

  // Normal impulses up to a few times what they are on the average in the best point.
  void draw_start(int number)
  {
    Random random(static_cast<std::uint64_t>(number));
    double mean = 0.0;
    for (int c = 0; c < search_.problem.contacts(); ++c)
      mean += std::abs(search_.best()[D * c]) / search_.problem.contacts();
    point_.setZero(search_.problem.size());
    for (int c = 0; c < search_.problem.contacts(); ++c) {
      const double drawn = random.uniform() * random.uniform(0.0, 4.0) * mean;
      if (!search_.problem.sets[c].is_row) point_[D * c] = drawn;
    }
  }

  // Sweeps, where those were enough and a few more are; else at most ten factorisations, or half as
  // many as there were.
  void polish()
  {
    const double asked = search_.tolerance;
    const int allowed = search_.max_factorisations;
    search_.tolerance = polish_gain * asked;
    const int used = search_.work.factorisations;
    search_.max_factorisations = std::min(allowed, used + std::max(10, used / 2));
    if (!search_.over() && used == 0)
      gauss_seidel(
          search_, search_.best(),
          {.max_sweeps = search_.work.sweeps, .patience = worth_of_polish * newton_work()});
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
  std::optional<MethodOfMultipliers<D>> multipliers_;
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
