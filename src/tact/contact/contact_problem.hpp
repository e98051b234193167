// One frictional contact problem between bodies of any kind: plain data, no pointers back into a
// scene.
//
//   A (v - v*) = J' lambda + B' beta + rest
//                                      momentum; A block diagonal, one block-sparse matrix a
//                                      component
//   u = J v + bias                     three rows a contact: normal, two tangents
//   contact law (u, lambda)            law.hpp
//   B v + bias = 0                     bilateral rows: joints, motors, limits
//
// Velocities come in threes, called nodes: a vertex of a mesh is one node, a rigid body two (linear
// and angular velocity). What moves by a script has no nodes; its velocity is part of the bias.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include <tact/contact/side_groups.hpp>
#include <tact/core/types.hpp>
#include <tact/linalg/block_matrix.hpp>

namespace tact {

// The columns of one node in the three rows of a contact.
struct RowBlock {
  int node = 0;
  Matrix3d J = Matrix3d::Zero();
};

struct ContactRows {
  int first = 0;  // of its blocks in ContactProblem::blocks; no node stands there twice
  int count = 0;
  Vector3d bias = Vector3d::Zero();  // m/s: (gap / dt, 0, 0) less the velocity of a moving obstacle
  double mu = 0.0;
  double restitution = 0.0;  // Newton's coefficient, 0 to 1
  double approach = 0.0;     // m/s: u_n at the start of the step; bounces where negative

  // Newton: u_n after >= -restitution x u_n before, written as a bias.
  Vector3d effective_bias() const
  {
    return bias + Vector3d(approach < 0.0 ? restitution * approach : 0.0, 0.0, 0.0);
  }
};

struct BilateralBlock {
  int node = 0;
  RowVector3d J = RowVector3d::Zero();
};

// One row w = B v + bias that holds as an equation while its impulse beta lies between its limits:
// w = 0 where lower < beta < upper, w >= 0 at the lower and w <= 0 at the upper one. Without limits
// a joint; with both a motor or dry friction of a joint; with lower = 0 alone the end of its range.
struct BilateralRow {
  int first = 0;  // of its blocks in ContactProblem::bilateral_blocks; no node stands there twice
  int count = 0;
  double bias = 0.0;                                        // m/s, or rad/s where the row turns
  double lower = -std::numeric_limits<double>::infinity();  // N s or N m s
  double upper = std::numeric_limits<double>::infinity();

  bool limited() const { return std::isfinite(lower) || std::isfinite(upper); }
};

struct ContactProblem {
  std::vector<BlockMatrix> A;  // kg, kg m, kg m^2: symmetric positive definite, one a component;
                               // nodes are numbered through the components
  std::vector<int> rigid;  // ascending: first node of each rigid body. Nodes i and i + 1 are its
                           // linear and angular velocity, in one component
  VectorXd v_star;         // m/s, rad/s: three a node, the velocity without contact
  // N s, N m s: three a node; b - A v* where v* is but an expected motion, near the answer. Empty:
  // zero, as most solvers ask for. free_motion.hpp makes it so.
  VectorXd rest = {};
  std::vector<RowBlock> blocks;
  std::vector<ContactRows> contacts;
  SideGroups groups;  // of the contacts in a group one is enough; those in none all hold
  std::vector<BilateralBlock> bilateral_blocks;
  std::vector<BilateralRow> bilateral;

  int components() const { return static_cast<int>(A.size()); }
  int nodes() const { return static_cast<int>(v_star.size() / 3); }
  int size() const { return static_cast<int>(contacts.size()); }
};

// On entry to a solver the warm start, where the sizes fit; else the solver starts from v* and no
// impulses.
struct ContactSolution {
  VectorXd v;          // three a node
  VectorXd lambda;     // N s: three a contact (normal, two tangents)
  VectorXd beta = {};  // N s or N m s: one a bilateral row
};

// Throws Error for sizes that do not fit, non-finite numbers, nodes that do not exist or are twice
// in a contact, rigid bodies that reach out of their component, matrices that are not symmetric or
// whose diagonal blocks are not positive definite, negative mu, restitution outside [0, 1], limits
// of which the lower is above the upper, groups that validate() refuses.
void validate(const ContactProblem& problem);

// First node of each component, and the number of nodes at the end.
[[nodiscard]] std::vector<int> first_nodes(const ContactProblem& problem);

// u = J v + effective bias of one contact, and of all: three entries a contact.
[[nodiscard]] Vector3d contact_velocity(const ContactProblem& problem, const ContactRows& contact,
                                        const VectorXd& v);
[[nodiscard]] VectorXd contact_velocities(const ContactProblem& problem, const VectorXd& v);

// w = B v + bias of one bilateral row.
[[nodiscard]] double bilateral_velocity(const ContactProblem& problem, const BilateralRow& row,
                                        const VectorXd& v);

// J' lambda, three entries a node; the second form does not allocate when the size is right.
[[nodiscard]] VectorXd generalised_impulse(const ContactProblem& problem, const VectorXd& lambda);
void generalised_impulse(const ContactProblem& problem, const VectorXd& lambda, VectorXd& impulse);
// Adds B' beta.
void add_bilateral_impulse(const ContactProblem& problem, const VectorXd& beta, VectorXd& impulse);

// y = A x
void multiply(const ContactProblem& problem, const VectorXd& x, VectorXd& y);

}  // namespace tact
