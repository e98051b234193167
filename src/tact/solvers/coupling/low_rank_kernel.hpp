// The kernel in linear time: see coupling_kernel.hpp.
#pragma once

#include <tact/solvers/coupling/coupling_kernel.hpp>

namespace tact {

class LowRankKernel : public CouplingKernel {
 public:
  LowRankKernel() = default;
  // Runs of contacts of one body as any others, through the state: for comparison.
  static LowRankKernel one_by_one();

  void load(const CompactRows&) override {}
  void sweep(const CompactRows& rows, VectorXd& lambda, VectorXd& w) override;
  std::size_t bytes() const override { return sizeof(double) * state_.size(); }

 private:
  void sweep_chunk(const CompactRows& rows, const ContactChunk& chunk, double* lambda,
                   double* state) const;

  bool use_runs_ = true;
  VectorXd state_;  // where bodies are split
};

}  // namespace tact
