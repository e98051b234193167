// Linear complementarity problems: plain, mixed and boxed, as one struct.
#pragma once

#include <limits>
#include <string>
#include <string_view>

#include <tact/core/types.hpp>

namespace tact {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// Find z and w = M z + q with lower <= z <= upper and, for each i,
//   z_i = lower_i: w_i >= 0;   z_i = upper_i: w_i <= 0;   between: w_i = 0.
// Empty bounds mean 0 and +infinity: the plain problem 0 <= w perp z >= 0. A variable without any
// bound makes its row an equation (a mixed problem); two finite bounds make a box (friction).
struct LcpProblem {
  MatrixXd M;
  VectorXd q;
  VectorXd lower;  // empty, or one entry a variable; -infinity where there is no bound
  VectorXd upper;  // empty, or one entry a variable; +infinity where there is no bound

  int size() const { return static_cast<int>(q.size()); }
  double lower_bound(int i) const { return lower.size() ? lower[i] : 0.0; }
  double upper_bound(int i) const { return upper.size() ? upper[i] : infinity; }
  bool is_equation(int i) const
  {
    return lower_bound(i) == -infinity && upper_bound(i) == infinity;
  }
};

struct LcpSolution {
  VectorXd z;
  VectorXd w;
};

enum class LcpKind { lcp, mlcp, blcp };

LcpKind kind(const LcpProblem& problem);
std::string_view name(LcpKind kind);

// Throws Error unless M is square and finite, q fits it, and lower <= upper without NaN.
void validate(const LcpProblem& problem);

// The shared measure of an answer, from the problem and z alone:  max_i |z_i - mid(l_i, u_i, z_i -
// w_i)| with w = M z + q. For plain rows this is |min(z_i, w_i)|, for equations |w_i|. Not scaled.
// NaN in z gives infinity; a z of the wrong length throws Error.
double residual(const LcpProblem& problem, const VectorXd& z);

// The same, and leaves w = M z + q behind; for solvers that need both and keep their workspace.
double residual(const LcpProblem& problem, const VectorXd& z, VectorXd& w);

// How much of the terms of a row, |q_i| + sum_j |M_ij z_j|, is wrong at most: w_i, or what it
// changes in a row to move z_i to its bound, whichever is less. Free of the units of rows and
// variables. Near 1e-16 it is round-off: no z in double precision does better, however large
// residual() is in a row of large entries.
double relative_residual(const LcpProblem& problem, const VectorXd& z);

// Whether what is left is round-off, in every row.
bool is_at_round_off(const LcpProblem& problem, const VectorXd& z);

// Of such an answer, for reports: "at round-off, 2e-16 of the terms of a row".
std::string round_off_note(const LcpProblem& problem, const VectorXd& z);

}  // namespace tact
