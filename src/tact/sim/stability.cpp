#include <tact/sim/stability.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <tbb/parallel_for.h>
#include <Eigen/LU>

#include <tact/sim/linear_dynamics.hpp>

namespace tact {
namespace {

constexpr double probe = 1e-3;         // s: length of the step that A is made for
constexpr int power_steps = 60;        // come within 3 % on bars, balls and sheets
constexpr double power_margin = 1.06;  // since they come from below
constexpr double round_off = 1e-11;    // of an eigenvalue of M^-1 A: below there is no stiffness

std::vector<Matrix3d> lumped_masses(const World& world, const State& state, double dt)
{
  std::vector<Matrix3d> M(world.node_count(), Matrix3d::Identity());
  VectorXd b = VectorXd::Zero(world.v_size());
  const StepInput input{.dt = dt, .gravity = world.gravity(), .wind = world.wind()};
  for (int i = 0; i < world.body_count(); ++i) {
    const Body& body = world.body(i);
    const auto workspace = body.make_workspace();
    const auto nodes = static_cast<std::size_t>(body.node_count());
    body.lump(input, world.q(state, i), world.v(state, i), workspace.get(),
              std::span(M).subspan(world.place(i).node, nodes),
              b.segment(3 * world.place(i).node, body.v_size()));
  }
  return M;
}

// The largest eigenvalue of M^-1 A - 1.
double stiffness_of(const BlockMatrix& A, std::span<const Matrix3d> M)
{
  VectorXd x(A.size()), Ax;
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = i % 7 < 3 ? 1.0 : -1.0;
  double largest = 0.0;
  for (int step = 0; step < power_steps; ++step) {
    multiply(A, x, Ax);
    double before = 0.0, after = 0.0;
    for (int node = 0; node < A.rows(); ++node) {
      auto x_i = x.segment<3>(3 * node);
      const Vector3d Mx = M[node] * x_i;
      const Vector3d held = Ax.segment<3>(3 * node) - Mx;
      before += x_i.dot(Mx);
      after += x_i.dot(held);
      x_i = M[node].inverse() * held;
    }
    largest = after / before;
    if (!(largest > round_off)) return 0.0;
    x /= largest;
  }
  return power_margin * largest;
}

std::vector<double> stiffness_of_components(const World& world, double dt)
{
  const State state = world.start();
  std::vector<BlockMatrix> A;
  VectorXd b;
  Lineariser(world).linearise(state, dt, A, b);
  const std::vector<Matrix3d> M = lumped_masses(world, state, dt);
  std::vector<double> stiffness(A.size());
  tbb::parallel_for(0, static_cast<int>(A.size()), [&](int k) {
    const Component& component = world.components()[k];
    const auto nodes = static_cast<std::size_t>(component.node_count());
    stiffness[k] = stiffness_of(A[k], std::span(M).subspan(component.first_node, nodes));
  });
  return stiffness;
}

}  // namespace

double StiffestMode::longest_step() const
{
  const double c = damping;
  const double sum = c + std::sqrt(c * c + 4.0 * frequency_squared);
  return sum > 0.0 ? 4.0 / sum : std::numeric_limits<double>::infinity();
}

StiffestMode stiffest_mode(const World& world)
{
  const std::vector<double> whole = stiffness_of_components(world, probe);
  const std::vector<double> half = stiffness_of_components(world, 0.5 * probe);
  StiffestMode stiffest;
  for (std::size_t k = 0; k < whole.size(); ++k) {
    // h c + h^2 w^2 and h c / 2 + h^2 w^2 / 4
    const double elastic = std::clamp(2.0 * (whole[k] - 2.0 * half[k]), 0.0, whole[k]);
    const StiffestMode mode{.frequency_squared = elastic / (probe * probe),
                            .damping = (whole[k] - elastic) / probe};
    if (mode.longest_step() < stiffest.longest_step()) stiffest = mode;
  }
  return stiffest;
}

}  // namespace tact
