// The kernel in linear time: see coupling_kernel.hpp.
#pragma once

#include <tact/contact/coupling/coupling_kernel.hpp>

namespace tact {

class LowRankKernel : public CouplingKernel {
 public:
  void load(const CompactRows&) override {}
  void sweep(const CompactRows& rows, VectorXd& lambda, VectorXd& w) override;
  std::size_t bytes() const override { return sizeof(double) * state_.size(); }

 private:
  VectorXd state_;  // where bodies are split
};

}  // namespace tact
