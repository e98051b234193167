// Energy that may only fall.
#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include <tact/bodies/midpoint_spin.hpp>
#include <tact/sim/conservation.hpp>

namespace tact {
namespace {

// Of the energy of a group: growth below this is left alone.
constexpr double least_growth = 1e-13;
// What a mesh in flight may take of its deformation in a step that would gain energy.
constexpr std::array shares = {1.0, 0.5, 0.25, 0.125, 0.03, 0.0};

}  // namespace

double Conservation::energy(std::span<const int> group, const State& state) const
{
  double sum = 0.0;
  for (const int k : group) {
    for (const int i : world_->components()[k].bodies)
      sum += world_->body(i).kinetic_energy(world_->q(state, i), world_->v(state, i)) +
             potential_energy(*world_, state, i);
    for (const int s : world_->components()[k].springs)
      sum += potential_energy(*world_, state, world_->springs()[s]);
  }
  return sum;
}

double Conservation::kinetic_energy(std::span<const int> group, const State& state) const
{
  double sum = 0.0;
  for_each_body(group, [&](const Body& body, int i) {
    sum += body.kinetic_energy(world_->q(state, i), world_->v(state, i));
  });
  return sum;
}

EnergyLimit Conservation::limit_energy(const StepEnds& step)
{
  join(step.touching);
  std::vector<char> pushed(world_->components().size(), 0);
  for (const BodyPair& pair : step.touching)
    for (const int body : pair)
      if (const int k = world_->place(body).component; k >= 0) pushed[k] = 1;
  EnergyLimit limit;
  for (const std::vector<int>& group : free_groups(Momenta::together)) {
    if (std::ranges::any_of(group, [&](int k) { return world_->has_motor(k); })) continue;
    const bool free = group.size() == 1 && pushed[group.front()] == 0 && can_turn(group.front());
    const double growth = slow_down(group, step);
    if (free && (growth > 0.0 || spins_off(group, step))) {
      turn_as_a_whole(group, step);
      limit.moved = true;
    } else if (growth > 0.0 && !is_mechanism(group)) {
      keep_share(group, 0.0, *step.end);
      limit.growth = std::max(limit.growth, growth);
    }
  }
  return limit;
}

// Velocities w + (1 - s) (v - w), with w the rigid motion, have the kinetic energy
// T_w + (1 - s)^2 (T_v - T_w): v - w has no momentum, and so no energy in common with w. Where that
// does not suffice they are left alone, and what is too much is told, relative.
double Conservation::slow_down(std::span<const int> group, const StepEnds& step) const
{
  for (const int k : group)
    if (!world_->components()[k].pins.empty()) return 0.0;  // too stiff to have a known energy
  State& end = *step.end;
  const double before = energy(group, *step.start), kinetic = kinetic_energy(group, end);
  const double growth = energy(group, end) - before;
  if (growth <= least_growth * kinetic) return 0.0;
  const MatterSum sum = matter(group, end, end);
  const RigidMotion whole = sum.motion();
  const double rigid =
      0.5 * (sum.linear().dot(whole.linear) + sum.angular(whole.about).dot(whole.angular));
  const double own = kinetic - rigid;  // of v - w
  if (own < growth) return (growth - std::max(0.0, own)) / std::abs(before);
  keep_share(group, std::sqrt(1.0 - growth / own), end);
  return 0.0;
}

// Of velocities beyond the rigid motion.
void Conservation::keep_share(std::span<const int> group, double share, State& end) const
{
  const RigidMotion whole = matter(group, end, end).motion();
  for_each_body(group, [&](const Body& body, int i) { velocities(body, i, end) *= share; });
  add_motion(group, {(1.0 - share) * whole.linear, (1.0 - share) * whole.angular, whole.about},
             end);
}

bool Conservation::is_mechanism(std::span<const int> group) const
{
  return std::ranges::any_of(group, [&](int k) { return world_->mechanism(k) >= 0; });
}

// Meshes, or one body that keeps its shape.
bool Conservation::can_turn(int component) const
{
  const std::vector<int>& bodies = world_->components()[component].bodies;
  return bodies.size() == 1 || std::all_of(bodies.begin(), bodies.end(),
                                           [&](int i) { return world_->body(i).deforms(); });
}

// Whether a body that keeps its shape has another energy of rotation than before: it turned too far
// for one step.
bool Conservation::spins_off(std::span<const int> group, const StepEnds& step) const
{
  constexpr double rounding = 1e-12;
  const int i = world_->components()[group.front()].bodies.front();
  const Body& body = world_->body(i);
  if (body.deforms()) return false;
  const auto rotation = [&](const State& state) {
    const double linear = world_->v(state, i).head<3>().squaredNorm();
    return body.kinetic_energy(world_->q(state, i), world_->v(state, i)) -
           0.5 * body.mass() * linear;
  };
  const double before = rotation(*step.start);
  const double scale =
      std::max(before, body.kinetic_energy(world_->q(*step.start, i), world_->v(*step.start, i)));
  return std::abs(rotation(*step.end) - before) > rounding * scale;
}

// On straight lines a mesh that spins grows by (omega dt)^2 / 2, and its strain holds more energy
// than it had. So it turns by the rotation R of a rigid body with its momenta, which keeps energy
// (midpoint_spin.hpp), and takes as large a share s of its own motion u as has energy enough:
//   x_1 = c_1 + R (x_0 - c_0 + s dt u),   v_1 = r R u + rigid motion,   r <= 1
void Conservation::turn_as_a_whole(std::span<const int> group, const StepEnds& step) const
{
  const State& start = *step.start;
  State& end = *step.end;
  const MatterSum before = matter(group, start, start);
  const Vector3d c0 = before.centre(), L = before.angular(c0);
  const Vector3d P = matter(group, end, end).linear();
  const Turn turn{
      .R = turn_freely({.K = before.inertia(), .l = L, .dt = step.dt}).toRotationMatrix(),
      .from = c0,
      .to = c0 + (step.dt / before.mass()) * P};
  const RigidMotion w = matter(group, start, end).motion();
  std::vector<VectorXd> own;  // u, one per body
  double own_energy = 0.0;
  for_each_body(group, [&](const Body& body, int i) {
    own.emplace_back(velocities(body, i, end));
    body.add_rigid_motion(world_->q(start, i), {-w.linear, -w.angular, w.about}, own.back());
    own_energy += body.kinetic_energy(world_->q(start, i), own.back());
  });
  const double most = energy(group, start);
  for (const double share : shares) {
    place_turned(group, step, turn, share, own);
    add_motion(group, matter(group, end, end).motion(P, L), end);
    const double spare = most - energy(group, end);
    if (spare < 0.0 && share > 0.0) continue;
    const double rest = own_energy > 0.0 ? std::sqrt(std::max(0.0, spare) / own_energy) : 0.0;
    std::size_t next = 0;
    for_each_body(group, [&](const Body& body, int i) {
      const VectorXd& u = own[next++];
      if (!body.deforms()) return;  // it has no motion of its own
      auto v = velocities(body, i, end);
      for (Eigen::Index k = 0; k < v.size(); k += 3)
        v.segment<3>(k) += std::min(1.0, rest) * (turn.R * u.segment<3>(k));
    });
    return;
  }
}

// Leaves it without velocities.
void Conservation::place_turned(std::span<const int> group, const StepEnds& step, const Turn& turn,
                                double share, std::span<const VectorXd> own) const
{
  std::size_t next = 0;
  for_each_body(group, [&](const Body& body, int i) {
    const VectorXd& u = own[next++];
    const auto x0 = world_->q(*step.start, i);
    auto x = places(body, i, *step.end);
    auto v = velocities(body, i, *step.end);
    if (body.deforms()) {
      for (Eigen::Index k = 0; k < x.size(); k += 3)
        x.segment<3>(k) =
            turn.to + turn.R * (x0.segment<3>(k) - turn.from + share * step.dt * u.segment<3>(k));
    } else {
      const Eigen::AngleAxisd rotation(turn.R);
      VectorXd way(6);
      way << turn.to - turn.from, rotation.angle() * rotation.axis();
      body.advance({.dt = step.dt}, x0, world_->v(*step.start, i), way / step.dt, x, v);
    }
    v.setZero();
  });
}

}  // namespace tact
