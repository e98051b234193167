// What an iterative contact solver knows of each component of A.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <tact/contact/compliance.hpp>
#include <tact/contact/contact_problem.hpp>
#include <tact/contact/diagonal_blocks.hpp>
#include <tact/contact/sides.hpp>
#include <tact/linalg/block_cholesky.hpp>

namespace tact {

enum class Treatment {
  direct,  // a lone rigid body or node: A is its own diagonal block
  exact,   // A is factored, W = J A^-1 J' at hand
  nodal,   // D stands in for A
};

struct Part {
  int first_node = 0, nodes = 0;
  int bodies = 0;  // nodes, rigid bodies counted once
  Treatment treatment = Treatment::nodal;

  const BlockCholesky* factor = nullptr;  // handed in; exact: else own
  Compliance compliance;
  int contacts = 0;

  double om = 1.0;  // nodal: a bound on the eigenvalues of D^-1 A, 0 while it is not known
  VectorXd om_vector, om_product;  // of the power iteration
  // nodal: the part as a whole, moved by Z, the same shift of all its nodes. Empty while not known.
  std::vector<Matrix3d> AZ;               // kg: one a node
  Matrix3d per_whole = Matrix3d::Zero();  // (Z' A Z)^-1, 1/kg

  std::unique_ptr<BlockCholesky> own_factor;
  std::shared_ptr<const BlockPattern> own_pattern;  // what own_factor was made for
  std::vector<Side*> fresh;                         // sides to be appended
  std::vector<std::span<const RowBlock>> columns;   // their blocks
};

class ComponentParts {
 public:
  // A has changed. Parts of up to `max_exact_nodes` nodes are treated exactly.
  void begin(const ContactProblem& problem, const DiagonalBlocks& D, int max_exact_nodes,
             std::span<const BlockCholesky* const> factors);

  // Extends the compliances by the contacts from `first` on and tells the sides their slots. Parts
  // with more contacts than fit into memory become nodal.
  void append(const ContactProblem& problem, ContactSides& sides, int first);

  // A bound on the largest eigenvalue of D^-1 A, by power iteration; once after begin().
  void find_om(const ContactProblem& problem, const DiagonalBlocks& D, Part& part);

  // A Z and (Z' A Z)^-1; once after begin().
  void find_whole(const ContactProblem& problem, const DiagonalBlocks& D, Part& part);

  Part& operator[](int component) { return parts_[component]; }
  std::vector<int>& component_of_node() { return component_of_node_; }
  int size() const { return static_cast<int>(parts_.size()); }

 private:
  void make_factor(const ContactProblem& problem, int component);
  void append_fresh(const ContactSides& sides, Part& part);

  std::vector<Part> parts_;
  std::vector<int> component_of_node_;
  std::vector<int> with_fresh_;  // components
};

}  // namespace tact
