#include <tact/sim/dynamics_solver.hpp>

#include <algorithm>

#include <tbb/parallel_for.h>

namespace tact {
namespace {

bool is_joined(const Component& component)
{
  return !component.springs.empty() || !component.pins.empty();
}

// kg: what the uniform motion meets, and what holds the mesh to places.
double mass_of(const BlockMatrix& A)
{
  double trace = 0.0;
  for (const Matrix3d& block : A.blocks) trace += block.trace();
  return trace / 3.0;
}

}  // namespace

DynamicsSolver::DynamicsSolver(const World& world, const DynamicsOptions& options)
    : options_(options)
{
  // Bodies of one shape have one pattern, whose analysis is done once.
  std::vector<std::pair<const BlockPattern*, BlockCholesky>> analysed;
  for (const Component& component : world.components()) {
    const int nodes = component.node_count();
    Part part;
    part.first = 3 * component.first_node;
    part.b = part.x = VectorXd::Zero(3 * nodes);
    part.may_iterate = nodes > options.min_iterated_nodes && !is_joined(component);
    if (nodes <= options.max_factored_nodes || is_joined(component)) {
      auto known = std::find_if(analysed.begin(), analysed.end(), [&](const auto& entry) {
        return *entry.first == *component.pattern;
      });
      if (known == analysed.end())
        known = analysed.emplace(known, component.pattern.get(), BlockCholesky(*component.pattern));
      part.cholesky = known->second;
    }
    parts_.push_back(std::move(part));
  }
  factors_.resize(parts_.size());
}

DynamicsReport DynamicsSolver::solve(const std::vector<BlockMatrix>& A, const VectorXd& b,
                                     VectorXd& v)
{
  tbb::parallel_for(0, static_cast<int>(parts_.size()),
                    [&](int i) { solve(parts_[i], A[i], b, v); });
  return summary();
}

DynamicsReport DynamicsSolver::come_near(const std::vector<BlockMatrix>& A, const VectorXd& b,
                                         const VectorXd& f, double speed, VectorXd& v,
                                         VectorXd& rest)
{
  rest.setZero(b.size());
  tbb::parallel_for(0, static_cast<int>(parts_.size()), [&](int i) {
    Part& part = parts_[i];
    if (iterates(part, A[i]))
      come_near(part, A[i], b, f, speed, v, rest);
    else
      solve(part, A[i], b, v);
  });
  return summary();
}

DynamicsReport DynamicsSolver::summary()
{
  DynamicsReport report;
  for (int i = 0; i < static_cast<int>(parts_.size()); ++i) {
    const Part& part = parts_[i];
    factors_[i] = part.factored ? &*part.cholesky : nullptr;
    report.pcg_iterations += part.report.iterations;
    if (part.report.converged || !report.solved) continue;
    report.solved = false;
    report.component = i;
  }
  return report;
}

bool DynamicsSolver::iterates(const Part& part, const BlockMatrix& A) const
{
  if (!part.cholesky) return true;
  if (!part.may_iterate) return false;
  // Products of blocks take the same time in both, 2 ns on sheets of 900 to 10,000 nodes.
  const double iterations = expected_pcg_iterations(A, options_.pcg.tolerance);
  return iterations * static_cast<double>(A.blocks.size()) < part.cholesky->work();
}

void DynamicsSolver::solve(Part& part, const BlockMatrix& A, const VectorXd& b, VectorXd& v) const
{
  auto own = v.segment(part.first, part.x.size());
  part.b = b.segment(part.first, part.x.size());
  part.report = {};
  part.factored = !iterates(part, A);
  if (part.factored) {
    part.report.converged = part.cholesky->factor(A);
    if (!part.report.converged) return;
    part.x = part.b;
    part.cholesky->solve(part.x);
  } else {
    if (!part.pcg.prepare(A)) return;
    part.x = own;
    part.report = part.pcg.solve(A, part.b, part.x, options_.pcg);
  }
  own = part.x;
}

void DynamicsSolver::come_near(Part& part, const BlockMatrix& A, const VectorXd& b,
                               const VectorXd& f, double speed, VectorXd& v, VectorXd& rest) const
{
  auto own = v.segment(part.first, part.x.size());
  const auto pushed = f.segment(part.first, part.x.size());
  part.b = b.segment(part.first, part.x.size()) + pushed;
  part.report = {};
  part.factored = false;
  if (!part.pcg.prepare(A)) return;
  const double mass = mass_of(A);
  Vector3d push = Vector3d::Zero();
  for (Eigen::Index i = 0; i < part.x.size(); i += 3) push += pushed.segment<3>(i);
  part.x = own;
  for (Eigen::Index i = 0; i < part.x.size(); i += 3) part.x.segment<3>(i) += push / mass;
  PcgOptions near = options_.pcg;
  near.error_energy = speed * speed * mass;
  part.report = part.pcg.solve(A, part.b, part.x, near);
  own = part.x;
  rest.segment(part.first, part.x.size()) = part.pcg.residual() - pushed;
}

}  // namespace tact
