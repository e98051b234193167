#include <tact/solvers/cone/velocity_system.hpp>

#include <algorithm>
#include <array>

#include <tact/linalg/placed_matrix.hpp>

namespace tact {
namespace {

constexpr double changed_share = 0.003;  // of all contacts, above which a new factor is cheaper
constexpr double changed_much = 0.5;     // of the entries of G: another status, or a far turn
constexpr int most_with_old_factor = 25;
constexpr int most_with_new_factor = 80;
constexpr double typical_iterations = 20.0;
constexpr double block_product = 54.0;  // operations
// Of the operations in the time of one of sparse LU, which factorisation_work() counts.
constexpr double cholesky_speed = 2.2;
constexpr double passes_over_factor = 2.2;  // two triangular solves, and a product with K

// That of A, and the nodes that share a contact.
std::shared_ptr<const BlockPattern> pattern_with_contacts(const VelocityForm& form)
{
  std::vector<std::array<int, 2>> couples;
  add_couples(*form.A.pattern, 0, couples);
  form.J.add_couples(couples);
  return std::make_shared<const BlockPattern>(form.A.rows(), couples);
}

Matrix3d without_friction_of_pressing(const Matrix3d& G)
{
  Matrix3d symmetric = G;
  symmetric.block<2, 1>(1, 0).setZero();
  return symmetric;
}

}  // namespace

VelocitySystem::VelocitySystem(const VelocityForm& form, std::span<const double> scale)
    : J_(form.J),
      A_(zero_matrix(pattern_with_contacts(form))),
      response_(*form.A.pattern),
      factor_(*A_.pattern),
      symmetric_(form.J.contacts())
{
  J_.scale(scale);
  J_.find_slots(*A_.pattern);
  response_.factor(form.A);
  place_blocks(form.A, 0, A_);
  K_ = A_;
  K_symmetric_ = A_;
}

void VelocitySystem::scatter(const VectorXd& x, VectorXd& p) const
{
  p.setZero(A_.size());
  for (int c = 0; c < J_.contacts(); ++c) J_.add_impulse(c, x.segment<3>(3 * c), p);
}

void VelocitySystem::gather(const VectorXd& v, VectorXd& u) const
{
  u.resize(3 * J_.contacts());
  for (int c = 0; c < J_.contacts(); ++c) {
    Vector3d sum = Vector3d::Zero();
    J_.add_velocity(c, v, sum);
    u.segment<3>(3 * c) = sum;
  }
}

void VelocitySystem::multiply(const VectorXd& x, VectorXd& u)
{
  scatter(x, p_);
  response_.solve(p_);
  gather(p_, u);
}

void VelocitySystem::assemble(std::span<const Matrix3d> G, BlockMatrix& K) const
{
  std::copy(A_.blocks.begin(), A_.blocks.end(), K.blocks.begin());
  for (int c = 0; c < J_.contacts(); ++c)
    if (!G[c].isZero(0.0)) J_.add(c, G[c], K);
}

bool VelocitySystem::factor(std::span<const Matrix3d> G)
{
  std::transform(G.begin(), G.end(), symmetric_.begin(), without_friction_of_pressing);
  assemble(symmetric_, K_symmetric_);
  ++factors_;
  const bool regular = factor_.factor(K_symmetric_);
  factored_.assign(G.begin(), G.end());
  if (!regular) factored_.clear();
  return regular;
}

bool VelocitySystem::is_factor_near(std::span<const Matrix3d> G) const
{
  if (factored_.empty()) return false;
  int changed = 0;
  for (int c = 0; c < J_.contacts(); ++c) {
    const double size = std::max(G[c].cwiseAbs().maxCoeff(), factored_[c].cwiseAbs().maxCoeff());
    if ((G[c] - factored_[c]).cwiseAbs().maxCoeff() > changed_much * size) ++changed;
  }
  return changed <= changed_share * J_.contacts();
}

// v = K^-1 p, by way of the factor.
bool VelocitySystem::iterate(int max_iterations, double tolerance)
{
  const Gmres::Map map = [this](VectorXd& x) {
    tact::multiply(K_, x, product_);
    x.swap(product_);
    factor_.solve(x);
  };
  b_ = p_;
  factor_.solve(b_);
  return gmres_.solve(map, b_, v_, {.max_iterations = max_iterations, .tolerance = tolerance});
}

bool VelocitySystem::solve(std::span<const Matrix3d> G, const VectorXd& g, double tolerance,
                           VectorXd& u)
{
  assemble(G, K_);
  scatter(g, p_);
  if (!is_factor_near(G) || !iterate(most_with_old_factor, tolerance)) {
    if (!factor(G)) return false;
    iterate(most_with_new_factor, tolerance);  // the best of many is still a direction
  }
  gather(v_, u);
  return u.allFinite();
}

bool VelocitySystem::factor_shifted(double rho)
{
  rho_ = rho;
  return factor(std::vector<Matrix3d>(J_.contacts(), Matrix3d::Identity() / rho));
}

// (W + rho) x = b:  x = (b - J v) / rho,  (A + J' J / rho) v = J' b / rho
void VelocitySystem::solve_shifted(VectorXd& x)
{
  scatter(x, p_);
  factor_.solve(p_);
  gather(p_, product_);
  x = (x - product_ / rho_) / rho_;
}

double VelocitySystem::step_work() const
{
  return block_product * factor_.work() / cholesky_speed + typical_iterations * solve_work();
}

double VelocitySystem::solve_work() const
{
  return block_product * passes_over_factor * factor_.factor_block_count() / cholesky_speed;
}

}  // namespace tact
