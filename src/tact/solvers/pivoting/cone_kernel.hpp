// The linear algebra of cone-state Lemke: active rows, basic columns, the inverse of their kernel.
//
// On a piece of the path the rows P (velocities held at zero) and the basic columns B (impulse
// directions, and the covering variable z0) satisfy, with y the whitened body velocities,
//   U_p . y + bias_p + cover_p z0 = 0  for p in P,      y = k + sum_{j in B} V_j x_j
// K[p, j] = U_p . V_j, with cover_p in the column of z0; |P| = |B|; Z = K^-1 is kept explicitly.
// One variable is driven: a column that enters the basis, or the slack of a row that leaves P.
#pragma once

#include <array>
#include <vector>

#include <tact/linalg/dense_lu.hpp>
#include <tact/linalg/updated_inverse.hpp>
#include <tact/solvers/pivoting/whitened.hpp>

namespace tact {

// Rows and columns belong to a contact (owner) and one of its three places (slot); bilateral rows
// and z0 have no owner.
inline constexpr int no_owner = -1;

struct KernelRow {
  Twist side[2];
  int body[2] = {0, 0};
  int owner = no_owner;
  int slot = 0;
  double bias = 0.0;
  double cover = 0.0;
};

struct KernelColumn {
  Twist side[2];
  int body[2] = {0, 0};
  int owner = no_owner;
  int slot = 0;
  double cover_weight = 0.0;  // 1 for z0, 0 for impulses
};

struct Driving {
  enum class Kind { column, slack };
  Kind kind = Kind::column;
  int row = 0;        // slack: the row of P that leaves
  double sign = 1.0;  // slack: orientation of the row's function; column: direction of the change
};

class ConeKernel {
 public:
  // An empty kernel: x has no entries and y = k. `cover` has three entries a contact.
  void begin(const WhitenedProblem& problem, const double* cover);

  int size() const { return size_; }
  bool is_full() const { return size() + 2 >= capacity_; }  // a kernel is at most 6 m + 2 in theory

  const std::vector<Twist>& y() const { return y_; }
  const std::vector<Twist>& dy() const { return dy_; }
  double x(int j) const { return x_[j]; }
  double dx(int j) const { return dx_[j]; }
  int z0() const { return z0_; }  // its place among the columns; size() while it is driven
  double z0_value() const { return z0_ < 0 ? 0.0 : x_[z0_]; }
  double z0_slope() const { return z0_ < 0 ? 0.0 : dx_[z0_]; }

  int row_of(int contact, int slot) const { return places_[contact].row[slot]; }
  int column_of(int contact, int slot) const { return places_[contact].column[slot]; }

  // A weighted sum of a contact's three rows, and the column of the same sum of impulses.
  KernelRow contact_row(int contact, int slot, std::array<double, 3> weights) const;
  KernelColumn contact_column(int contact, int slot, std::array<double, 3> weights) const;

  // What is driven next: a column waits at index size() until the basis takes it.
  void set_driving_column(const KernelColumn& column, double value = 0.0, double sign = 1.0);
  void set_driving_z0(double value, double sign);
  void set_driving_slack(int row, double sign);
  bool drives_column_of(int contact, int slot) const;

  // dx and dy along the driving variable, then the step itself.
  void compute_direction();
  // Up to where slopes of velocities and of z0 along it are round-off: the largest of a row that is
  // held at zero. Everything once there are as many rows as motions and z0, which then stand still.
  double direction_noise() const;
  void move(double t);

  // The event ends the piece: a row joins P or a column leaves B, and the driving variable takes
  // the free place. `slope` is the entering row's own slope along the last direction.
  void enter_row(const KernelRow& row, double slope);
  void leave_column(int j);

  // Sticking contacts change the pair of generators that names their basis.
  void rotate_rows(int contact, double c, double s);
  void recombine_columns(int contact, const double Q[4]);
  void replace_row_data(int contact, int slot, const KernelRow& row);
  void replace_column_data(int contact, int slot, const KernelColumn& column);
  void rename_column(int contact, int from, int to);

  // Puts a row and a column in place without an update; refactor() must follow.
  void append(const KernelRow& row, const KernelColumn& column, double value = 0.0);
  // Z and x from scratch; false when the kernel is singular.
  bool refactor();

  // Rebuilds y from x and corrects x against the rows until their residual is below 1e-14 scale;
  // refactors when a correction no longer helps. False when even that leaves more than round-off
  // explains.
  bool correct(double scale);

  // Lets the driving variable take the place of z0, which is zero from now on.
  void finish();
  // LU of the final kernel and one refinement, for answers that failed their certificate.
  bool polish();

  int corrections() const { return corrections_; }
  int refactors() const { return refactors_; }

 private:
  struct Places {
    int row[3];
    int column[3];
  };
  double entry(const KernelRow& row, const KernelColumn& column) const;
  void note(const KernelRow& row, int place);
  void note(const KernelColumn& column, int place);
  void row_times_inverse(const KernelRow& row);
  void remove(int row, int column);
  bool factor();
  void rebuild_y();
  double row_residuals();
  double row_rounding() const;
  void apply_correction();

  const WhitenedProblem* problem_ = nullptr;
  const double* cover_ = nullptr;
  int capacity_ = 0;
  int size_ = 0;
  UpdatedInverse z_;
  DenseLu lu_;
  std::vector<KernelRow> rows_;
  std::vector<KernelColumn> columns_;
  std::vector<Places> places_;
  Driving driving_;
  int z0_ = -1;
  LaneBuffer x_, dx_, right_, left_, work_;
  std::vector<Twist> y_, dy_;
  int corrections_ = 0;
  int refactors_ = 0;
};

}  // namespace tact
