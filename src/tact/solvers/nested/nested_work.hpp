// The memory of NestedSolver, and how it relaxes one island. Not for users of the solver.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include <tact/contact/component_parts.hpp>
#include <tact/contact/contact_regions.hpp>
#include <tact/contact/islands.hpp>
#include <tact/contact/judge.hpp>
#include <tact/contact/sides.hpp>
#include <tact/linalg/row_chunks.hpp>
#include <tact/solvers/coupling/collective_correction.hpp>
#include <tact/solvers/coupling/condensed_interior.hpp>
#include <tact/solvers/nested/contact_sweep.hpp>
#include <tact/solvers/nested/nested.hpp>
#include <tact/solvers/nested/newton_correction.hpp>
#include <tact/solvers/nested/pair_colours.hpp>
#include <tact/solvers/newton/rigid_newton.hpp>
#include <tact/solvers/newton/velocity_newton.hpp>

namespace tact {

// Where things stand, in the order of islands.
struct IslandPlace {
  ContactRange contacts;
  int first_component = 0, last_component = 0;
  int first = 0, last = 0;  // entries of the state
  int number = 0;
  bool nodal = false;  // some component is
  bool direct = true;  // all components are: lone rigid bodies and lone nodes
};

struct IslandReport {
  SolveStatus status = SolveStatus::iteration_limit;
  int passes = 0;
  int sweeps = 0;
  int factors = 0;    // of Newton's method
  bool exact = true;  // false: an island of rigid bodies that missed NestedOptions::rigid_tolerance
  std::vector<double> history;
};

// The best answer of an island so far lies in best_state and best_lambda.
struct BestAnswer {
  double worst = std::numeric_limits<double>::infinity();  // m/s
  int found_at = 0;                                        // pass or sweep
};

// An island as the collective correction sees it.
struct IslandCoupling {
  bool on = false;
  CoupledProblem problem;
  CollectiveCorrection correction;
  std::vector<int> place;  // of its contacts in the order of islands
  VectorXd u, lambda;
};

// What solves islands of rigid bodies exactly.
struct RigidIsland {
  std::vector<int> bodies;  // their first nodes
  RigidNewton newton;
  CondensedInterior interior;
};

// What a sweep changed.
struct SweepStep {
  double energy = 0.0;                                        // J: sum of w_c |change of lambda|^2
  double velocity = std::numeric_limits<double>::infinity();  // m/s: the same as a mean velocity
};

struct NestedSolver::Workspace {
  NestedOptions options;

  // Of A and the contacts, since begin().
  DiagonalBlocks D;
  ComponentParts parts;
  ContactSides sides;
  std::vector<double> scales;  // of the natural map, one a contact

  // Of one solve. Vectors named after what they hold for nodal and direct components; for exact
  // ones the state is u_b = W_b lambda and its dual, which A x and J' lambda are otherwise, is
  // lambda itself: x' A x = u_b' lambda either way.
  Islands islands;
  std::vector<IslandPlace> places;    // one an island
  std::vector<PairColours> colours;   // one an island
  ContactElements node_elements;      // of the regions inside a pass of `ica`
  ContactRegions node_regions;        // kept between solves
  std::vector<ContactRange> inner;    // the same, island by island, in the order of contacts
  std::vector<int> first_inner;       // one an island, and all of them at the end
  std::vector<char> wholes_on;        // one an island: whether its nodal components move as wholes
  std::vector<int> part_at;           // one a component: of its first entry in the state
  std::vector<IslandReport> reports;  // one an island
  std::vector<NewtonCorrection> corrections;                // one an island; most are never used
  std::vector<VelocityNewton> newtons;                      // the same
  std::vector<std::unique_ptr<RigidIsland>> rigid_islands;  // the same, made when used
  ContactSweep sweep;
  LaneBuffer state, old_state, best_state;                // x
  LaneBuffer dual, old_dual;                              // A x
  LaneBuffer force, residual;                             // J' lambda, J' lambda - A x
  LaneBuffer lambda, old_lambda, best_lambda, direction;  // three a contact, island by island
  std::vector<IslandCoupling> couplings;  // one an island, where bodies are corrected
  // Contacts that a sweep found not open, in the places of their island or of their group of a
  // colour; and how many they are, at the place of the first contact of the group.
  std::vector<int> awake, awake_count;
  std::vector<MomentumError> chunk_sums;  // one a chunk of rows of all components
  std::vector<int> first_chunk;           // one a component
  VectorXd impulse, right;                // of write()
  ResidualMeter meter;

  void append(const ContactProblem& problem);
  void lay_out();
  void find_node_regions();
  void sort_by_regions(std::span<int> contacts, int first);
  void load_contacts(const ContactProblem& problem);
  void load_contact(const ContactProblem& problem, int k);
  void add_whole(const Part& part, int at, SweepSide& side);
  void load_blocks(const IslandPlace& island);  // R = P^-1 J' and all that depends on it
  void load_warm_start(const ContactProblem& problem, const ContactSolution& solution);
  void write(const ContactProblem& problem, ContactSolution& solution);
  void write_island(const ContactProblem& problem, const IslandPlace& island,
                    ContactSolution& solution);

  void relax(const ContactProblem& problem, int island);
  void anticipate(const IslandPlace& island, IslandReport& report,
                  NewtonCorrection& newton);  // no nodal component
  void run_passes(const ContactProblem& problem, const IslandPlace& island, IslandReport& report);

  // Islands of lone rigid bodies.
  bool is_exact(const IslandPlace& island) const;
  double rigid_target() const;  // m/s
  void solve_rigid(const ContactProblem& problem, const IslandPlace& island, IslandReport& report);
  void load_rigid(const ContactProblem& problem, const IslandPlace& island);
  void improve_rigid(const IslandPlace& island, int max_steps, IslandReport& report);
  bool start_in_the_middle(const ContactProblem& problem, const IslandPlace& island,
                           IslandReport& report);

  // Steps of both.
  void make_sweeps(const IslandPlace& island, int count, IslandReport& report);
  void sweep_colours(const IslandPlace& island, int count);
  void sweep_regions(std::span<const ContactRange> regions, int count);
  bool settled(ContactRange region) const;
  void find_force(const IslandPlace& island);     // force := J' lambda
  void find_response(const IslandPlace& island);  // state := answer to lambda, but not where nodal
  double natural(const IslandPlace& island) const;
  // Keeps the answer if it is the best so far.
  void look(const IslandPlace& island, double worst, int at, BestAnswer& best,
            IslandReport& report);
  void restore_best(const IslandPlace& island);

  // Steps of anticipation.
  void keep_old(const IslandPlace& island);
  SweepStep last_step(const IslandPlace& island) const;
  void conjugate(const IslandPlace& island, double beta);

  // Steps of passes.
  double find_momentum(const ContactProblem& problem, const IslandPlace& island);
  double residual_of_pass(const ContactProblem& problem, const IslandPlace& island, bool held);
  void extrapolate(const ContactProblem& problem, const IslandPlace& island, double beta);
  bool turned_back(const IslandPlace& island) const;
  void predict(const ContactProblem& problem, const IslandPlace& island);
  void forget_prediction(const IslandPlace& island);
  void begin_again(const ContactProblem& problem, const IslandPlace& island, NestedScheme scheme);
  bool has_friction(const IslandPlace& island) const;
  void cut_to_cones(const IslandPlace& island);
  void gauss_seidel(const ContactProblem& problem, const IslandPlace& island);
  void load_coupling(const ContactProblem& problem, const IslandPlace& island);
  bool carries_many(const ContactProblem& problem, const IslandPlace& island);
  void correct_bodies(const IslandPlace& island);
  void add_response(const BlockPattern& pattern, const Part& part, int at, const Vector3d& shift);

  // Newton's method instead of passes.
  int newton_pass(const ContactProblem& problem, const IslandPlace& island);  // when; -1: never
  bool slides_much(const IslandPlace& island) const;
  bool pinches_much(const IslandPlace& island) const;
  void solve_by_newton(const ContactProblem& problem, const IslandPlace& island,
                       IslandReport& report);
  void gather_velocities(const ContactProblem& problem, const IslandPlace& island, VectorXd& x);
  void scatter_velocities(const IslandPlace& island, const VectorXd& x);

  // Nodal components as a whole. Sweeps move them by one velocity that stands behind those of the
  // nodes.
  static int whole_at(const Part& part) { return 3 * part.nodes; }
  bool has_few_contacts(const IslandPlace& island);
  void share_wholes(const IslandPlace& island);             // adds it to all nodes
  Vector3d whole_response(const Part& part, int at) const;  // to the residual
  void balance_wholes(const IslandPlace& island);

  template <class Work>  // work(component, part, offset in the state)
  void for_parts(const IslandPlace& island, const Work& work)
  {
    for (int k = island.first_component; k < island.last_component; ++k) {
      const int component = islands.components[k];
      work(component, parts[component], part_at[component]);
    }
  }
};

}  // namespace tact
