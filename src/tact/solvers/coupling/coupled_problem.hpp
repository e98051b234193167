// Contacts over rigid bodies and deformable nodes, as a nodal relaxation sees them: the inner
// problem of [Miguel11] eq. (3).
//
//   u = q + J w,   w = P^-1 J' lambda,   contact law (u, lambda)
//
// P is block diagonal: a 6 x 6 block a rigid body, a 3 x 3 block a node. Where A itself is that,
// the inner problem is the whole problem. J is kept as what it is made of: a contact has a frame,
// points of rigid bodies have an arm, and everything has a weight, so that
//   u - q = F sum_B weight (v_B + omega_B x arm) + F sum_i weight x_i
// The response w holds the bodies first, six entries each, then the nodes.
#pragma once

#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/diagonal_blocks.hpp>

namespace tact {

// [Miguel11] Sec. 4.
enum class ConstraintSet {
  deformable,  // a: acts on nodes only
  rigid,       // b: acts on rigid bodies only
  mixed,       // c: acts on both
};

struct BodySupport {
  int body = 0;
  double weight = 0.0;
  Vector3d arm = Vector3d::Zero();  // m, from the point that the body's velocity is about

  // Its columns of J.
  Matrix36d rows(const Matrix3d& frame) const;
};

struct NodeSupport {
  int node = 0;
  double weight = 0.0;
};

struct CoupledContact {
  Matrix3d frame = Matrix3d::Zero();  // rows: normal, two tangents; right-handed
  Vector3d q = Vector3d::Zero();      // m/s
  double mu = 0.0;
  double scale = 0.0;                 // 1/kg: response() of the contact, of the natural map
  Matrix3d W = Matrix3d::Zero();      // J P^-1 J': its answer to its own impulse, 1/kg
  Matrix3d nodal = Matrix3d::Zero();  // what nodes add to W
  int first_body = 0, last_body = 0;  // of CoupledProblem::body_supports
  int first_node = 0, last_node = 0;  // of CoupledProblem::node_supports

  ConstraintSet set() const
  {
    if (first_node == last_node) return ConstraintSet::rigid;
    return first_body == last_body ? ConstraintSet::deformable : ConstraintSet::mixed;
  }
};

// P and P^-1 of a body; P^-1 of a node.
struct CoupledBody {
  int node = 0;  // its first in the contact problem
  Matrix6d mass = Matrix6d::Zero();
  Matrix6d inverse = Matrix6d::Zero();
  int contacts = 0;
};
struct CoupledNode {
  int node = 0;
  Matrix3d inverse = Matrix3d::Zero();
  int contacts = 0;
};

class CoupledProblem {
 public:
  // Sorted so that contacts of one node are neighbours; those of rigid bodies alone come last.
  std::vector<CoupledContact> contacts;
  std::vector<int> order;  // which contact of the contact problem each is
  std::vector<BodySupport> body_supports;
  std::vector<NodeSupport> node_supports;
  std::vector<CoupledBody> bodies;  // that contacts act on
  std::vector<CoupledNode> nodes;

  // P = om D, om one number a component; all 1 where the span is empty. False: the rows of some
  // contact are not of the form above. `chosen`: contacts of the problem, in any order.
  [[nodiscard]] bool load(const ContactProblem& problem, const DiagonalBlocks& D,
                          std::span<const int> chosen, std::span<const double> om = {});

  int size() const { return static_cast<int>(contacts.size()); }
  int body_count() const { return static_cast<int>(bodies.size()); }
  int response_size() const { return static_cast<int>(6 * bodies.size() + 3 * nodes.size()); }
  int body_at(int body) const { return 6 * body; }  // in the response
  int node_at(int node) const { return static_cast<int>(6 * bodies.size()) + 3 * node; }

  std::span<const BodySupport> bodies_of(const CoupledContact& contact) const
  {
    return {body_supports.data() + contact.first_body, body_supports.data() + contact.last_body};
  }
  std::span<const NodeSupport> nodes_of(const CoupledContact& contact) const
  {
    return {node_supports.data() + contact.first_node, node_supports.data() + contact.last_node};
  }

  // J w of a contact, without q.
  Vector3d velocity(const CoupledContact& contact, const VectorXd& w) const;
  // w = P^-1 J' lambda. Does not allocate when w has its size.
  void respond(const VectorXd& lambda, VectorXd& w) const;

 private:
  bool add_contact(const ContactProblem& problem, const DiagonalBlocks& D, int contact);
  bool add_body(const RowBlock& linear, const Matrix3d& angular, const DiagonalBlocks& D,
                const Matrix3d& frame);
  void load_blocks(const ContactProblem& problem, const DiagonalBlocks& D,
                   std::span<const double> om);
  void finish_contact(CoupledContact& contact) const;

  std::vector<int> place_of_node_;  // in bodies or nodes; -1 where no contact acts on it
};

// Whether A has no blocks between different nodes and bodies: then P = A, and the inner problem is
// all there is.
[[nodiscard]] bool is_block_diagonal(const ContactProblem& problem);

}  // namespace tact
