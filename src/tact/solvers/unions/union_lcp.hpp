// Unions of half-spaces inside an LCP: the max and the summation formulation of [Egan03].
//
// Given is an LCP whose row i, for a side i of a group, says a_i >= 0 with the impulse p_i as its
// variable (PyramidLcp, or any other); a = (M z + q)_i is the end gap over the time step, m/s. The
// forms keep all its other rows and variables and replace these. Letters are the paper's:
//
// max, eqs. (13)-(22), with a velocity scale a_s where the paper has the number 1:
//   0 <= c_i + a_i - a_s          perp  c_i >= 0     c_i = max(0, a_s - a_i)
//   0 <= sum of the group's g - 1 perp  d   >= 0     some g_i > 0 ...
//   0 <= c_i + d - gamma          perp  g_i >= 0     ... so that d = gamma - min c
//   0 <= h_i + a_i                perp  h_i >= 0     h_i = max(0, -a_i)
//   0 <= d - gamma + a_s          perp  p   >= 0     min(max a, a_s) >= 0: the union
//   0 <= h_i + d - gamma + a_s    perp  p_i >= 0     force only where a_i = max a = 0
//
// The last row but one asks for d >= gamma - a_s, so that any gamma > a_s makes d positive and the
// form exact. (The paper argues from gamma > max c and asks for more.)
//
// sum, eqs. (25)-(28), with e = epsilon / h:
//   0 <= c_i - a_i - e            perp  c_i >= 0     c_i = max(0, a_i + e)
//   0 <= sum of the group's c - e perp  p_i >= 0     force from any side once the sum is 0
//
// The constant of the last row is -e for groups of every size; the appendix has -(size - 1) e,
// which agrees for two sides and shuts out valid states for more.
#pragma once

#include <vector>

#include <tact/contact/side_groups.hpp>
#include <tact/lcp/lcp_problem.hpp>

namespace tact {

enum class UnionForm { max, sum };

struct UnionConstants {
  double velocity_scale = 0.0;  // a_s, m/s: openings beyond it count as equal
  double gamma = 0.0;           // m/s, more than a_s; vastly more costs digits
  double cap = 0.0;             // e = epsilon / h, m/s: how far the sum form cuts corners off
};

// From the largest a_i of the sides at z = 0: a_s is that, gamma four times that, e a thousandth.
// The first two only scale the problem; e is a compromise between the corner and the digits left.
UnionConstants choose_constants(const LcpProblem& base, const SideGroups& groups);

// Throws Error unless 0 < a_s < gamma and 0 < e, all finite.
void validate(const UnionConstants& constants);

// The number of rows by the table of [Egan03] Sec. VI, for contacts that all have friction.
struct ConstraintCount {
  int convex = 0;      // x: contacts in no group
  int sides = 0;       // y
  int groups = 0;      // g
  int directions = 0;  // k: of the friction pyramid

  int friction() const { return (directions + 1) * (convex + sides); }
  int stewart() const { return convex + (directions + 1) * convex; }  // no sides: cannot have any
  int max() const { return 4 * sides + 2 * groups + convex + friction(); }
  int sum() const { return 2 * sides + convex + friction(); }
};

class UnionLcp {
 public:
  // Rows of the sides must be plain (0 <= w perp z >= 0) in `base`; other rows may be of any kind.
  // Keeps its memory; `base` is not needed afterwards. Throws Error for wrong groups or constants.
  void load(const LcpProblem& base, const SideGroups& groups, UnionForm form,
            const UnionConstants& constants);

  // Variables in the order of the appendix: max (c, d, g, h, p | p_y, rest), sum (c | p_y, rest),
  // where p_y are the sides, group by group, and the rest keeps the order of `base`.
  const LcpProblem& lcp() const { return lcp_; }

  // What a row is for: Lemke's algorithm treats them differently (union_lemke.hpp).
  enum class Role { other, depth, allowed };  // depth: h_i + a_i; allowed: d - gamma + a_s
  Role role(int row) const;
  // Of the max form: whose side the row h_i + a_i or the row of p_i is (its place among all sides);
  // -1: another row.
  int side(int row) const;

  // How far each side is open where the variables of `base` are 0: a_i, group by group, m/s.
  VectorXd free_velocities() const;

  // The auxiliary variables that are basic there, ascending, with one side chosen in every group to
  // be taken for its widest (its place among all sides): c where a_i < a_s; d; g of the chosen; h
  // where a_i < 0, but for the chosen. Of the sum form: c where a_i > -e.
  std::vector<int> basic_at_zero(const std::vector<int>& chosen) const;

  const SideGroups& groups() const { return groups_; }

  // The variables of `base` among z.
  VectorXd base_variables(const VectorXd& z) const;

  // z with the variables of `base` given and the others as they follow from them; where several
  // sides are equally open, g marks the first. A solution exactly where the union's law holds.
  VectorXd lifted(const VectorXd& base_z) const;

 private:
  void load_max(const LcpProblem& base);
  void load_sum(const LcpProblem& base);
  void add_base_rows(const LcpProblem& base);
  VectorXd side_velocities(const VectorXd& behind) const;
  void lift_max(const VectorXd& a, VectorXd& z) const;
  void lift_sum(const VectorXd& a, VectorXd& z) const;

  // Where the blocks of the max form begin.
  int d() const { return groups_.sides(); }
  int g() const { return d() + groups_.size(); }
  int h() const { return g() + groups_.sides(); }
  int p() const { return h() + groups_.sides(); }

  SideGroups groups_;
  UnionForm form_ = UnionForm::max;
  UnionConstants constants_;
  std::vector<int> order_;  // variable of `base` at each place behind first_
  int first_ = 0;           // where the variables of `base` begin
  LcpProblem lcp_;
};

// What stands in for u_n of each side in the contact law of the form, and u_n elsewhere:
// max: max(0, -a_i) + opening of the group where that is not negative, else the opening itself;
// sum: sum of max(0, a_j + e) - e. With it the law of a side is the ordinary 0 <= u_n perp lambda_n
// >= 0.
VectorXd effective_normal_velocities(const SideGroups& groups, UnionForm form, double cap,
                                     const VectorXd& u_n);

}  // namespace tact
