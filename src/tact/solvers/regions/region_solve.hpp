// One region in the memory of an island, and the methods that relax it. Not for users of the
// solver.
//
// The state is linear in lambda (contact_sweep.hpp): what holds of a direction d in impulses holds
// of the answer of the state to it. So a step costs one pass over the contacts, `respond`, and what
// projecting cuts off again is pushed contact by contact.
#pragma once

#include <span>
#include <vector>

#include <tact/solvers/nested/nested_island.hpp>
#include <tact/solvers/regions/projected_solver.hpp>

namespace tact {

// Three numbers a contact, as lambda; one code a contact.
struct RegionVectors {
  LaneBuffer residual, old_residual, point;
  std::vector<unsigned char> bounds;  // which of its impulses are at a bound

  void resize(std::size_t contacts);
};

struct RegionReport {
  SolveStatus status = SolveStatus::iteration_limit;
  int cg_iterations = 0;
  int sweeps = 0;               // or iterations of apgd and mprgp
  double assembly = 0.0;        // s: to form a dense W
  std::vector<double> history;  // m/s: of the natural map, where it is kept
};

class RegionSolve {
 public:
  RegionSolve(NestedIsland& island, const ProjectedOptions& options, RegionVectors& vectors);

  RegionReport run();  // after load_blocks()

 private:
  void conjugate_gradients();
  void gauss_seidel(bool accelerated, int last_sweep);
  void accelerated_gradients();
  void proportioning();

  // Measures the answer, and keeps it if it is the best so far. True: it is within the tolerance.
  bool look(int at);
  bool good() const;
  bool waited_too_long(int at, int patience) const { return at - island_.best.found_at > patience; }

  // The answer of the state to impulses p, and what of it a contact sees: (W p)_c.
  void respond(const double* p, std::span<double> answer);
  Vector3d seen(int c, std::span<const double> answer) const;
  // The largest eigenvalue of W scaled by the contacts' own responses, about; `normal`: of the
  // normal rows alone.
  double spectral_radius(bool normal);
  double own_response(int c) const { return island_.sweep.contacts[c].w.trace() / 3.0; }

  // Of conjugate gradients.
  struct StepSize {
    double mean = 0.0, largest = 0.0;  // w |change of lambda|, m/s
  };
  struct Descent {
    double energy = 0.0;               // r' D^-1 r
    double cross = 0.0;                // r' D^-1 r_old
    bool same_bounds = true;           // as those of r_old
    double mean = 0.0, largest = 0.0;  // |r|, m/s
  };
  StepSize move(double alpha);
  Descent find_residual();
  void turn_direction(double beta);
  bool ended(const PhaseThresholds& phase, const StepSize& step, double residual,
             double largest) const;

  // Of accelerated gradients.
  bool gradient_step(double t);
  void extrapolate(double beta);

  // Of proportioning.
  struct Gradients {
    double free = 0.0;     // phi~ . phi
    double chopped = 0.0;  // |beta|^2
  };
  Gradients split_gradient(double abar);
  double scale_of(int c) const;  // s, sqrt(kg)
  void restart_from_free();
  double set_direction(std::span<const double> p);
  void follow_direction(double alpha);
  bool conjugate_step(double abar);
  bool release_step(double chopped);
  void turn_conjugate(double curvature);

  NestedIsland& island_;
  const ProjectedOptions& options_;
  RegionVectors& vectors_;
  RegionReport report_;
  bool fresh_start_ = true;  // of proportioning: conjugate directions begin anew
};

}  // namespace tact
