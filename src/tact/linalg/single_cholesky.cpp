#include <tact/linalg/single_cholesky.hpp>

#include <utility>

#include <tact/linalg/panel_factor.hpp>
#include <tact/linalg/panel_solve.hpp>

namespace tact {

namespace {

// A vector of four numbers a node, the last one zero, in the order of elimination.
struct EliminationVector {
  PanelRow<float>* x;

  PanelRow<float> load(int k) const { return x[k]; }
  void store(int k, PanelRow<float> value) const { x[k] = value; }
};

}  // namespace

void SingleCholesky::begin(std::shared_ptr<const Elimination> elimination)
{
  elimination_ = std::move(elimination);
  values_.resize(4 * static_cast<std::size_t>(elimination_->supernodes.back().panel));
  nodes_.resize(4 * elimination_->order.size());
}

bool SingleCholesky::factor(const BlockMatrix& A)
{
  const Elimination& e = *elimination_;
  return panel_factor::factor<float>(A, e, e.tasks[0], as_rows(values_.data()));
}

void SingleCholesky::solve(const VectorXd& b, VectorXd& x)
{
  const Elimination& e = *elimination_;
  const std::size_t n = e.order.size();
  for (std::size_t k = 0; k < n; ++k) {
    const double* b_k = b.data() + 3 * e.order[k];
    for (int i = 0; i < 3; ++i) nodes_[4 * k + i] = static_cast<float>(b_k[i]);
    nodes_[4 * k + 3] = 0.0F;
  }
  panel_solve::solve<float>(e, as_rows(std::as_const(values_).data()),
                            EliminationVector{as_rows(nodes_.data())});
  x.resize(b.size());
  for (std::size_t k = 0; k < n; ++k) {
    double* x_k = x.data() + 3 * e.order[k];
    for (int i = 0; i < 3; ++i) x_k[i] = nodes_[4 * k + i];
  }
}

}  // namespace tact
