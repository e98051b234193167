// Complementary bases: which variables stand at a bound and which between, and the point that this
// determines.
#pragma once

#include <cstdint>
#include <vector>

#include <tact/lcp/equilibration.hpp>
#include <tact/lcp/lcp_problem.hpp>

namespace tact {

enum class BasisSide : std::uint8_t { lower, between, upper };  // between: z is unknown and w = 0

using Basis = std::vector<BasisSide>;  // one side a variable

// The bound on which a variable stands; 0 for a side without a bound.
double bound_value(const LcpProblem& problem, int variable, BasisSide side);

// Where a variable stands if nothing is known: at its lower bound, else its upper one, else
// between.
Basis default_basis(const LcpProblem& problem);

// The sides that z itself suggests: between where it is off its bounds. For warm starts.
Basis basis_of(const LcpProblem& problem, const VectorXd& z);

// The point to start an iteration from: solution.z, moved into its bounds, where it has the right
// length and is finite; else the bounds themselves, and 0 for free variables.
VectorXd starting_point(const LcpProblem& problem, const LcpSolution& solution);

// Solves  M_FF z_F = -(q_F + M_FB z_B)  with F the variables between and B those at a bound, by LU
// with iterative refinement on the data as given; where that matrix looks singular, by LU of the
// equilibrated one, which tells. Keeps its workspace.
class BasisSolver {
 public:
  enum class Outcome {
    regular,       // the one point of the basis
    singular,      // one of its many points
    inconsistent,  // none: z is of no use
  };

  Outcome solve(const LcpProblem& problem, const Basis& basis, VectorXd& z);

 private:
  void gather(const LcpProblem& problem, const Basis& basis, VectorXd& z);
  Eigen::Ref<MatrixXd> corner();
  void fill_matrix(const LcpProblem& problem);
  void scale_matrix(const LcpProblem& problem);
  double error_size() const;
  double measure(const LcpProblem& problem, const VectorXd& z);
  bool refine_by_lu(const LcpProblem& problem, double start, VectorXd& z);
  template <class Factors>
  void refine(const LcpProblem& problem, const Factors& factors, double start, VectorXd& z);

  std::vector<int> between_;  // F
  MatrixXd matrix_;           // M_FF scaled, then its factors, in the top left corner
  Equilibration scale_;       // of that matrix
  VectorXd w_;                // M z + q
  VectorXd error_;            // w_F
  VectorXd change_, before_;  // of z_F
};

}  // namespace tact
