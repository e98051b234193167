// Unsymmetric systems of linear equations that are filled, factored and solved again and again:
// dense LU where they are small or full, sparse LU (COLAMD) elsewhere.
#pragma once

#include <memory>
#include <vector>

#include <Eigen/SparseCore>

#include <tact/core/types.hpp>

namespace tact {

class LinearSystem {
 public:
  LinearSystem();
  ~LinearSystem();
  LinearSystem(const LinearSystem&) = delete;
  LinearSystem& operator=(const LinearSystem&) = delete;

  void begin(int size);  // forgets the entries
  void add(int row, int column, double value) { entries_.emplace_back(row, column, value); }

  // False: singular to working precision; solve() must not be called then. Entries can be added
  // before another try.
  bool factor();

  // x := matrix^-1 x
  void solve(VectorXd& x);

  int factorisations() const { return factorisations_; }

 private:
  struct Factors;

  int size_ = 0;
  int factorisations_ = 0;
  bool dense_ = true;
  std::vector<Eigen::Triplet<double>> entries_;
  VectorXd answer_;
  std::unique_ptr<Factors> factors_;
};

// Floating point operations of one factorisation, told from the size and the number of entries
// alone: what rules compare, so that the path of a solver is the same on every machine.
double factorisation_work(int size, double entries);

}  // namespace tact
