// A contact problem of rigid bodies in coordinates where every body has unit mass: what the
// pivoting solvers read.
//
//   A = G G' per body;  y = G' v;  J y-rows = J G^-T;  k = G' v*;  y = k + (J G^-T)' lambda
//
// [Lloyd05] Sec. II with N = G^-1 N~, D = G^-1 D~, k_x = G^-1 k~_x = G' v* (printed as G' k~_x).
#pragma once

#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/linalg/twist.hpp>

namespace tact {

// Three rows of J G^-T. Side 0 is body a, side 1 body b; the world is the body with index
// `bodies()`, whose velocity is zero and whose rows are zero.
struct WhitenedContact {
  Twist rows[2][3];  // [side][normal, tangent 1, tangent 2]
  int body[2] = {0, 0};
  double mu = 0.0;
  double bias[3] = {0.0, 0.0, 0.0};
};

struct WhitenedRow {
  Twist side[2];
  int body[2] = {0, 0};
  double bias = 0.0;
  double lower = 0.0, upper = 0.0;  // limits of its impulse
};

class WhitenedProblem {
 public:
  // Of a problem of rigid bodies only (contact/rigid_bodies.hpp). Reuses its memory: no allocation
  // when the problem is not larger than those before.
  void load(const ContactProblem& problem);

  int bodies() const { return static_cast<int>(inverse_.size()); }
  int size() const { return static_cast<int>(contacts_.size()); }
  const std::vector<Twist>& k() const { return k_; }  // bodies() + 1 entries, the last one zero
  const std::vector<WhitenedContact>& contacts() const { return contacts_; }

  // Equations that do not depend on each other, then the rows with limits. A dependent equation is
  // dropped when it says the same as the others; when it contradicts them the problem has no
  // solution.
  const std::vector<WhitenedRow>& bilateral() const { return bilateral_; }
  bool contradictory() const { return contradictory_; }

  // v = G^-T y
  void unwhiten(const std::vector<Twist>& y, VectorXd& v) const;

  // Velocities and bilateral impulses of an answer; `beta` has one entry a row of bilateral(), and
  // dropped rows carry nothing. solution.lambda is the caller's.
  void write(const std::vector<Twist>& y, const VectorXd& beta, ContactSolution& solution) const;
  // The answer of a problem that is not solved: the free velocity, no impulses.
  void write_free(ContactSolution& solution) const;

 private:
  struct BodyFactor {
    Twist column[6];  // columns of G^-1, lower triangular
  };
  void load_bodies(const ContactProblem& problem);
  void load_bilateral(const ContactProblem& problem);
  WhitenedRow whitened(const ContactProblem& problem, const BilateralRow& row) const;
  void load_equations(const ContactProblem& problem, const std::vector<int>& equations);
  template <int rows, class Block>
  void whiten(const Block* blocks, int count, int body[2], Twist* side_a, Twist* side_b) const;

  std::vector<BodyFactor> inverse_;
  std::vector<Twist> k_;
  std::vector<WhitenedContact> contacts_;
  std::vector<WhitenedRow> bilateral_;
  std::vector<int> bilateral_source_;  // row of bilateral_ -> row of the problem
  Eigen::Index bilateral_rows_ = 0;    // of the problem, dependent ones included
  bool contradictory_ = false;
};

// u + bias of a whitened row pair against body velocities y.
inline double relative_velocity(const Twist& side_a, const Twist& side_b, const int body[2],
                                const std::vector<Twist>& y)
{
  return dot(side_a, y[body[0]], side_b, y[body[1]]);
}

}  // namespace tact
