// What a step cost and how good its result is.
#pragma once

#include <string>
#include <vector>

#include <tact/contact/contact_solver.hpp>

namespace tact {

// Wall time by phase, s.
struct PhaseSeconds {
  double dynamics = 0.0;      // A, b, v*
  double broad_phase = 0.0;   // which pairs to look at
  double narrow_phase = 0.0;  // distances, times of impact, rows
  double solve = 0.0;         // the contact problem

  PhaseSeconds& operator+=(const PhaseSeconds& other);
};

struct StepReport {
  int pcg_iterations = 0;
  int contacts = 0;  // rows of three, in the last pass
  int passes = 0;    // of constraint manifold refinement; of halved steps the most
  int halvings = 0;
  int cut_steps = 0;      // halved steps or whole ones that the last resort had to cut
  int substeps = 1;       // that the integrator cut the step into
  int solves = 0;         // of contact problems
  int unconverged = 0;    // solves that missed their tolerance
  int inexact = 0;        // islands of rigid bodies that missed 1e-8 m/s
  int refused = 0;        // islands that the chosen method does not take: `auto` solved them
  std::string refusal;    // of the first of those: between whom, and why
  int groups = 0;         // of sides, in the last pass
  int union_solves = 0;   // of problems with groups
  int form_solves = 0;    // of those: the sides are those of Lemke on the max or summation form
  double residual = 0.0;  // m/s: Residuals::worst() of what was committed; of substeps the worst
  double missed_residual = 0.0;  // m/s: the worst of the solves that missed their tolerance
  double cone_violation = 0.0;   // N s
  double momentum_error = 0.0;   // |A v - b - J' lambda| / |b|
  // Measured on the states that the step began and ended with (step_balance.hpp): what it lost of
  // momentum over the momenta and impulses of the bodies that touch, and gained of energy.
  double momentum_loss = 0.0;
  double energy_gain = 0.0;                             // J, never negative
  double kinetic_energy = 0.0, potential_energy = 0.0;  // J, at the end
  // How far joints were open at the end of the step, or of a part of it: the worst joint.
  double joint_gap = 0.0;   // m
  double joint_turn = 0.0;  // rad
  int islands = 0;          // of contacts, in the part of the step that had most
  int island_contacts = 0;  // of the largest island
  double clearance = 0.0;   // m: least distance between surfaces at the end, up to 1.5 delta
  AuditReport audit;        // of regions that were solved twice
  // m/s: of the last solve, iteration by iteration, where the solver's options keep it.
  std::vector<double> history;
  PhaseSeconds seconds;
};

}  // namespace tact
