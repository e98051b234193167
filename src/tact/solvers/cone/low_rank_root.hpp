// W = B B' with as few columns as W has rank: what many contacts on few bodies can move at all.
#pragma once

#include <optional>

#include <tact/solvers/cone/block_problem.hpp>

namespace tact {

// By Cholesky's method with diagonal pivots, ended where the largest of what is left is round-off.
// Nothing where W is unsymmetric or indefinite, or B would have more than `most_entries` or more
// than half as many columns as rows.
template <int D>
std::optional<MatrixXd> low_rank_root(const BlockProblem<D>& problem, double most_entries);

extern template std::optional<MatrixXd> low_rank_root(const BlockProblem<2>&, double);
extern template std::optional<MatrixXd> low_rank_root(const BlockProblem<3>&, double);

}  // namespace tact
