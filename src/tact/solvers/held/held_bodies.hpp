// What bilateral rows without limits, equations, leave bodies free to do: the response of whole
// mechanisms, with the equations eliminated.
//
//   A (v - v*) = p + B' beta,   B v + bias = 0
//
// for any impulses p. Bodies that equations join, however many, form a group, and each group has
// one sparse factorisation
//
//   [ S A S     S B' R ]            S = diag(A)^-1/2,  R = diag(B S^2 B')^-1/2
//   [ R B S      -eps  ]  = L D L'
//
// in an order with little fill: of a tree of bodies its work is linear in them. The small eps makes
// it quasi-definite, so that L D L' exists in any order, whatever rows say twice; refinement takes
// its effect out again. Where rows are dependent beta is not unique, and comes out near the least.
// Where they contradict each other by more than rounding, as a closed loop that does not fit, no
// answer exists, and what is found is near the least squares one: the judge of answers sees it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>

namespace tact {

class HeldBodies {
 public:
  HeldBodies();
  ~HeldBodies();
  HeldBodies(HeldBodies&&) noexcept;
  HeldBodies& operator=(HeldBodies&&) noexcept;

  // When A or the rows have changed, but for biases and v*. Keeps the analysis of what has the
  // pattern that it had. Throws Error where a matrix cannot be factored.
  void begin(const ContactProblem& problem);
  // Rows with limits that are tight, too: their impulse lies between these (one entry a bilateral
  // row). What those that are not act on has groups as well, so that move() moves it.
  void begin(const ContactProblem& problem, std::span<const char> tight);

  bool empty() const { return groups_.empty(); }
  int group_count() const { return static_cast<int>(groups_.size()); }
  // The group of a component; -1: no equation holds it.
  int group_of(int component) const { return group_of_component_[component]; }

  // v and beta of all groups, for impulses p on all nodes; what is in none is left as it is.
  void move(const ContactProblem& problem, const VectorXd& p, VectorXd& v, VectorXd& beta) const;

  // Newton's step for equations that are not linear: v and beta change so that A v = p + B' beta
  // goes on to hold, and J v changes by `missing` (one number a bilateral row). J has the blocks of
  // B, others stand in them.
  void correct(const ContactProblem& problem, const std::vector<BilateralBlock>& J,
               const VectorXd& missing, VectorXd& v, VectorXd& beta) const;

  // v := K p in a group: what impulses add to velocities. v is left as it is elsewhere.
  void respond(int group, const VectorXd& p, VectorXd& v) const;

 private:
  struct Group;
  std::vector<std::unique_ptr<Group>> groups_;
  std::vector<int> group_of_component_;
};

}  // namespace tact
