// The contact problem as a plain LCP, [Lloyd05] eq. (6): what the structured methods never form.
//
//   nu    = N'(N theta + D phi + B beta) + N'k + bias          theta >= 0
//   sigma = D'(N theta + D phi + B beta) + E lambda + D'k + bias   phi >= 0
//   gamma = mu theta - E'phi                                   lambda >= 0
//   w     = B'(N theta + D phi + B beta) + B'k + bias          beta free, w = 0; or within limits
//
// Contacts without friction have a row nu only.
#pragma once

#include <vector>

#include <tact/contact/friction_pyramid.hpp>
#include <tact/lcp/lcp_problem.hpp>
#include <tact/solvers/pivoting/whitened.hpp>

namespace tact {

class PyramidLcp {
 public:
  // Reuses its memory for problems of the same size.
  void load(const WhitenedProblem& problem, const FrictionPyramid& pyramid);

  const LcpProblem& lcp() const { return lcp_; }

  // Impulses (three a contact, one a row of bilateral()) and whitened velocities of an answer z.
  void read(const VectorXd& z, VectorXd& lambda, VectorXd& beta, std::vector<Twist>& y) const;

 private:
  void load_columns(int impulses);
  void load_limits();
  void fill_column(int column, const Twist* sides, const int* body);

  const WhitenedProblem* problem_ = nullptr;
  const FrictionPyramid* pyramid_ = nullptr;
  std::vector<int> frictional_;  // contacts with mu > 0
  MatrixXd columns_;             // N, D, B
  VectorXd k_;
  LcpProblem lcp_;
};

}  // namespace tact
