#include <tact/solvers/coupling/low_rank_kernel.hpp>

#include <tact/contact/delassus.hpp>
#include <tact/linalg/parallel.hpp>
#include <tact/solvers/coupling/run_sweep.hpp>

namespace tact {
namespace {

// Bodies and nodes answer: w = P^-1 J' lambda is the state.
struct RowsDelassus {
  const CompactRows& rows;
  double* state;

  Vector3d velocity(int c) const { return rows.velocity(c, state); }
  void push(int c, const Vector3d& change) const { rows.push(c, change, state); }
};

void sweep_one_by_one(const CompactRows& rows, RowRange range, double* lambda, double* state)
{
  const RowsDelassus W{rows, state};
  sweep<3>(W, ContactNumbers(range.first, range.last), rows.law_of_contacts(), lambda);
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
  for_pieces(rows.chunks, [&](const ContactChunk& chunk) {
    sweep_chunk(rows, chunk, lambda.data(), state_.data());
  });
  rows.gather(state_, w);
}

}  // namespace tact
