// Semi-implicit Euler with lumped masses: A = M, one block a node, b = M v + h F(q, v). Every node
// and every rigid body is a component by itself, so that contacts act on each other only through
// nodes they share, and islands of contacts are the detached regions of [Lazarevych10] Sec. 3.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <tbb/parallel_for.h>
#include <Eigen/Cholesky>

#include <tact/core/error.hpp>
#include <tact/sim/integrator.hpp>
#include <tact/sim/joints.hpp>
#include <tact/sim/stability.hpp>

namespace tact {
namespace {

void refuse_soft_pins(const World& world)
{
  if (world.soft_pins().empty()) return;
  const Pin& pin = world.soft_pins().front();
  throw Error(fmt::format(
      "explicit steps: \"{}\" is pinned so that only implicit steps can hold it; expected pins of "
      "vertices to obstacles or to the world, or springs",
      world.body(pin.a.body).name()));
}

class ExplicitIntegrator final : public Integrator {
 public:
  ExplicitIntegrator(const World& world, const ExplicitOptions& options)
      : world_(world), M_(world.node_count(), Matrix3d::Identity())
  {
    refuse_soft_pins(world);
    for (int i = 0; i < world.body_count(); ++i)
      workspaces_.push_back(world.body(i).make_workspace());
    longest_substep_ = options.share * stiffest_mode(world).longest_step();
    find_parts();
  }

  int substeps(double dt) const override
  {
    constexpr double round_off = 1e-9;
    return std::max(1, static_cast<int>(std::ceil(dt / longest_substep_ - round_off)));
  }

  DynamicsReport find_free_motion(const State& state, double dt, ContactProblem& problem,
                                  VectorXd& b) override
  {
    lump_bodies(state, dt, b);
    for (const Component& component : world_.components())
      add_spring_impulses(world_, state, dt, component,
                          b.segment(3 * component.first_node, 3 * component.node_count()));
    if (pull_) add_pull(state, dt, b);
    for (const JointLoad& load : loads_) {
      const int node = world_.place(load.body).node;
      add_load(load, dt, world_.v(state, load.body), M_[node], M_[node + 1],
               b.segment(3 * node, 6));
    }
    for (const PrescribedNode& node : world_.prescribed())
      b.segment<3>(3 * node.node) = M_[node.node] * prescribed_velocity(world_, state, node, dt);
    write(problem, b);
    return {};
  }

  void pull(const std::optional<Spring>& spring) override { pull_ = spring; }

  void carry(std::span<const JointLoad> loads) override
  {
    loads_.assign(loads.begin(), loads.end());
  }

 private:
  void add_pull(const State& state, double dt, VectorXd& b) const
  {
    const Component& component = world_.components()[world_.place(pull_->a.body).component];
    add_spring_impulse(world_, state, dt, component, *pull_,
                       b.segment(3 * component.first_node, 3 * component.node_count()));
  }

  // A rigid body's two nodes stay together.
  void find_parts()
  {
    const std::span<const std::array<int, 2>> no_couples;
    const auto one = std::make_shared<const BlockPattern>(1, no_couples);
    const auto two = std::make_shared<const BlockPattern>(2, no_couples);
    std::vector<char> is_rigid(world_.node_count(), 0);
    for (int i = 0; i < world_.body_count(); ++i)
      if (world_.body(i).kind() == BodyKind::rigid) is_rigid[world_.place(i).node] = 1;
    for (int node = 0; node < world_.node_count();) {
      patterns_.push_back(is_rigid[node] ? two : one);
      node += patterns_.back()->rows();
    }
  }

  void lump_bodies(const State& state, double dt, VectorXd& b)
  {
    const StepInput input{.dt = dt, .gravity = world_.gravity(), .wind = world_.wind()};
    b.resize(world_.v_size());
    tbb::parallel_for(0, world_.body_count(), [&](int i) {
      const Body& body = world_.body(i);
      const int node = world_.place(i).node;
      body.lump(input, world_.q(state, i), world_.v(state, i), workspaces_[i].get(),
                std::span(M_).subspan(node, static_cast<std::size_t>(body.node_count())),
                b.segment(3 * node, body.v_size()));
    });
  }

  void write(ContactProblem& problem, const VectorXd& b) const
  {
    if (problem.A.size() != patterns_.size()) {
      problem.A.clear();
      for (const auto& pattern : patterns_) problem.A.push_back(zero_matrix(pattern));
    }
    problem.v_star.resize(b.size());
    int node = 0;
    for (BlockMatrix& A : problem.A)
      for (Matrix3d& block : A.blocks) {  // diagonal ones only
        block = M_[node];
        problem.v_star.segment<3>(3 * node) = block.llt().solve(b.segment<3>(3 * node));
        ++node;
      }
  }

  const World& world_;
  std::vector<std::unique_ptr<BodyWorkspace>> workspaces_;
  std::vector<std::shared_ptr<const BlockPattern>> patterns_;  // of each part of A
  std::vector<Matrix3d> M_;                                    // one a node
  double longest_substep_ = 0.0;                               // s
  std::optional<Spring> pull_;
  std::vector<JointLoad> loads_;
};

}  // namespace

std::unique_ptr<Integrator> make_explicit_integrator(const World& world,
                                                     const ExplicitOptions& options)
{
  return std::make_unique<ExplicitIntegrator>(world, options);
}

}  // namespace tact
