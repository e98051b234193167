// Families of LCPs that can be made at any size, most with a solution known beforehand.
#pragma once

#include <vector>

#include <tact/core/random.hpp>
#include <tact/lcp/lcp_problem.hpp>

namespace tact::families {

struct Planted {
  LcpProblem problem;
  VectorXd z;  // solves it
};

// Murty 1988: M_ii = 1, M_ij = 2 for j > i, q = -1. Solved by the last unit vector alone.
LcpProblem murty(int n);

// Fathi 1979: M = L L' with L_ii = 1, L_ij = 2 for i > j, q = -1. Solved by the first unit vector
// alone.
LcpProblem fathi(int n);

MatrixXd random_matrix(int rows, int columns, Random& random);  // entries in [-1, 1)
MatrixXd positive_definite(int n, Random& random);              // eigenvalues in about [0.1, 2]
MatrixXd semidefinite(int n, int rank, Random& random);         // N'N with N of `rank` rows
MatrixXd unsymmetric(int n, Random& random);  // the same, plus a skew matrix: a P-matrix
MatrixXd saddle(int n, int multipliers, Random& random);  // [A -J'; J 0], A positive definite

// Which bounds a variable is to have.
enum class Bounds { plain, upper_only, box, free, fixed };

// An LCP with the matrix M and a solution drawn at random: of the variables that can be at a bound
// about half are. `degenerate` is the share of those whose w is zero as well.
Planted plant(const MatrixXd& M, const std::vector<Bounds>& bounds, double degenerate,
              Random& random);
Planted plant(const MatrixXd& M, double degenerate, Random& random);  // all plain

// One rigid body (unit mass and inertia) hit by an impulse against `contacts` planes that all but
// enclose it, friction pyramids with d = 4 edges, in the form of [Lloyd05]:
//   M = [N'N N'D 0; D'N D'D E; mu -E' 0],  q = (N'k, D'k, 0)
// Redundant and degenerate from seven contacts on, but always solvable.
LcpProblem frictional_body(int contacts, double mu, Random& random);

// An electrical network: node voltages (free) and diodes with a small resistance in series,
// 0 <= current perp drop >= 0. Conductances from 10^low to 10^high: no scaling of rows and columns
// makes the entries of such a matrix alike. Monotone.
Planted network(int nodes, int diodes, double low, double high, Random& random);

// n factors from 10^low to 10^high.
VectorXd wild_factors(int n, double low, double high, Random& random);

// The problem with its variables in another order: variable k of the new one is order[k] of the
// old.
LcpProblem permuted(const LcpProblem& problem, const std::vector<int>& order);
std::vector<int> random_order(int n, Random& random);

// Row i multiplied by row[i] and z_i measured in units of column[i]: z of the answer is z / column.
LcpProblem scaled(const LcpProblem& problem, const VectorXd& row, const VectorXd& column);

}  // namespace tact::families
