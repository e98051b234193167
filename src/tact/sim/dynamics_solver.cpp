#include <tact/sim/dynamics_solver.hpp>

#include <algorithm>

#include <tbb/parallel_for.h>

namespace tact {
namespace {

bool is_factored(const Component& component, const DynamicsOptions& options)
{
  return component.node_count() <= options.max_factored_nodes || !component.springs.empty() ||
         !component.pins.empty();
}

}  // namespace

DynamicsSolver::DynamicsSolver(const World& world, const DynamicsOptions& options)
    : options_(options)
{
  // Bodies of one shape have one pattern, whose analysis is done once.
  std::vector<std::pair<const BlockPattern*, BlockCholesky>> analysed;
  for (const Component& component : world.components()) {
    const int size = 3 * component.node_count();
    Part part{.first = 3 * component.first_node,
              .method = BlockPcg{},
              .b = VectorXd::Zero(size),
              .x = VectorXd::Zero(size),
              .report = {}};
    if (is_factored(component, options)) {
      auto known = std::find_if(analysed.begin(), analysed.end(), [&](const auto& entry) {
        return *entry.first == *component.pattern;
      });
      if (known == analysed.end())
        known = analysed.emplace(known, component.pattern.get(), BlockCholesky(*component.pattern));
      part.method = known->second;
    }
    parts_.push_back(std::move(part));
  }
  for (const Part& part : parts_) factors_.push_back(std::get_if<BlockCholesky>(&part.method));
}

DynamicsReport DynamicsSolver::solve(const std::vector<BlockMatrix>& A, const VectorXd& b,
                                     VectorXd& v)
{
  tbb::parallel_for(0, static_cast<int>(parts_.size()),
                    [&](int i) { solve(parts_[i], A[i], b, v); });
  DynamicsReport report;
  for (int i = 0; i < static_cast<int>(parts_.size()); ++i) {
    report.pcg_iterations += parts_[i].report.iterations;
    if (parts_[i].report.converged || !report.solved) continue;
    report.solved = false;
    report.component = i;
  }
  return report;
}

void DynamicsSolver::solve(Part& part, const BlockMatrix& A, const VectorXd& b, VectorXd& v) const
{
  auto own = v.segment(part.first, part.x.size());
  part.b = b.segment(part.first, part.x.size());
  part.report = {};
  if (auto* cholesky = std::get_if<BlockCholesky>(&part.method)) {
    part.report.converged = cholesky->factor(A);
    if (!part.report.converged) return;
    part.x = part.b;
    cholesky->solve(part.x);
  } else {
    auto& pcg = std::get<BlockPcg>(part.method);
    if (!pcg.prepare(A)) return;
    part.x = own;
    part.report = pcg.solve(A, part.b, part.x, options_.pcg);
  }
  own = part.x;
}

}  // namespace tact
