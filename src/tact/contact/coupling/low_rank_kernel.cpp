#include <tact/contact/coupling/low_rank_kernel.hpp>

#include <tbb/parallel_for.h>

namespace tact {
namespace {

void sweep_chunk(const CompactRows& rows, RowRange range, double* lambda, double* state)
{
  for (int c = range.first; c < range.last; ++c) {
    const CompactContact& contact = rows.contacts[c];
    Eigen::Map<Vector3d> lambda_c(lambda + 3 * c);
    const Vector3d u = rows.velocity(contact, state);
    if (u[0] >= 0.0 && lambda_c[0] == 0.0) continue;  // open, and stays so
    const Vector3d relaxed = rows.relax(contact, u, lambda_c);
    const Vector3d change = relaxed - lambda_c;
    lambda_c = relaxed;
    rows.push(contact, change, state);
  }
}

}  // namespace

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
