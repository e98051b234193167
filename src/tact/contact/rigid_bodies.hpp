// Contact problems of rigid bodies only, body by body: how they are built, stored and read by the
// pivoting solvers. Body b is component b; its nodes 2 b and 2 b + 1 are its linear and its angular
// velocity, together its twist (m/s, rad/s) in world axes.
#pragma once

#include <tact/contact/contact_problem.hpp>

namespace tact {

inline constexpr int fixed_body = -1;  // the number of what does not move

// Some rows of J between two bodies, or between one and the world.
template <int rows>
struct BodyRows {
  using Rows = Eigen::Matrix<double, rows, 6>;

  int body_a = 0;
  int body_b = fixed_body;
  Rows J_a = Rows::Zero();
  Rows J_b = Rows::Zero();  // zero where body_b is the world
};

// Appends a body: A symmetric positive definite, kg and kg m^2.
void add_rigid_body(ContactProblem& problem, const Matrix6d& A, const Vector6d& v_star);

// Append rows between bodies that are there. Of the last argument the blocks are filled in.
void add_contact(ContactProblem& problem, const BodyRows<3>& pair, ContactRows rows);
void add_bilateral(ContactProblem& problem, const BodyRows<1>& pair, BilateralRow row = {});

// Whether every component is one rigid body, and every row is one of at most two of them.
[[nodiscard]] bool only_rigid_bodies(const ContactProblem& problem);

// Of such a problem. The body whose block comes first is body_a.
[[nodiscard]] Matrix6d body_matrix(const ContactProblem& problem, int body);
[[nodiscard]] BodyRows<3> body_rows(const ContactProblem& problem, const ContactRows& contact);
[[nodiscard]] BodyRows<1> body_rows(const ContactProblem& problem, const BilateralRow& row);

}  // namespace tact
