// The kernel that builds B in full: see coupling_kernel.hpp.
#pragma once

#include <vector>

#include <tact/solvers/coupling/coupling_kernel.hpp>
#include <tact/solvers/coupling/full_rows.hpp>

namespace tact {

class StandardKernel : public CouplingKernel {
 public:
  // Takes rows in one chunk only.
  void load(const CompactRows& rows) override;
  void sweep(const CompactRows& rows, VectorXd& lambda, VectorXd& w) override;
  std::size_t bytes() const override { return B_.bytes(); }

 private:
  FullRows B_;
  VectorXd q_, before_;
};

}  // namespace tact
