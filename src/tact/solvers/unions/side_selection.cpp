#include <tact/solvers/unions/side_selection.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace tact {

double impulse_work(const ContactProblem& problem, const VectorXd& v)
{
  const VectorXd change = v - problem.v_star;
  VectorXd momentum;
  multiply(problem, change, momentum);
  return 0.5 * change.dot(momentum);
}

VectorXd normal_entries(const VectorXd& three_a_contact)
{
  return three_a_contact(Eigen::seq(0, Eigen::last, 3));
}

void SelectionTrial::take(const ContactProblem& problem, const ContactSolution& solution)
{
  u_n = normal_entries(contact_velocities(problem, solution.v));
  lambda_n = normal_entries(solution.lambda);
  work = impulse_work(problem, solution.v);
}

namespace {

constexpr double equal_work = 1e-9;         // relative: what round-off may do to the work
constexpr double smallest_impulse = 1e-12;  // relative to the largest of the trial

using Choice = std::vector<int>;  // of each group a place among its sides; -1: none chosen

class SideSearch {
 public:
  SideSearch(const SideGroups& groups, int contacts, SelectedContacts& convex,
             const SelectionOptions& options)
      : groups_(groups), convex_(convex), options_(options), present_(contacts, 1)
  {
  }

  SelectionReport run(std::span<const int> start);

 private:
  bool try_choice(const Choice& choice);
  bool is_better(const Choice& choice) const;
  void branch(const Choice& choice);
  void try_all();
  void descend(Choice centre);
  Choice choice_of(std::span<const int> contacts) const;
  void settle(Choice& choice);
  bool try_neighbours(const Choice& centre);
  SelectionReport report(bool exhaustive) const;

  bool within_limit() const { return trials_ < options_.max_trials; }
  bool is_crossed(int group) const;
  double count_choices() const;
  int most_crossed() const;
  bool pushes(const SelectionTrial& trial, const Choice& choice, int group) const;
  bool pushes_too_far(const Choice& choice, int group) const;
  bool is_consistent(const Choice& choice) const;
  int better_side(const Choice& choice, int group) const;
  std::vector<int> by_opening(int group) const;

  const SideGroups& groups_;
  SelectedContacts& convex_;
  const SelectionOptions& options_;
  std::vector<char> present_;
  int trials_ = 0;
  SelectionTrial trial_;  // the last one
  Choice tried_;          // and its choice
  SelectionTrial best_trial_;
  Choice best_;
  bool found_ = false;  // whether a choice has led to an allowed state: best_ and its trial
  bool best_is_consistent_ = false;
  std::set<Choice> settled_;  // local search goes through a choice once
};

double SideSearch::count_choices() const
{
  double count = 1.0;
  for (int g = 0; g < groups_.size(); ++g) count *= groups_.pushing(g);
  return count;
}

// Whether the end state is forbidden. A chosen side holds as well as the solver can have it.
bool SideSearch::is_crossed(int group) const
{
  return tried_[group] < 0 && -opening(groups_[group], trial_.u_n) > options_.tolerance;
}

// The group whose widest side is crossed most, -1 where all groups allow the end state.
int SideSearch::most_crossed() const
{
  int worst = -1;
  double depth = 0.0;
  for (int g = 0; g < groups_.size(); ++g) {
    if (!is_crossed(g)) continue;
    const double crossed = -opening(groups_[g], trial_.u_n);
    if (crossed <= depth) continue;
    depth = crossed;
    worst = g;
  }
  return worst;
}

bool SideSearch::pushes(const SelectionTrial& trial, const Choice& choice, int group) const
{
  if (choice[group] < 0) return false;
  const double impulse = trial.lambda_n[groups_[group][choice[group]]];
  return impulse > smallest_impulse * trial.lambda_n.maxCoeff();
}

// Whether the chosen side pushes although another one is open.
bool SideSearch::pushes_too_far(const Choice& choice, int group) const
{
  return pushes(trial_, choice, group) && opening(groups_[group], trial_.u_n) > options_.tolerance;
}

bool SideSearch::is_consistent(const Choice& choice) const
{
  for (int g = 0; g < groups_.size(); ++g)
    if (pushes_too_far(choice, g)) return false;
  return true;
}

// Places of a group's sides that may push, the most open first.
std::vector<int> SideSearch::by_opening(int group) const
{
  std::vector<int> places(groups_.pushing(group));
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(), [&](int i, int j) {
    return trial_.u_n[groups_[group][i]] > trial_.u_n[groups_[group][j]];
  });
  return places;
}

bool SideSearch::is_better(const Choice& choice) const
{
  if (!found_) return true;
  const bool consistent = is_consistent(choice);
  if (consistent != best_is_consistent_) return consistent;
  const double more = trial_.work - best_trial_.work;
  if (std::abs(more) <= equal_work * best_trial_.work) return choice < best_;
  return more < 0.0;
}

// Solves for a choice, and keeps the answer where it is allowed and the best. False: no answer.
bool SideSearch::try_choice(const Choice& choice)
{
  tried_ = choice;
  for (const int side : groups_.all_sides()) present_[side] = 0;
  for (int g = 0; g < groups_.size(); ++g)
    if (choice[g] >= 0) present_[groups_[g][choice[g]]] = 1;
  ++trials_;
  convex_.solve(present_, trial_);
  if (!trial_.solved) return false;
  if (most_crossed() < 0 && is_better(choice)) {
    found_ = true;
    best_ = choice;
    best_trial_ = trial_;
    best_is_consistent_ = is_consistent(choice);
    convex_.keep();
  }
  return true;
}

// Branch and bound, from a choice that has just been tried. A choice has at least the work of every
// part of it: so only groups that are crossed need a side, parts with more work than the best
// answer lead nowhere, and the answer has the least work of all states that the unions allow.
void SideSearch::branch(const Choice& choice)
{
  if (found_ && trial_.work > (1.0 + equal_work) * best_trial_.work) return;
  const int group = most_crossed();
  if (group < 0) return;
  Choice next = choice;
  for (const int place : by_opening(group)) {
    if (!within_limit()) return;
    next[group] = place;
    if (try_choice(next)) branch(next);
  }
}

void SideSearch::try_all()
{
  Choice choice(groups_.size(), 0);
  bool more = true;
  while (more) {
    try_choice(choice);
    more = false;
    for (int g = groups_.size() - 1; g >= 0 && !more; --g) {
      choice[g] = (choice[g] + 1) % groups_.pushing(g);
      more = choice[g] != 0;
    }
  }
}

// The place that a group should go on with after the last trial: a crossed one with the widest side
// that may push; one that pushes too far with the widest side, or none where that may not push.
int SideSearch::better_side(const Choice& choice, int group) const
{
  if (!is_crossed(group) && !pushes_too_far(choice, group)) return choice[group];
  const int widest = by_opening(group).front();
  if (is_crossed(group)) return widest;
  return trial_.u_n[groups_[group][widest]] > options_.tolerance ? widest : -1;
}

// Gives crossed groups a side, and moves on from sides that push too far: to the widest one. The
// state that was reached stays allowed, so without friction no such move adds work.
void SideSearch::settle(Choice& choice)
{
  while (within_limit() && settled_.insert(choice).second && try_choice(choice)) {
    Choice next = choice;
    for (int g = 0; g < groups_.size(); ++g) next[g] = better_side(choice, g);
    if (next == choice) return;
    choice = next;
  }
}

// Another side for one group after the other. True as soon as that has led to something better.
bool SideSearch::try_neighbours(const Choice& centre)
{
  const Choice before = best_;
  for (int g = 0; g < groups_.size(); ++g) {
    const bool worth_it = found_ ? pushes(best_trial_, best_, g) : centre[g] >= 0;
    for (int place = 0; worth_it && place < groups_.pushing(g); ++place) {
      Choice next = centre;
      next[g] = place;
      settle(next);
      if (best_ != before) return true;
      if (!within_limit()) return false;
    }
  }
  return false;
}

void SideSearch::descend(Choice centre)
{
  settle(centre);
  while (try_neighbours(found_ ? best_ : centre)) {
  }
}

SelectionReport SideSearch::report(bool exhaustive) const
{
  SelectionReport report;
  report.trials = trials_;
  report.exhaustive = exhaustive;
  report.chosen.assign(groups_.size(), -1);
  if (!found_) return report;
  report.status = best_is_consistent_ ? SolveStatus::converged : SolveStatus::stalled;
  report.work = best_trial_.work;
  for (int g = 0; g < groups_.size(); ++g)
    if (pushes(best_trial_, best_, g)) report.chosen[g] = groups_[g][best_[g]];
  return report;
}

Choice SideSearch::choice_of(std::span<const int> contacts) const
{
  Choice choice(groups_.size(), -1);
  for (int g = 0; g < groups_.size(); ++g)
    for (int place = 0; place < groups_.pushing(g); ++place)
      if (groups_[g][place] == contacts[g]) choice[g] = place;
  return choice;
}

SelectionReport SideSearch::run(std::span<const int> start)
{
  if (!start.empty()) {
    descend(choice_of(start));
    return report(false);
  }
  const Choice none(groups_.size(), -1);
  const bool few = groups_.size() <= options_.max_enumerated_groups;
  if (!try_choice(none) || most_crossed() < 0) return report(convex_.monotone());
  if (few && convex_.monotone()) {
    branch(none);
    return report(within_limit());
  }
  if (few && count_choices() <= options_.max_trials) {
    try_all();
    return report(true);
  }
  descend(none);
  return report(false);
}

}  // namespace

SelectionReport select_sides(const SideGroups& groups, int contacts, SelectedContacts& convex,
                             const SelectionOptions& options, std::span<const int> start)
{
  validate(groups, contacts);
  return SideSearch(groups, contacts, convex, options).run(start);
}

}  // namespace tact
