#include <tact/solvers/newton/rigid_newton.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <tact/core/stop.hpp>
#include <tact/solvers/newton/alpha_schedule.hpp>

namespace tact {
namespace {

constexpr int max_inner = 30;       // steps of an inner problem
constexpr int inner_patience = 12;  // steps in which |Phi| has to fall by 30 %
constexpr double least_gain = 0.7;
constexpr double a_digit = 0.1;      // what an inner problem below the tolerance has to gain
constexpr double inner_gain = 1e-2;  // |Phi| that an inner problem aims at, of that at its start
constexpr double enough_gain = 0.1;  // of |Phi|, by which an inner problem counts as solved
constexpr double least_alpha = 1e-9;
constexpr double smallest = 1e-15;  // |Phi|, m/s: round-off

}  // namespace

void RigidNewton::load(const ContactProblem& problem, const DiagonalBlocks& D,
                       std::span<const int> contacts, std::span<const int> bodies,
                       std::span<const double> scales)
{
  whitening_.resize(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const int node = bodies[b];
    Matrix6d inverse =
        Matrix6d::Identity();  // of A; lone nodes have three numbers that nothing turns
    inverse.topLeftCorner<3, 3>() = D.own(node);
    if (D.partner(node) >= 0) {
      inverse.bottomRightCorner<3, 3>() = D.own(node + 1);
      inverse.topRightCorner<3, 3>() = D.cross(node);
      inverse.bottomLeftCorner<3, 3>() = D.cross(node).transpose();
    }
    whitening_[b] = inverse.llt().matrixL();
  }
  rows_.resize(contacts.size());
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    load_row(problem, D, problem.contacts[contacts[c]], bodies, rows_[c]);
    rows_[c].scale = scales[contacts[c]];
  }
  find_places();
}

void RigidNewton::load_row(const ContactProblem& problem, const DiagonalBlocks& D,
                           const ContactRows& from, std::span<const int> bodies, Row& row)
{
  row.q = contact_velocity(problem, from, problem.v_star);
  row.mu = from.mu;
  row.body = {-1, -1};
  for (Matrix36& J : row.J) J.setZero();
  for (int k = from.first; k < from.first + from.count; ++k) {
    const RowBlock& block = problem.blocks[k];
    const bool turns = D.turns(block.node);
    const int first = turns ? D.partner(block.node) : block.node;
    const auto body =
        static_cast<int>(std::lower_bound(bodies.begin(), bodies.end(), first) - bodies.begin());
    const int side = row.body[0] == -1 || row.body[0] == body ? 0 : 1;
    row.body[side] = body;
    row.J[side].middleCols<3>(turns ? 3 : 0) = block.J;
  }
  Matrix3d w = Matrix3d::Zero();
  for (int side = 0; side < 2; ++side) {
    if (row.body[side] < 0) continue;
    row.J[side] = (row.J[side] * whitening_[row.body[side]]).eval();
    w.noalias() += row.J[side] * row.J[side].transpose();
  }
  row.w_n = w(0, 0);
  const double mean = 0.5 * (w(1, 1) + w(2, 2)), half = 0.5 * (w(1, 1) - w(2, 2));
  row.w_t = mean + std::sqrt(half * half + w(1, 2) * w(1, 2));
  row.w = w.trace() / 3.0;
}

void RigidNewton::find_places()
{
  couples_.clear();
  for (const Row& row : rows_)
    if (row.body[1] >= 0) couples_.push_back(row.body);
  lu_.begin(static_cast<int>(whitening_.size()), couples_);
  for (Row& row : rows_) {
    const auto [a, b] = row.body;
    row.place[0] = lu_.place(a, a);
    if (b < 0) continue;
    row.place = {row.place[0], lu_.place(a, b), lu_.place(b, a), lu_.place(b, b)};
  }
}

// u = J J' lambda, and q.
void RigidNewton::find_velocities(const Impulses& lambda, bool with_q, Impulses& u)
{
  x_.assign(whitening_.size(), Vector6d::Zero());
  for (int c = 0; c < size(); ++c)
    for (int side = 0; side < 2; ++side)
      if (rows_[c].body[side] >= 0)
        x_[rows_[c].body[side]].noalias() += rows_[c].J[side].transpose() * lambda[c];
  u.resize(lambda.size());
  for (int c = 0; c < size(); ++c) {
    Vector3d sum = with_q ? rows_[c].q : Vector3d(Vector3d::Zero());
    for (int side = 0; side < 2; ++side)
      if (rows_[c].body[side] >= 0) sum.noalias() += rows_[c].J[side] * x_[rows_[c].body[side]];
    u[c] = sum;
  }
}

// lambda - C(lambda - R u), as a velocity.
Vector3d RigidNewton::phi(const Row& row, const Vector3d& lambda, const Vector3d& u) const
{
  const double alpha = alpha_ * row.w;
  const double r_n = 1.0 / (row.w_n + alpha), r_t = 1.0 / (row.w_t + alpha);
  const Vector3d y(lambda[0] - r_n * u[0], lambda[1] - r_t * u[1], lambda[2] - r_t * u[2]);
  return lambda - clamp_to_cone(y, row.mu, options_.law);
}

double RigidNewton::measure(const Impulses& lambda, const Impulses& u) const
{
  double squared = 0.0;
  for (int c = 0; c < size(); ++c)
    squared += rows_[c].w * rows_[c].w * phi(rows_[c], lambda[c], u[c]).squaredNorm();
  return std::sqrt(squared);
}

// Cuts a point to the cones and keeps it where it is the best so far. Returns its natural map.
double RigidNewton::offer(const Impulses& lambda)
{
  cut_.resize(lambda.size());
  for (int c = 0; c < size(); ++c) cut_[c] = clamp_to_cone(lambda[c], rows_[c].mu, options_.law);
  find_velocities(cut_, true, cut_u_);
  NaturalSum sum;
  for (int c = 0; c < size(); ++c)
    sum.add(cut_u_[c], cut_[c], rows_[c].mu, rows_[c].scale, options_.law);
  const double found = sum.rms();
  if (found < report_.worst) {
    report_.worst = found;
    best_ = cut_;
  }
  return found;
}

// G and g of every contact.
void RigidNewton::linearise(const Point& at)
{
  for (int c = 0; c < size(); ++c) {
    Row& row = rows_[c];
    const double alpha = alpha_ * row.w;
    const Vector3d lambda = at.lambda[c], u = at.u[c];
    const double r_n = 1.0 / (row.w_n + alpha), r_t = 1.0 / (row.w_t + alpha);
    const Vector3d R(r_n, r_t, r_t);
    const Vector3d y = lambda - R.cwiseProduct(u);
    row.g = lambda - clamp_to_cone(y, row.mu, options_.law);
    row.G.setZero();
    if (y[0] <= 0.0) continue;  // open
    const LocalDerivative local =
        differentiate_locally(u, alpha * Matrix3d::Identity(), R, lambda, row.mu, options_.law);
    row.G = local.H;
    row.g = -local.misfit;
  }
}

// direction_: dlambda, and du with the proximal term.
bool RigidNewton::find_direction(const Point& at)
{
  linearise(at);
  lu_.set_zero();
  for (int b = 0; b < lu_.bodies(); ++b) lu_[lu_.place(b, b)].setIdentity();
  x_.assign(whitening_.size(), Vector6d::Zero());
  for (const Row& row : rows_) {
    const auto [a, b] = row.body;
    x_[a].noalias() -= row.J[0].transpose() * row.g;
    if (b >= 0) x_[b].noalias() -= row.J[1].transpose() * row.g;
    if (row.G.isZero(0.0)) continue;
    const Eigen::Matrix<double, 6, 3> JG = row.J[0].transpose() * row.G;
    lu_[row.place[0]].noalias() += JG * row.J[0];
    if (b < 0) continue;
    lu_[row.place[1]].noalias() += JG * row.J[1];
    const Eigen::Matrix<double, 6, 3> JG_b = row.J[1].transpose() * row.G;
    lu_[row.place[2]].noalias() += JG_b * row.J[0];
    lu_[row.place[3]].noalias() += JG_b * row.J[1];
  }
  ++report_.steps;
  if (!lu_.factor()) return false;
  lu_.solve({x_.front().data(), 6 * x_.size()});
  direction_.lambda.resize(rows_.size());
  for (int c = 0; c < size(); ++c) {
    const Row& row = rows_[c];
    Vector3d u = row.J[0] * x_[row.body[0]];
    if (row.body[1] >= 0) u.noalias() += row.J[1] * x_[row.body[1]];
    direction_.lambda[c] = -row.g - row.G * u;
  }
  const auto is_finite = [](const Vector3d& entry) { return entry.allFinite(); };
  if (!std::all_of(direction_.lambda.begin(), direction_.lambda.end(), is_finite)) return false;
  find_velocities(direction_.lambda, false, direction_.u);
  for (int c = 0; c < size(); ++c) direction_.u[c] += alpha_ * rows_[c].w * direction_.lambda[c];
  return true;
}

// Moves `at` along direction_. False: there is nowhere to go.
bool RigidNewton::choose_step(Point& at, double reference, double best)
{
  const auto try_step = [&](const Point& from, const Point& along, double length, Point& trial) {
    trial.lambda.resize(from.lambda.size());
    trial.u.resize(from.u.size());
    for (int c = 0; c < size(); ++c) {
      trial.lambda[c] = from.lambda[c] + length * along.lambda[c];
      trial.u[c] = from.u[c] + length * along.u[c];
    }
    trial.residual = measure(trial.lambda, trial.u);
    return std::isfinite(trial.residual);
  };
  return watchdog_.choose_step(at, direction_, reference, best, try_step);
}

bool RigidNewton::is_over() const
{
  return report_.steps >= options_.max_steps || (report_.steps + 1) * work() > options_.max_work;
}

// From lambda as the centre to the best point found. True: |Phi| fell enough.
bool RigidNewton::solve_inner(Impulses& lambda)
{
  at_.lambda = lambda;
  find_velocities(lambda, true, at_.u);
  at_.residual = measure(at_.lambda, at_.u);
  const double before = at_.residual;
  const double target = std::max(smallest, inner_gain * before);
  double best = before;
  std::array<double, 5> recent;  // a step is compared with the largest
  recent.fill(before);
  bests_.assign(1, before);
  watchdog_.reset();
  inner_steps_ = 0;
  while (best > target && inner_steps_ < max_inner && !is_over()) {
    end_if_stopped();
    if (!find_direction(at_)) break;
    ++inner_steps_;
    if (!choose_step(at_, *std::max_element(recent.begin(), recent.end()), best)) break;
    recent[static_cast<std::size_t>(inner_steps_) % recent.size()] = at_.residual;
    if (at_.residual < best) {
      best = at_.residual;
      lambda = at_.lambda;
    }
    bests_.push_back(best);
    if (inner_steps_ > inner_patience && best > least_gain * bests_[inner_steps_ - inner_patience])
      break;
  }
  return best < enough_gain * before || best <= smallest;
}

RigidNewtonReport RigidNewton::solve(const RigidNewtonOptions& options, std::span<double> lambda)
{
  options_ = options;
  report_ = {.worst = std::numeric_limits<double>::infinity()};
  Impulses& point = point_;
  point.resize(rows_.size());
  for (int c = 0; c < size(); ++c) point[c] = Eigen::Map<const Vector3d>(lambda.data() + 3 * c);
  offer(point);
  AlphaSchedule schedule(options.alpha, least_alpha);
  double gained_from = report_.worst;
  int gained_at = 0;
  while (report_.worst > options.goal && !is_over()) {
    ++report_.rounds;
    const double before = report_.worst;
    centre_ = point;
    alpha_ = schedule.alpha();
    const bool solved = solve_inner(point);
    offer(point);
    if (report_.worst < least_gain * gained_from) {
      gained_from = report_.worst;
      gained_at = report_.rounds;
    }
    if (solved) {
      schedule.succeeded(inner_steps_);
    } else {
      point = centre_;  // not the best point: from there the same failures would follow
      schedule.failed();
    }
    if (report_.worst <= options.tolerance && report_.worst > a_digit * before) break;
    if (report_.rounds - gained_at > options.patience) {
      report_.status = SolveStatus::stalled;
      break;
    }
  }
  if (report_.worst <= options.tolerance) report_.status = SolveStatus::converged;
  for (int c = 0; c < size(); ++c) Eigen::Map<Vector3d>(lambda.data() + 3 * c) = best_[c];
  return report_;
}

}  // namespace tact
