// The kernel of structured Lemke: [Lloyd05] eq. (21) with z0 and the missing pair.
//
//   K = [ U'V , U'c* + c^ ]  of size at most 6 m + 2, whatever the number of contacts
//
// Rows and columns are named by keys: two with the same key have the same content. Small kernels
// are factored anew for each basis; beyond 24 rows the inverse is kept, and only the rows and
// columns whose keys changed are updated, each in O(r^2).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <tact/linalg/dense_lu.hpp>
#include <tact/linalg/updated_inverse.hpp>
#include <tact/solvers/pivoting/whitened.hpp>

namespace tact {

// A gamma row is a friction bound, mu theta - sum phi + cover z0, with no velocity in it.
struct StructuredRow {
  std::int64_t key = 0;
  Twist side[2];
  int body[2] = {0, 0};
  double cover = 0.0;  // coefficient of z0 beside U . c*
  int contact = -1;    // or the number of the bilateral row
  int direction = 0;   // of a sigma: less the row of direction `less`, if any
  int less = -1;
  enum class Kind { nu, sigma, gamma, bilateral } kind = Kind::nu;
};

struct StructuredColumn {
  enum class Kind { theta, phi, beta, z0 };
  std::int64_t key = 0;
  Kind kind = Kind::theta;
  Twist side[2];  // V; unused for z0, whose velocity is c*
  int body[2] = {0, 0};
  int contact = -1;   // or the number of the bilateral row
  int direction = 0;  // of a phi
  double mu = 0.0;
};

class StructuredKernel {
 public:
  void begin(int bodies);

  // The rows and columns of a new basis, in any order; the same number of each. `cover_twist` is
  // c*, one twist a body. False when the kernel is singular.
  bool set(const std::vector<StructuredRow>& rows, const std::vector<StructuredColumn>& columns,
           const std::vector<Twist>& cover_twist);

  // In the kernel's own order, which set() may have changed.
  int size() const { return static_cast<int>(rows_.size()); }
  const StructuredRow& row(int p) const { return rows_[p]; }
  const StructuredColumn& column(int j) const { return columns_[j]; }

  // x = K^-1 right; both have size() entries and room for capacity().
  void solve(const double* right, double* x) const;
  int capacity() const { return capacity_; }
  bool keeps_inverse() const { return keep_inverse_; }
  int refactors() const { return refactors_; }
  bool refactor();

 private:
  double entry(const StructuredRow& row, const StructuredColumn& column) const;
  bool update(const std::vector<StructuredRow>& rows, const std::vector<StructuredColumn>& columns);
  bool border(const StructuredRow& row, const StructuredColumn& column);
  bool replace_column(int j, const StructuredColumn& column);
  bool replace_row(int p, const StructuredRow& row);
  bool remove(int p, int j);
  void column_direction(const StructuredColumn& column);
  void row_times_inverse(const StructuredRow& row);

  int capacity_ = 0;
  bool keep_inverse_ = false;
  const std::vector<Twist>* cover_twist_ = nullptr;
  std::vector<StructuredRow> rows_;
  std::vector<StructuredColumn> columns_;
  DenseLu lu_;
  UpdatedInverse inverse_;
  LaneBuffer right_, left_, direction_, work_;
  std::vector<std::pair<std::int64_t, int>> sorted_keys_;
  std::vector<int> fresh_rows_, fresh_columns_, stale_rows_, stale_columns_;
  int refactors_ = 0;
};

}  // namespace tact
