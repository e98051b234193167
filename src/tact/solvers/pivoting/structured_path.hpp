// Lemke's path on the rows of the contact LCP without forming its matrix, [Lloyd05] Sec. V and VI.
//
// Names as in the paper: theta, phi, lambda are the impulses along the normal, along the d
// directions, and the multiplier of the friction bound; nu, sigma, gamma their complements. N, D
// are whitened rows.
#pragma once

#include <cstdint>
#include <vector>

#include <tact/contact/friction_pyramid.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/solvers/pivoting/normal_lanes.hpp>
#include <tact/solvers/pivoting/structured_kernel.hpp>

namespace tact {

class StructuredPath {
 public:
  struct Options {
    bool all_rows = true;  // false: friction rows join when a contact becomes active, Sec. VI
    int first_cover = 0;   // where in the table of covering vectors to begin
    double end_tolerance = 1e-8;  // z0 wins ties within this share of its first value
    int max_pivots = 5000;
  };

  void load(const WhitenedProblem& problem, const FrictionPyramid& pyramid);
  // As ConePath's.
  SolveStatus run(const Options& options);

  // Where it converged: the largest violation of the LCP on the unperturbed data, over the first
  // z0.
  double certificate() const;
  void impulses(VectorXd& impulse) const;         // three a contact
  void bilateral_impulses(VectorXd& beta) const;  // one a row of problem.bilateral()
  const std::vector<Twist>& velocities() const { return value_.v; }

  int pivots() const { return pivots_; }
  int largest_kernel() const { return largest_kernel_; }
  int refactors() const { return kernel_.refactors(); }

 private:
  // Which member of each pair of a contact is basic; its friction pairs exist once it is present.
  struct Basis {
    bool theta = false;
    bool lambda = false;
    std::uint64_t phi = 0;  // one bit a direction
    int x = -1;             // the phi that row gamma determines while lambda is basic; -1: none
    int block = -1;         // place of its entries; -1: not present
  };
  struct Pair {
    enum class Row { normal, friction, bound };
    int contact = -1;
    Row row = Row::normal;
    int direction = 0;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  // All basic variables of one basis: values q', or slopes m' along the driving variable.
  struct Evaluation {
    std::vector<Twist> v;
    LaneBuffer entries;  // stride_ for each present contact: d friction pairs, normal, bound
    LaneBuffer kernel;   // unknowns of the kernel
    double z0 = 0.0;
  };
  enum class Right { free_velocity, driving };

  SolveStatus start();
  void join(int contact, const std::vector<Twist>& v, double z0);
  bool rebuild_kernel();
  void choose_x(Basis& basis) const;
  void add_rows_of(int contact);
  void add_missing_row();
  StructuredRow velocity_row(const Pair& pair) const;
  StructuredRow bound_row(int contact) const;
  StructuredColumn impulse_column(const Pair& pair) const;

  void evaluate(Right right, Evaluation& out);
  void solve_kernel(Right right, Evaluation& out);
  void add_impulses(Right right, Evaluation& out) const;
  double kernel_residuals(Right right, const Evaluation& out);
  void evaluate_slacks(int contact, Right right, Evaluation& out) const;
  void scatter_kernel(Evaluation& out);
  void evaluate_bounds(int contact, Right right, Evaluation& out) const;
  double inhomogeneity(const Pair& pair, Right right) const;
  double inhomogeneity(const StructuredRow& row, Right right) const;

  struct Leaving {
    Pair pair;
    double t = 0.0;
    double slope = 0.0;
  };
  Leaving ratio_test() const;
  void consider_block(int contact, Leaving& first) const;
  bool basic_z(const Pair& pair) const;
  void set_basic_z(const Pair& pair, bool is_z);
  void exchange(const Pair& leaving);

  Twist direction_twist(int contact, int side, int direction) const;
  std::int64_t key(const Pair& pair, int x) const;
  int place(const Pair& pair) const;
  bool has_friction(int contact) const { return problem_->contacts()[contact].mu > 0.0; }

  const WhitenedProblem* problem_ = nullptr;
  const FrictionPyramid* pyramid_ = nullptr;
  Options options_;
  NormalLanes normals_;  // contacts that are not present: only nu matters
  StructuredKernel kernel_;
  std::vector<Basis> basis_;
  std::vector<int> present_;
  int stride_ = 0;
  LaneBuffer cos_, sin_;              // of the directions, padded to stride_
  LaneBuffer cover_;                  // as Evaluation::entries
  std::vector<double> normal_cover_;  // three a contact, as NormalLanes wants them
  std::vector<StructuredRow> rows_;
  std::vector<StructuredColumn> columns_;
  std::vector<Twist> cover_twist_;  // c* = sum of c_gamma D_x over contacts with an x
  std::uint64_t cover_key_ = 0;     // names c*
  Evaluation value_, slope_;
  LaneBuffer right_, correction_;
  std::vector<double> theta_, phi_sum_;
  bool z0_basic_ = false;
  Pair missing_;           // both members nonbasic while z0 is basic
  bool driving_z_ = true;  // which member of the missing pair is driven
  double z0_first_ = 0.0;
  int pivots_ = 0;
  int largest_kernel_ = 0;
};

}  // namespace tact
