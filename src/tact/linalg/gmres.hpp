// GMRES: M x = b for an M that is only known by what it does to a vector. Made for an M near 1,
// such as a matrix times an approximate inverse.
#pragma once

#include <functional>
#include <vector>

#include <tact/core/types.hpp>

namespace tact {

struct GmresOptions {
  int max_iterations = 50;  // vectors of the size of b that are kept
  double tolerance = 1e-6;  // on |b - M x| / |b|
};

class Gmres {
 public:
  using Map = std::function<void(VectorXd&)>;  // x := M x

  // From x = 0. False: not there after all iterations; x is the best of what they span.
  bool solve(const Map& map, const VectorXd& b, VectorXd& x, const GmresOptions& options);

  int iterations() const { return iterations_; }  // of all calls

 private:
  void orthogonalise(int column);
  void rotate(int column);

  MatrixXd basis_;       // orthonormal, one column an iteration
  MatrixXd hessenberg_;  // M in that basis, made triangular by rotations
  VectorXd right_;       // |b| e_1, rotated: what is left stands behind the last column
  std::vector<double> cosine_, sine_;
  VectorXd w_;
  int iterations_ = 0;
};

}  // namespace tact
