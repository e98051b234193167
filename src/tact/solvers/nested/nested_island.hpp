// One island in the memory of NestedSolver, and how it is relaxed. Not for users of the solver.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <tact/contact/judge.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/linalg/lanes.hpp>
#include <tact/linalg/row_chunks.hpp>
#include <tact/solvers/coupling/collective_correction.hpp>
#include <tact/solvers/coupling/condensed_interior.hpp>
#include <tact/solvers/nested/contact_sweep.hpp>
#include <tact/solvers/nested/islanded_problem.hpp>
#include <tact/solvers/nested/nested.hpp>
#include <tact/solvers/nested/newton_correction.hpp>
#include <tact/solvers/nested/pair_colours.hpp>
#include <tact/solvers/nested/pass_manner.hpp>
#include <tact/solvers/newton/rigid_newton.hpp>
#include <tact/solvers/newton/velocity_newton.hpp>

namespace tact {

struct IslandReport {
  SolveStatus status = SolveStatus::iteration_limit;
  int passes = 0;
  int sweeps = 0;
  int factors = 0;    // of Newton's method
  bool exact = true;  // false: its plan aims at Goal::exact, which was missed
  std::vector<double> history;
};

// The best answer of an island so far lies in best_state and best_lambda.
struct BestAnswer {
  double worst = std::numeric_limits<double>::infinity();  // m/s
  int found_at = 0;                                        // pass or sweep
};

// Where passes are when a method comes in between.
struct Passing {
  PassManner manner;
  Extrapolation extrapolation;
};

// An island as the collective correction sees it.
struct IslandCoupling {
  CoupledProblem problem;
  CollectiveCorrection correction;
  std::vector<int> place;             // in the island, of its contacts
  std::vector<int> contacts_of_body;  // by its first node
  VectorXd u, lambda;
};

// What solves islands of rigid bodies exactly.
struct RigidIsland {
  std::vector<int> bodies;  // their first nodes
  RigidNewton newton;
  CoupledProblem coupled;
  CondensedInterior interior;
  bool loaded = false;  // in this solve
};

// What a sweep changed.
struct SweepStep {
  double energy = 0.0;                                        // J: sum of w_c |change of lambda|^2
  double velocity = std::numeric_limits<double>::infinity();  // m/s: the same as a mean velocity
};

// What a solve starts from, as far as it fits.
struct WarmStart {
  const ContactSolution& solution;
  bool impulses = false, velocities = false;

  WarmStart(const ContactProblem& problem, const ContactSolution& start);
};

struct NestedIsland {
  // What it is an island of.
  IslandedProblem* all = nullptr;
  const ContactProblem* problem = nullptr;
  const NestedOptions* options = nullptr;
  std::span<int> contacts;  // their numbers in the problem
  std::span<const int> components;
  bool nodal = false;  // some component is
  bool direct = true;  // all components are: lone rigid bodies and lone nodes

  // Vectors named after what they hold for nodal and direct components; for exact ones the state is
  // u_b = W_b lambda and its dual, which A x and J' lambda are otherwise, is lambda itself:
  // x' A x = u_b' lambda either way.
  LaneBuffer memory;                                             // of all of them
  std::span<double> state, old_state, best_state;                // x
  std::span<double> dual, old_dual;                              // A x
  std::span<double> force, residual;                             // J' lambda + rest, less A x
  std::span<double> lambda, old_lambda, best_lambda, direction;  // three a contact

  ContactSweep sweep;
  PairColours colours;
  // Contacts that a sweep found not open, in the places of the island or of their group of a
  // colour; and how many they are, at the place of the first contact of the group.
  std::vector<int> awake, awake_count;
  bool wholes = false;  // nodal components move as wholes, too
  std::vector<MomentumError> chunk_sums;
  VectorXd response;  // of an exact component, to its impulses
  IslandReport report;
  BestAnswer best;
  std::optional<Passing> passing;

  NewtonCorrection correction;
  // Made when they are first used.
  std::unique_ptr<VelocityNewton> newton;
  std::unique_ptr<RigidIsland> rigid;
  std::unique_ptr<IslandCoupling> coupling;
  bool coupled = false;

  int size() const { return static_cast<int>(contacts.size()); }
  ContactRange range() const { return {0, size()}; }
  static int whole_at(const Part& part) { return 3 * part.nodes; }

  // Getting in, and out: one island after the other, then side by side.
  void lay_out(IslandedProblem& shared, const Island& island, const NestedOptions& how);
  void allot(int entries);  // gives the vectors their memory
  void load(const ContactProblem& of, const WarmStart& start);
  void load_contacts();
  void load_contact(int k);
  void add_whole(const Part& part, int at, SweepSide& side);
  void load_warm_start(const WarmStart& start);
  void load_blocks();  // R = P^-1 J' and all that depends on it
  // v = v* + x and lambda; `impulse` is room for one number a velocity.
  void write(ContactSolution& solution, VectorXd& impulse);

  // Follows the plan, and leaves the best answer.
  void relax();
  IslandKind kind() const;
  bool reached(Goal goal) const;
  double exact_target() const;  // m/s
  void choose_P();              // of nodal components

  // The methods of plans; their own limits are in NestedOptions.
  void anticipate();
  void run_passes(int until);  // until < 0: to their end
  void improve_rigid(int max_steps);
  void start_in_the_middle(int max_steps);
  void solve_by_newton();

  // Steps of all.
  void make_sweeps(int count);
  void sweep_colours(int count);
  void find_force();     // force := J' lambda + rest
  void find_response();  // state := answer to lambda, but not where nodal
  double natural() const;
  // Keeps the answer if it is the best so far.
  void look(double worst, int at);
  void restore_best();
  void load_rigid();

  // Steps of anticipation.
  void keep_old();
  SweepStep last_step() const;
  void conjugate(double beta);

  // Steps of passes.
  double find_momentum();
  double residual_of_pass(bool held);
  bool try_next_manner();
  void make_pass(bool looked);
  void extrapolate(double beta);
  bool turned_back() const;
  void begin_again(NestedScheme scheme);
  bool has_friction() const;
  void cut_to_cones();
  void gauss_seidel();
  void load_coupling();
  bool carries_many(std::vector<int>& contacts_of_body) const;
  void correct_bodies();
  void add_response(const BlockPattern& pattern, const Part& part, int at, const Vector3d& shift);

  // Newton's method instead of passes.
  int newton_pass() const;  // from when on; -1: never
  bool slides_much() const;
  bool pinches_much() const;
  void gather_velocities(VectorXd& x) const;
  void scatter_velocities(const VectorXd& x);

  // Nodal components as a whole. Sweeps move them by one velocity that stands behind those of the
  // nodes.
  bool has_few_contacts() const;
  void share_wholes();                                      // adds it to all nodes
  Vector3d whole_response(const Part& part, int at) const;  // to the residual
  void balance_wholes();

  template <class Work>  // work(component, part, offset in the state)
  void for_parts(const Work& work) const
  {
    for (const int component : components)
      work(component, all->parts[component], all->part_at[component]);
  }
};

// All islands of a problem.
struct NestedIslands {
  NestedOptions options;
  IslandedProblem all;
  ResidualMeter meter;
  VectorXd impulse;

  void begin(const ContactProblem& problem, std::span<const BlockCholesky* const> factors);
  // Those with most contacts first.
  std::span<NestedIsland> lay_out(const ContactProblem& problem);
  // The answers of all islands, and how good they are together.
  Residuals write(const ContactProblem& problem, ContactSolution& solution);
  NestedReport report(const Residuals& residuals);

 private:
  std::span<NestedIsland> in_use() { return std::span(islands_).first(all.islands.islands.size()); }

  std::vector<NestedIsland> islands_;  // kept, with what they made, for later solves
};

}  // namespace tact
