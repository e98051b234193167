// The path of cone-state Lemke: which face of its friction pyramid each contact is on, and what
// ends a piece of the path. See docs/lemke-cone.md for the tables of states and events.
#pragma once

#include <vector>

#include <tact/contact/friction_pyramid.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/solvers/pivoting/cone_kernel.hpp>
#include <tact/solvers/pivoting/normal_lanes.hpp>

namespace tact {

// A contact's place: a face of the pyramid {lambda} x {u}, three-dimensional in each state.
//
//   state     impulse                       velocity                  rows held    columns
//   inactive  0                             u_n >= 0                  -            -
//   ray       theta r_x, theta >= 0         u_n = 0, u_T in sector x  n            r_x
//   facet     a r_x + b r_{x+1}, a, b >= 0  u_n = 0, u_T = -s e_x     n, p_x       r_x, r_{x+1}
//   stick     any in the pyramid            u = 0                     n, p_x, e_x  the two, and n
//
// r_x = n + mu d_x are the edges of the pyramid; x of a sticking contact only names its basis.
enum class Face { inactive, ray, facet, stick };

struct ConeState {
  Face face = Face::inactive;
  int x = 0;
};

class ConePath {
 public:
  struct Options {
    double end_tolerance = 1e-8;  // z0 wins ties within this share of its first value
    int max_pivots = 5000;
  };

  void load(const WhitenedProblem& problem, const FrictionPyramid& pyramid);

  // `converged`: z0 reached zero. `no_solution`: a ray, nothing blocks the driving variable.
  // `stalled`: the kernel is too large or singular, round-off has won.
  //
  // From z0 = infinity, all contacts inactive. `cover` has three entries a contact, inside the dual
  // cone, and one a bilateral row, zero. It must live as long as the answer is read.
  SolveStatus run_cold(const double* cover, const Options& options);
  // From z0 = 1, where the cover makes `states` hold. `scale` is the size of the velocities, m/s.
  SolveStatus run_warm(const double* cover, const std::vector<ConeState>& states, double scale,
                       const Options& options);

  // Where it converged: the largest violation of the contact law on the unperturbed data, m/s and
  // whitened N s.
  double certificate() const;
  bool polish() { return kernel_.polish(); }
  void impulses(VectorXd& lambda) const;          // three a contact
  void bilateral_impulses(VectorXd& beta) const;  // one a row of problem.bilateral()
  const std::vector<Twist>& velocities() const { return kernel_.y(); }
  const std::vector<ConeState>& states() const { return states_; }

  double scale() const
  {
    return scale_;
  }  // size of the velocities: the first z0 of a cold run, m/s
  int pivots() const { return pivots_; }
  int backward() const { return backward_; }
  int largest_kernel() const { return largest_kernel_; }
  const ConeKernel& kernel() const { return kernel_; }

 private:
  enum class Change {
    none,
    touch,
    detach,
    facet_ahead,
    facet_behind,
    drop_first,
    drop_second,
    stop_sliding,
    slip
  };
  struct Event {
    Change change = Change::none;
    int contact = -1;
    int facet = 0;  // slip: the facet whose bound was reached
    double t = 0.0;
    double slope = 0.0;
  };
  struct Tangential {
    double u_1, u_2;
  };

  void begin(const double* cover);
  void append_bilateral();
  void append_contact(int contact);
  SolveStatus follow(const Options& options);
  Event first_event() const;
  void test_active(int contact, Event& first) const;
  void test_stick(int contact, Event& first) const;
  bool apply(const Event& event);
  bool slip(const Event& event);
  void rebase(int contact, int facet);
  void set_basis(int contact, int facet);
  void join_active(int contact, ConeState state);
  void activate(int contact);
  void deactivate(int contact);
  double certificate_of(int contact) const;

  Tangential tangential(int contact, const std::vector<Twist>& y) const;
  std::array<double, 3> generator(int contact, int x) const;
  std::array<double, 3> along_p(int x) const
  {
    return {0.0, -pyramid_->sin_e[x], pyramid_->cos_e[x]};
  }
  std::array<double, 3> along_e(int x) const
  {
    return {0.0, pyramid_->cos_e[x], pyramid_->sin_e[x]};
  }
  Vector3d impulse_of(int contact) const;

  const WhitenedProblem* problem_ = nullptr;
  const FrictionPyramid* pyramid_ = nullptr;
  const double* cover_ = nullptr;
  ConeKernel kernel_;
  NormalLanes normals_;
  std::vector<ConeState> states_;
  std::vector<int> active_;  // contacts that are not inactive
  std::vector<int> place_in_active_;
  double scale_ = 1.0;
  double z0_first_ = 1.0;
  double velocity_slope_ = 0.0;  // velocities that fall slower than this do not block
  int pivots_ = 0;
  int backward_ = 0;
  int largest_kernel_ = 0;
};

}  // namespace tact
