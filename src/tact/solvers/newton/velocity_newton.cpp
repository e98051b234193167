#include <tact/solvers/newton/velocity_newton.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <tbb/parallel_invoke.h>

#include <tact/contact/judge.hpp>
#include <tact/core/stop.hpp>
#include <tact/linalg/joined_order.hpp>
#include <tact/linalg/placed_matrix.hpp>

namespace tact {
namespace {

constexpr double held_slope = 0.0;   // bounds of friction do not follow the impulses in a step
constexpr double stiffness = 3.0;    // rho, in units of what a contact's nodes alone have
constexpr double inner_share = 0.3;  // of the tolerance: F is small, and lambda_0 may follow
constexpr int max_halvings = 20;     // of a step
constexpr double sufficient = 1e-4;  // of the slope: how much phi must fall
constexpr double round_off = 1e-13;  // of phi: where a step promises less, phi cannot judge it
constexpr double halved = 0.5;       // of the residual, within `patience`
// lambda_0 follows beyond lambda by this share of its way: below 1 a proximal point method
// converges as surely as without, and where it is slow in nearly half as many rounds.
constexpr double beyond = 0.9;
constexpr std::size_t max_last_nodes = 64;  // of rigid bodies, eliminated after all meshes

}  // namespace

void VelocityNewton::load(const ContactProblem& problem, const DiagonalBlocks& D,
                          std::span<const int> contacts, std::span<const int> components,
                          std::span<const BlockCholesky* const> factors)
{
  problem_ = &problem;
  D_ = &D;
  component_.assign(components.begin(), components.end());
  const std::vector<int> first_node = first_nodes(problem);
  node_.clear();
  first_local_ = {0};
  local_.assign(problem.nodes(), -1);
  for (const int component : component_) {
    for (int node = first_node[component]; node < first_node[component + 1]; ++node) {
      local_[node] = nodes();
      node_.push_back(node);
    }
    first_local_.push_back(nodes());
  }
  load_rows(contacts);
  load_matrix(components, factors);
  rest_ = VectorXd::Zero(3 * static_cast<Eigen::Index>(nodes()));
  if (problem.rest.size() > 0)
    for (int i = 0; i < nodes(); ++i)
      rest_.segment<3>(3 * i) = problem.rest.segment<3>(3 * node_[i]);
  choose_rho();
}

void VelocityNewton::load_rows(std::span<const int> contacts)
{
  rows_.clear();
  J_.clear();
  for (const int c : contacts) {
    const ContactRows& from = problem_->contacts[c];
    Row& row = rows_.emplace_back();
    row.q = contact_velocity(*problem_, from, problem_->v_star);
    row.mu = from.mu;
    row.scale = response(*problem_, *D_, from);
    for (int k = from.first; k < from.first + from.count; ++k) {
      const RowBlock& block = problem_->blocks[k];
      J_.add({.node = local_[block.node], .J = block.J});
    }
    J_.close_contact();
  }
}

// Meshes in the orders of their factors, rigid bodies and single nodes last. Empty where a factor
// is not there, where contacts join too much, and where there are many bodies, whose order would
// matter.
std::vector<int> VelocityNewton::known_order(std::span<const int> components,
                                             std::span<const BlockCholesky* const> factors) const
{
  if (factors.empty()) return {};
  std::vector<JoinedMesh> meshes;
  std::vector<int> last, mesh_of(nodes(), -1);
  for (std::size_t k = 0; k < components.size(); ++k) {
    const int first = first_local_[k], end = first_local_[k + 1];
    if (end - first <= 2) {
      for (int i = first; i < end; ++i) last.push_back(i);
    } else {
      const BlockCholesky* factor = factors[components[k]];
      if (factor == nullptr) return {};
      meshes.push_back({.elimination = &factor->elimination(), .first_node = first});
      std::fill(mesh_of.begin() + first, mesh_of.begin() + end, static_cast<int>(k));
    }
  }
  if (last.size() > max_last_nodes) return {};
  std::vector<std::array<int, 2>> couples;
  J_.add_couples(couples);
  std::erase_if(couples, [&](const std::array<int, 2>& couple) {
    const auto [i, j] = couple;
    const int mesh = mesh_of[i];
    if (mesh == -1 || mesh_of[j] == -1) return true;
    const int first = first_local_[mesh];
    return mesh_of[j] == mesh &&
           problem_->A[components[mesh]].pattern->slot(i - first, j - first) != -1;
  });
  return joined_order(meshes, last, couples, nodes() / 10);
}

void VelocityNewton::load_matrix(std::span<const int> components,
                                 std::span<const BlockCholesky* const> factors)
{
  std::vector<std::array<int, 2>> couples;
  for (std::size_t k = 0; k < components.size(); ++k)
    add_couples(*problem_->A[components[k]].pattern, first_local_[k], couples);
  J_.add_couples(couples);
  A_.pattern = std::make_shared<const BlockPattern>(nodes(), couples);
  tbb::parallel_invoke([&] { system_.begin(*A_.pattern, known_order(components, factors)); },
                       [&] { load_blocks(components), J_.find_slots(*A_.pattern); });
}

void VelocityNewton::load_blocks(std::span<const int> components)
{
  A_.blocks.assign(A_.pattern->block_count(), Matrix3d::Zero());
  for (std::size_t k = 0; k < components.size(); ++k)
    place_blocks(problem_->A[components[k]], first_local_[k], A_);
}

// Contacts that give way much by themselves, those of a light body between stiff ones, need as much
// as the others: with less lambda_0 would follow slowly.
void VelocityNewton::choose_rho()
{
  std::vector<double> own;
  for (int c = 0; c < J_.contacts(); ++c) {
    Row& row = rows_[c];
    double give = 0.0;  // trace(J D^-1 J') / 3, without what couples the two nodes of a rigid body
    for (const RowBlock& block : J_.of(c)) {
      give += (block.J * D_->own(node_[block.node]) * block.J.transpose()).trace() / 3.0;
    }
    row.rho = give > 0.0 ? stiffness / give : 0.0;
    own.push_back(row.rho);
  }
  const auto middle = own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2);
  std::nth_element(own.begin(), middle, own.end());
  for (Row& row : rows_) row.rho = std::max(row.rho, *middle);
}

void VelocityNewton::find_velocities(const VectorXd& x, VectorXd& u) const
{
  u.resize(3 * static_cast<Eigen::Index>(rows_.size()));
  for (int c = 0; c < J_.contacts(); ++c) {
    Vector3d sum = rows_[c].q;
    J_.add_velocity(c, x, sum);
    u.segment<3>(3 * c) = sum;
  }
}

void VelocityNewton::evaluate(const VectorXd& lambda_0, FrictionLaw law, Point& at) const
{
  find_velocities(at.x, at.u);
  at.y.resize(at.u.size());
  at.lambda.resize(at.u.size());
  multiply(A_, at.x, at.F);
  at.F -= rest_;
  for (int c = 0; c < J_.contacts(); ++c) {
    const Row& row = rows_[c];
    const int i = 3 * c;
    at.y.segment<3>(i) = lambda_0.segment<3>(i) - row.rho * at.u.segment<3>(i);
    at.lambda.segment<3>(i) = clamp_to_cone(at.y.segment<3>(i), row.mu, law);
    J_.add_impulse(c, -at.lambda.segment<3>(i), at.F);
  }
  measure(law, at);
}

// As Residuals does.
void VelocityNewton::measure(FrictionLaw law, Point& at) const
{
  NaturalSum natural;
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    const auto i = 3 * static_cast<Eigen::Index>(c);
    natural.add(at.u.segment<3>(i), at.lambda.segment<3>(i), rows_[c].mu, rows_[c].scale, law);
  }
  MomentumSum momentum;
  for (std::size_t k = 0; k + 1 < first_local_.size(); ++k) {
    MomentumError whole;
    for (int i = first_local_[k]; i < first_local_[k + 1]; ++i)
      whole.add(*D_, node_[i], at.F.data() + 3 * i);
    momentum.add(whole);
  }
  at.momentum = momentum.value();
  at.worst = std::max(at.momentum, natural.rms());
}

void VelocityNewton::restart_curvature()
{
  K_ = A_;
  for (Row& row : rows_) row.H.setZero();
}

// K, by what has changed: most contacts that stick keep their H from one step to the next.
void VelocityNewton::find_curvature(const VectorXd& y, FrictionLaw law)
{
  for (int c = 0; c < J_.contacts(); ++c) {
    Row& row = rows_[c];
    const Vector3d y_c = y.segment<3>(3 * c);
    Matrix3d H = Matrix3d::Zero();
    if (y_c[0] > 0.0) H = row.rho * clamp_derivative(y_c, row.mu * y_c[0], held_slope, law);
    if (H == row.H) continue;
    J_.add(c, H - row.H, K_);
    row.H = H;
  }
}

double VelocityNewton::merit(const VectorXd& x, const VectorXd& lambda_0, const VectorXd& bounds,
                             FrictionLaw law)
{
  multiply(A_, x, product_);
  double phi = 0.5 * x.dot(product_) - x.dot(rest_);
  find_velocities(x, trial_u_);
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    const auto i = static_cast<Eigen::Index>(c);
    const Vector3d y = lambda_0.segment<3>(3 * i) - rows_[c].rho * trial_u_.segment<3>(3 * i);
    phi += clamp_potential(y, bounds[i], law) / rows_[c].rho;
  }
  return phi;
}

VectorXd VelocityNewton::bounds_at(const VectorXd& y) const
{
  VectorXd bounds(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    const auto i = static_cast<Eigen::Index>(c);
    bounds[i] = rows_[c].mu * std::max(0.0, y[3 * i]);
  }
  return bounds;
}

// To the x at which every contact keeps the status that it has in lambda_0, to first order, where
// phi is less there than at x: passes leave velocities that give many contacts another.
void VelocityNewton::keep_statuses(const VectorXd& lambda_0, FrictionLaw law, VectorXd& x)
{
  find_curvature(lambda_0, law);
  VectorXd force = rest_, kept;
  for (int c = 0; c < J_.contacts(); ++c) {
    const Row& row = rows_[c];
    const Vector3d own = lambda_0.segment<3>(3 * c);
    if (!(own[0] > 0.0)) continue;
    const Matrix3d H = clamp_derivative(own, row.mu * own[0], held_slope, law);
    J_.add_impulse(c, own - row.rho * H * row.q, force);
  }
  if (!system_.solve(K_, force, kept)) return;
  const VectorXd bounds = bounds_at(lambda_0);
  if (merit(kept, lambda_0, bounds, law) < merit(x, lambda_0, bounds, law)) x = kept;
}

// How much of the step to take; 0: phi falls nowhere.
double VelocityNewton::search(const Point& at, const VectorXd& lambda_0, const VectorXd& step,
                              FrictionLaw law)
{
  const VectorXd bounds = bounds_at(at.y);
  const double start = merit(at.x, lambda_0, bounds, law);
  const double slope = at.F.dot(step);
  if (std::abs(slope) < round_off * std::abs(start)) return 1.0;
  double length = 1.0;
  for (int k = 0; k < max_halvings; ++k, length *= 0.5) {
    trial_ = at.x + length * step;
    if (merit(trial_, lambda_0, bounds, law) <= start + sufficient * length * slope) return length;
  }
  return 0.0;
}

void VelocityNewton::follow(const Point& at, FrictionLaw law, VectorXd& lambda_0) const
{
  lambda_0 = at.lambda + beyond * (at.lambda - lambda_0);
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    auto own = lambda_0.segment<3>(3 * static_cast<Eigen::Index>(c));
    own = clamp_to_cone(own, rows_[c].mu, law);
  }
}

VelocityNewtonReport VelocityNewton::solve(const VelocityNewtonOptions& options, VectorXd& x,
                                           VectorXd& lambda)
{
  VelocityNewtonReport report{.worst = std::numeric_limits<double>::infinity()};
  VectorXd lambda_0 = lambda, step;
  restart_curvature();
  Point at;
  at.x = x;
  keep_statuses(lambda_0, options.law, at.x);
  double milestone = std::numeric_limits<double>::infinity();
  double reached_at = 0.0;  // work
  for (;;) {
    end_if_stopped();
    evaluate(lambda_0, options.law, at);
    if (at.worst < report.worst) {
      report.worst = at.worst;
      x = at.x;
      lambda = at.lambda;
    }
    if (at.worst < halved * milestone) {
      milestone = at.worst;
      reached_at = system_.work();
    }
    if (report.worst <= options.tolerance) report.status = SolveStatus::converged;
    const bool slow = system_.work() - reached_at >= options.patience;
    if (report.ok() || slow || system_.work() >= options.max_work) break;
    if (at.momentum <= inner_share * options.tolerance) {
      follow(at, options.law, lambda_0);
      evaluate(lambda_0, options.law, at);
    }
    find_curvature(at.y, options.law);
    if (!system_.solve(K_, -at.F, step)) break;
    ++report.steps;
    const double length = search(at, lambda_0, step, options.law);
    if (length == 0.0) break;
    at.x += length * step;
  }
  report.factors = system_.factors();
  if (!report.ok() && system_.work() < options.max_work) report.status = SolveStatus::stalled;
  return report;
}

}  // namespace tact
