#include <tact/linalg/block_cholesky.hpp>

#include <utility>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/core/memory_limit.hpp>
#include <tact/linalg/panel_factor.hpp>
#include <tact/linalg/panel_solve.hpp>

namespace tact {

namespace {

constexpr const char* wanted_for = "the factorisation";

// A vector of three numbers a node, in the order of nodes.
struct NodeVector {
  double* x;
  const int* order;

  Padded3 load(int k) const { return load3(x + 3 * order[k]); }
  void store(int k, Padded3 value) const { store3(value, x + 3 * order[k]); }
};

}  // namespace

BlockCholesky::BlockCholesky(const BlockPattern& pattern)
    : BlockCholesky(with_memory_for(
          wanted_for, [&] { return std::make_shared<const Elimination>(analyse(pattern)); }))
{
}

BlockCholesky::BlockCholesky(std::shared_ptr<const Elimination> elimination)
    : elimination_(std::move(elimination))
{
  const std::size_t size = 4 * static_cast<std::size_t>(elimination_->supernodes.back().panel);
  with_memory_for(wanted_for, [&] { values_ = decltype(values_)(size); });
}

bool BlockCholesky::factor(const BlockMatrix& A)
{
  const Elimination& e = *elimination_;
  if (static_cast<int>(A.blocks.size()) != e.block_count) {
    throw Error(
        fmt::format("BlockCholesky: the matrix has {} blocks, expected the {} of the pattern "
                    "that was analysed",
                    A.blocks.size(), e.block_count));
  }
  return panel_factor::factor<double>(A, e, e.tasks[0], as_rows(values_.data()));
}

void BlockCholesky::solve(VectorXd& x) const
{
  const Elimination& e = *elimination_;
  panel_solve::solve<double>(e, as_rows(values_.data()), NodeVector{x.data(), e.order.data()});
}

const std::vector<int>& BlockCholesky::order() const
{
  return elimination_->order;
}

const std::vector<int>& BlockCholesky::position() const
{
  return elimination_->position;
}

int BlockCholesky::factor_block_count() const
{
  return elimination_->factor_block_count;
}

double BlockCholesky::work() const
{
  return elimination_->work;
}

}  // namespace tact
