#include <tact/solvers/cone/gauss_seidel.hpp>

#include <algorithm>
#include <cmath>

#include <tact/contact/delassus.hpp>
#include <tact/core/stop.hpp>

namespace tact {
namespace {

constexpr int plain_sweeps = 10;  // NNCG gains nothing before

// Rows of W, without the contact's own block: what its exact local solve asks for.
template <int D>
struct OthersDelassus {
  const BlockProblem<D>& problem;
  const VectorXd& lambda;

  ContactVector<D> velocity(int c) const
  {
    const int own = problem.diagonal[c];
    return part<D>(problem.q, c) + problem.product(problem.first[c], own, lambda) +
           problem.product(own + 1, problem.first[c + 1], lambda);
  }
  bool is_row(int c) const { return problem.sets[c].is_row; }
  static void push(int, const ContactVector<D>&) {}
};

template <int D>
void sweep_once(const BlockProblem<D>& problem, const std::vector<LocalContact<D>>& contacts,
                VectorXd& lambda)
{
  const OthersDelassus<D> W{problem, lambda};
  const auto law = [&](int c, const ContactVector<D>& q, const ContactVector<D>& guess) {
    return contacts[c].solve(q, guess);
  };
  sweep<D>(W, ContactNumbers(0, problem.contacts()), law, lambda.data());
}

// The acceleration: turns the sweep from `old` to `lambda` into a step along conjugate directions.
template <int D>
class ConjugateDirections {
 public:
  void move(const BlockProblem<D>& problem, const VectorXd& old, VectorXd& lambda)
  {
    change_ = lambda - old;
    const double squared = change_.squaredNorm();
    const double b = squared_ > 0.0 ? squared / squared_ : 2.0;
    squared_ = squared;
    if (b > 1.0) {
      direction_ = change_;
      return;
    }
    lambda += b * direction_;
    for (int c = 0; c < problem.contacts(); ++c)
      part<D>(lambda, c) = project<D>(part<D>(lambda, c), problem.sets[c]);
    direction_ = b * direction_ + change_;
  }

 private:
  VectorXd change_, direction_;
  double squared_ = 0.0;
};

// Decides from the errors at checks whether going on is worth the work.
class Outlook {
 public:
  Outlook(double tolerance, double patience) : tolerance_(tolerance), patience_(patience) {}

  // True: the tolerance is too far at the rate of the last check and of the one before.
  bool is_bleak(int sweep, double error, double work_of_sweep)
  {
    constexpr int first_judged = 20;  // sweeps
    constexpr double least_rate = 1e-12;
    if (sweep >= first_judged) {
      const double rate = std::log(error_ / error) / (sweep - sweep_);
      const double sweeps_left = std::log(error / tolerance_) / std::max(rate, least_rate);
      bleak_ = sweeps_left * work_of_sweep > patience_ ? bleak_ + 1 : 0;
    }
    error_ = error;
    sweep_ = sweep;
    return bleak_ >= 2;
  }

 private:
  double tolerance_, patience_;
  double error_ = 1.0;
  int sweep_ = 0;
  int bleak_ = 0;
};

// A check costs about a sweep: they become rarer.
int next_check(int sweep)
{
  return sweep < 20 ? sweep + 3 : sweep + std::max(10, sweep / 5);
}

}  // namespace

template <int D>
SolveStatus gauss_seidel(Search<D>& search, const VectorXd& start,
                         const GaussSeidelOptions& options, VectorXd* growth)
{
  const BlockProblem<D>& problem = search.problem;
  std::vector<LocalContact<D>> contacts;
  contacts.reserve(problem.sets.size());
  for (int c = 0; c < problem.contacts(); ++c)
    contacts.emplace_back(problem.own(c), problem.sets[c]);
  ConjugateDirections<D> directions;
  Outlook outlook(search.tolerance, options.patience);
  VectorXd lambda = start;
  VectorXd old;
  SolveStatus end = SolveStatus::iteration_limit;
  search.offer(lambda);
  for (int sweep = 1, check = 2; sweep <= options.max_sweeps && !search.over(); ++sweep) {
    end_if_stopped();
    old = lambda;
    sweep_once(problem, contacts, lambda);
    ++search.work.sweeps;
    if (sweep > plain_sweeps) directions.move(problem, old, lambda);
    if (sweep != check) continue;
    check = next_check(sweep);
    search.offer(lambda);
    if (search.converged()) break;
    if (!lambda.allFinite() || outlook.is_bleak(sweep, search.error(), sweep_work(problem))) {
      end = SolveStatus::stalled;
      break;
    }
  }
  search.offer(lambda);
  if (growth) {
    old = lambda;
    sweep_once(problem, contacts, lambda);
    *growth = lambda - old;
  }
  return search.converged() ? SolveStatus::converged : end;
}

template SolveStatus gauss_seidel(Search<2>&, const VectorXd&, const GaussSeidelOptions&,
                                  VectorXd*);
template SolveStatus gauss_seidel(Search<3>&, const VectorXd&, const GaussSeidelOptions&,
                                  VectorXd*);

}  // namespace tact
