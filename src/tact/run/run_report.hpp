// What a run tells about itself: the keys of report.json.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tact/recording/checkpoint.hpp>
#include <tact/recording/recording.hpp>
#include <tact/run/forces.hpp>
#include <tact/run/frame_surfaces.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {

// What a step is in accounts. `number` and `t` (s) are those of its end.
StepAccount account_of(const StepReport& step, std::int64_t number, double t);

// Counters that a resumed run goes on with.
struct RunTotals {
  StepAccount account;     // of all steps
  StepAccount unrecorded;  // of those since the last frame
  double simulated_seconds = 0.0;
  double wall_seconds = 0.0;
  PhaseSeconds phases;
  double output_seconds = 0.0;
  std::int64_t contacts = 0;  // summed over steps
  std::int64_t contacts_max = 0;
  std::vector<std::int64_t> cmr_passes;  // steps that took 1, 2, 3, ... passes
  double residual_max = 0.0;
  double momentum_error_max =
      0.0;  // relative, of the worst body in a recorded frame: as verify has it
  // Of triangles, the most in a frame: see FramePenetration. Bodies that do not meet themselves are
  // looked at in every recorded frame; all else, which steps keep apart, at the end.
  std::int64_t intersecting_pairs = 0;
  double penetration_max = 0.0;   // m: of the deepest of them
  double joint_gap_max = 0.0;     // m, of the worst joint at the end of a step
  double joint_turn_max = 0.0;    // rad
  std::int64_t substeps = 0;      // summed over steps
  std::int64_t substeps_max = 0;  // of a step
  AuditReport audit;              // of regions that were solved exactly as well
  std::int64_t groups_max = 0;    // of sides, in a step
  std::int64_t union_solves = 0;  // of problems with groups
  std::int64_t form_solves = 0;   // of those by Lemke on the max or summation form
  std::int64_t refused = 0;  // islands that the chosen solver does not take: `auto` solved them

  void add(const StepReport& step, const StepAccount& own, double dt);
  void add(const FrameCertificate& certificate);
  void add(const FramePenetration& found);
};

// For checkpoints, to the last bit.
NamedArray to_array(const RunTotals& totals);
RunTotals totals_from(const NamedArray& array);

// Where a body that the scene asks about is in the end, and how it moves.
struct BodyEnd {
  std::string body;
  Vector3d centre = Vector3d::Zero();    // m: of mass
  Vector3d velocity = Vector3d::Zero();  // m/s: of that
};

// What a joint does to its side b in the last step: about the joint.
struct JointForce {
  std::string joint;
  Wrench on_b = {};
  // What of it is along or about its motion: N or N m.
  double motor = 0.0, friction = 0.0, limit = 0.0;
};

struct RunReport {
  std::string scene;
  std::string version;
  std::uint64_t seed = 0;
  int threads = 0;
  double tolerance = 0.0;  // m/s: asked of solvers
  std::string solver;      // that was asked for
  std::string refusal;     // of the first island that it does not take: between whom, and why
  RunTotals totals;
  std::vector<BodyForces> forces;  // of the bodies that the scene asks about
  std::vector<BodyEnd> ends;       // of those of them that can move
  std::vector<JointForce> joints;
  std::string state_hash;
  bool finished = false;
  bool judged = true;          // surfaces were tested for intersections at the end
  std::string failure;         // why it did not finish; empty when it was interrupted
  bool out_of_memory = false;  // that is why

  std::string refused() const;  // which islands the solver does not take; empty: it took all
  std::string miss() const;     // what was asked for and missed, in a sentence; empty: nothing
};

// The text of report.json.
std::string report_json(const RunReport& report);

}  // namespace tact
