#include <tact/sim/momentum_account.hpp>

#include <algorithm>
#include <cmath>

#include <tact/sim/conservation.hpp>
#include <tact/sim/matter_sum.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {
namespace {

// m/s. Things at rest on which nothing acts have round-off for momentum: they have lost none.
constexpr double still = 1e-9;

// Radius of gyration about the centre of mass, m: the trace of the inertia is 2 sum m r^2.
double gyration(const World& world, int body, double mass)
{
  const Matrix3d inertia = inertia_of(world.body(body), world.q(world.start(), body));
  return std::sqrt(0.5 * inertia.trace() / mass);
}

}  // namespace

double MomentumAccount::Island::Scale::share(const Vector3d& lost) const
{
  const double scale = std::max({start, end, impulses});
  return scale > 0.0 ? lost.norm() / scale : 0.0;
}

MomentumAccount::MomentumAccount(const World& world)
    : world_(&world), free_(free_components(world)), nodes_(world.node_count())
{
  for (int i = 0; i < world.body_count(); ++i) {
    const BodyPlace& place = world.place(i);
    const std::vector<double> masses = world.body(i).node_masses();
    const bool rigid = world.body(i).kind() == BodyKind::rigid;
    for (int k = 0; k < world.body(i).node_count(); ++k) {
      nodes_[place.node + k] = {.body = i,
                                .first_q = place.q + (rigid ? 0 : 3 * k),
                                .mass = masses[k],
                                .gyration = rigid && k == 0 ? gyration(world, i, masses[0]) : 0.0,
                                .turns = rigid && k == 1};
    }
    body_of_vertex_.insert(body_of_vertex_.end(), world.body(i).vertex_count(), i);
  }
  for (const PrescribedNode& node : world.prescribed()) nodes_[node.node].held = true;
}

MomentumLoss MomentumAccount::measure(const CommittedStep& step, int pulled)
{
  find_islands(step, pulled);
  add_equations(step);
  add_spins(step);
  add_contacts(step);
  add_change_of_momentum(step);
  add_change_of_state(step);
  MomentumLoss loss;
  const double left = unbalanced_.norm();
  loss.equations = left > 0.0 ? left / (*step.b + impulse_).norm() : 0.0;
  for (const Island& island : islands_) {
    loss.share = std::max(loss.share, island.share());
    loss.linear = std::max(loss.linear, island.linear.norm());
    loss.angular = std::max(loss.angular, island.angular.norm());
    loss.islands += island.contacts > 0 ? 1 : 0;
    loss.island_contacts = std::max(loss.island_contacts, island.contacts);
  }
  return loss;
}

// Components of the world that contacts and joints join. The parts of A may be smaller: in explicit
// steps each node is one, and what its neighbours do to it is no loss.
void MomentumAccount::find_islands(const CommittedStep& step, int pulled)
{
  const ContactProblem& problem = *step.problem;
  part_of_node_.clear();
  for (int k = 0; k < problem.components(); ++k)
    part_of_node_.insert(part_of_node_.end(), problem.A[k].rows(), k);
  sets_.reset(problem.components());
  const auto join = [&](const auto& all, const auto& blocks) {
    for (const auto& rows : all)
      for (int k = 1; k < rows.count; ++k)
        sets_.merge(part_of_node_[blocks[rows.first].node],
                    part_of_node_[blocks[rows.first + k].node]);
  };
  join(problem.contacts, problem.blocks);
  join(problem.bilateral, problem.bilateral_blocks);
  for (const Component& component : world_->components())
    for (int i = 1; i < component.node_count(); ++i)
      sets_.merge(part_of_node_[component.first_node], part_of_node_[component.first_node + i]);
  std::vector<int> number(problem.components(), -1);
  int count = 0;
  for (int k = 0; k < problem.components(); ++k)
    number[k] = sets_.root(k) == k ? count++ : number[sets_.root(k)];  // roots come first
  islands_.assign(count, {});
  island_of_node_.resize(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    island_of_node_[i] = number[part_of_node_[i]];
    Island& island = islands_[island_of_node_[i]];
    island.mass += nodes_[i].mass;
    island.centre += nodes_[i].mass * position(*step.start, static_cast<int>(i));
    const int component = world_->place(nodes_[i].body).component;
    const bool is_pulled = pulled >= 0 && world_->place(pulled).component == component;
    if (free_[component] == 0 || is_pulled) island.free = false;
  }
  for (Island& island : islands_)
    if (island.mass > 0.0) island.centre /= island.mass;
}

// r, and what is there to lose.
void MomentumAccount::add_equations(const CommittedStep& step)
{
  multiply(*step.problem, step.solution->v, unbalanced_);
  unbalanced_ -= *step.b;
  generalised_impulse(*step.problem, step.solution->lambda, impulse_);
  if (!step.problem->bilateral.empty())
    add_bilateral_impulse(*step.problem, step.solution->beta, impulse_);
  unbalanced_ -= impulse_;
  const double fall = step.dt * world_->gravity().norm() + still;
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
    if (nodes_[i].held) continue;
    Island& island = island_of(i);
    const Vector3d r =
        island.free ? Vector3d(Vector3d::Zero()) : Vector3d(unbalanced_.segment<3>(3 * i));
    if (nodes_[i].turns) {
      island.angular += r;
      continue;
    }
    const Vector3d arm = position(*step.start, i) - island.centre;
    island.linear += r;
    island.angular += arm.cross(r);
    const double m = nodes_[i].mass;
    const double start = m * step.start->v.segment<3>(3 * i).norm();
    const double end = m * step.end->v.segment<3>(3 * i).norm();
    island.linear_scale.start += start;
    island.linear_scale.end += end;
    island.linear_scale.impulses += m * fall;
    const double reach = std::hypot(arm.norm(), nodes_[i].gyration);
    island.angular_scale.start += reach * start;
    island.angular_scale.end += reach * end;
    island.angular_scale.impulses += reach * m * fall;
  }
}

// Angular momenta of rigid bodies about their own centres.
void MomentumAccount::add_spins(const CommittedStep& step)
{
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
    if (!nodes_[i].turns) continue;
    const auto spin = [&](const State& state) {
      const Momentum own = momentum_of(state, i);
      return (own.angular - position(state, i).cross(own.linear)).norm();
    };
    island_of(i).angular_scale.start += spin(*step.start);
    island_of(i).angular_scale.end += spin(*step.end);
  }
}

bool MomentumAccount::is_held(const ContactRecord& record, const State& state) const
{
  for (const int body : {record.body_a, record.body_b})
    if (body < 0 || world_->body(body).node_count() == 0) return true;
  if (world_->prescribed().empty()) return false;
  for (const int vertex : record.contact.key.vertices) {
    if (vertex < 0) break;
    const int body = body_of_vertex_[vertex];
    const BodyPlace& place = world_->place(body);
    const PointMap map = world_->body(body).map(world_->q(state, body),
                                                {.vertex = vertex - place.vertex, .local = {}});
    for (int k = 0; k < map.count; ++k)
      if (nodes_[place.node + map.node[k]].held) return true;
  }
  return false;
}

// Impulses of what is held on islands that are free else. Of others what impulses on the two sides
// of a contact leave: nothing, where they act at one point.
void MomentumAccount::add_contacts(const CommittedStep& step)
{
  const ContactProblem& problem = *step.problem;
  for (int c = 0; c < problem.size(); ++c) {
    const ContactRows& rows = problem.contacts[c];
    const Vector3d lambda = step.solution->lambda.segment<3>(3 * c);
    Island& island = island_of(problem.blocks[rows.first].node);
    ++island.contacts;
    if (lambda.isZero(0.0)) continue;
    const ContactRecord& record = step.records[c];
    const bool held = is_held(record, *step.start);
    island.linear_scale.impulses += lambda.norm();
    if (island.free && held) {
      const bool first = world_->body(record.body_a).node_count() > 0;
      const Vector3d impulse = (first ? 1.0 : -1.0) * (record.frame * lambda);
      island.linear -= impulse;
      island.angular -= (record.point - island.centre).cross(impulse);
    }
    for (int k = rows.first; k < rows.first + rows.count; ++k) {
      const RowBlock& block = problem.blocks[k];
      const Vector3d impulse = block.J.transpose() * lambda;
      const Vector3d arm = position(*step.start, block.node) - island.centre;
      const bool turns = nodes_[block.node].turns;
      island.angular_scale.impulses +=
          turns ? block.J.norm() * lambda.norm() : arm.norm() * impulse.norm();
      if (held || island.free) continue;
      if (!turns) island.linear += impulse;
      island.angular += turns ? impulse : arm.cross(impulse);
    }
  }
}

// Of a mass point, or of a rigid body as a whole; about the origin.
Momentum MomentumAccount::momentum_of(const State& state, int node) const
{
  const int body = nodes_[node].body;
  if (world_->body(body).kind() == BodyKind::rigid)
    return world_->body(body).momentum(world_->q(state, body), world_->v(state, body));
  const Vector3d linear = nodes_[node].mass * state.v.segment<3>(3 * node);
  return {linear, position(state, node).cross(linear)};
}

// Between the states, of islands that are free.
void MomentumAccount::add_change_of_momentum(const CommittedStep& step)
{
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
    Island& island = island_of(i);
    if (!island.free || nodes_[i].turns) continue;
    const Momentum before = momentum_of(*step.start, i), after = momentum_of(*step.end, i);
    const Vector3d gained = after.linear - before.linear;
    const Vector3d fall = step.dt * nodes_[i].mass * world_->gravity();
    const Vector3d arm = position(*step.start, i) - island.centre;
    island.linear += gained - fall;
    island.angular +=
        after.angular - before.angular - island.centre.cross(gained) - arm.cross(fall);
  }
}

// Where the state is not the end that v leads to.
void MomentumAccount::add_change_of_state(const CommittedStep& step)
{
  advance(*world_, *step.start, step.solution->v, step.dt, expected_);
  if (expected_.q == step.end->q && expected_.v == step.end->v) return;
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
    if (island_of(i).free || nodes_[i].held || nodes_[i].turns) continue;
    const Momentum found = momentum_of(*step.end, i), wanted = momentum_of(expected_, i);
    const Vector3d gained = found.linear - wanted.linear;
    Island& island = island_of(i);
    island.linear += gained;
    island.angular += found.angular - wanted.angular - island.centre.cross(gained);
  }
}

}  // namespace tact
