#include <tact/solvers/coupling/low_rank_kernel.hpp>

#include <tbb/parallel_for.h>

#include <tact/solvers/coupling/run_sweep.hpp>

namespace tact {
namespace {

void sweep_one_by_one(const CompactRows& rows, RowRange range, double* lambda, double* state)
{
  for (int c = range.first; c < range.last; ++c) {
    Eigen::Map<Vector3d> lambda_c(lambda + 3 * c);
    const Vector3d u = rows.velocity(c, state);
    // Open, and stays so. In this order: near the answer impulses are 0 where they were, which the
    // processor foresees, while velocities are 0 with either sign.
    if (lambda_c[0] == 0.0 && u[0] >= 0.0) continue;
    const Vector3d relaxed = rows.relax(c, u, lambda_c);
    const Vector3d change = relaxed - lambda_c;
    lambda_c = relaxed;
    rows.push(c, change, state);
  }
}

}  // namespace

LowRankKernel LowRankKernel::one_by_one()
{
  LowRankKernel kernel;
  kernel.use_runs_ = false;
  return kernel;
}

void LowRankKernel::sweep_chunk(const CompactRows& rows, const ContactChunk& chunk, double* lambda,
                                double* state) const
{
  if (!use_runs_) return sweep_one_by_one(rows, chunk.contacts, lambda, state);
  for (int k = chunk.runs.first; k < chunk.runs.last; ++k) {
    const ContactRun& run = rows.runs[k];
    if (run.slot < 0) {
      sweep_one_by_one(rows, {run.first, run.last}, lambda, state);
    } else {
      sweep_run(rows, run, lambda, state);
    }
  }
}

void LowRankKernel::sweep(const CompactRows& rows, VectorXd& lambda, VectorXd& w)
{
  if (!rows.split()) return sweep_chunk(rows, rows.chunks.front(), lambda.data(), w.data());
  rows.spread(w, state_);
  tbb::parallel_for(std::size_t{0}, rows.chunks.size(), [&](std::size_t k) {
    sweep_chunk(rows, rows.chunks[k], lambda.data(), state_.data());
  });
  rows.gather(state_, w);
}

}  // namespace tact
