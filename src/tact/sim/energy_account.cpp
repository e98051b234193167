#include <tact/sim/energy_account.hpp>

#include <algorithm>
#include <cmath>

#include <tbb/parallel_for.h>

namespace tact {
namespace {

constexpr double rounding = 1e-13;  // of the energies that are added up
// Of the kinetic energy of what touches: what it may have more after a step.
constexpr double let_pass = 1e-3;

}  // namespace

double power_of_weight(const World& world, const State& state, int body)
{
  return world.body(body).mass() * world.gravity().dot(world.v(state, body).head<3>());
}

EnergyAccount::EnergyAccount(const World& world)
    : world_(&world), component_of_node_(world.node_count(), -1)
{
  for (int i = 0; i < world.body_count(); ++i) {
    const Body& body = world.body(i);
    is_obstacle_vertex_.insert(is_obstacle_vertex_.end(), body.vertex_count(),
                               body.node_count() == 0 ? 1 : 0);
    for (int k = 0; k < body.node_count(); ++k)
      component_of_node_[world.place(i).node + k] = world.place(i).component;
  }
}

// The end of the last step is the start of this one, as a rule: its energies are known then.
void EnergyAccount::begin(const State& start, double dt, int pulled)
{
  const bool known = last_.q.size() == start.q.size() && last_.t == start.t && last_.q == start.q &&
                     last_.v == start.v && !before_.kinetic.empty();
  if (!known) {
    measure(start, before_);
    last_ = start;
  }
  find_driven(start, dt, pulled);
  work_ = 0.0;
}

void EnergyAccount::add(const CommittedStep& part)
{
  dt_ = part.dt;
  work_ += work_of_contacts(part) + work_of_forces(part);
  for (std::size_t k = 0; k < part.motor_work.size(); ++k)
    if (driven_[k] == 0) work_ += part.motor_work[k];
}

// Sets of components that push each other; whether something pushes a component at all.
std::vector<char> EnergyAccount::join_pushed(const CommittedStep& part)
{
  const ContactProblem& problem = *part.problem;
  std::vector<char> pushed(world_->components().size(), 0);
  sets_.reset(static_cast<int>(pushed.size()));
  for (int c = 0; c < problem.size(); ++c) {
    if (!(part.solution->lambda[3 * c] > 0.0)) continue;
    const ContactRows& rows = problem.contacts[c];
    const int first = component_of_node_[problem.blocks[rows.first].node];
    for (int k = rows.first; k < rows.first + rows.count; ++k) {
      const int component = component_of_node_[problem.blocks[k].node];
      pushed[component] = 1;
      sets_.merge(first, component);
    }
  }
  return pushed;
}

// With A v - b = M (v - v0) - dt (forces, linear in v) - dt (gravity and what is given)
//   gift = E(end) - E(start) - v' (A v - b) - given work
//        = strain energy(end) - strain energy(start) + dt v' (forces) - |v - v0|^2_M / 2
// of a mesh, which is not above 0 where strain energy is quadratic. Soft pins are too stiff for
// their energy to be known.
EnergyAccount::Growth EnergyAccount::growth(int index, const CommittedStep& part) const
{
  const Component& component = world_->components()[index];
  const StepInput input{.dt = part.dt, .gravity = world_->gravity(), .wind = world_->wind()};
  const State& start = *part.start;
  const State& end = *part.end;
  Growth found;
  double push = 0.0;
  bool bends = true;
  for (const int i : component.bodies) {
    const Body& body = world_->body(i);
    const Eigen::Index first = 3 * world_->place(i).node, size = body.v_size();
    const auto v = part.solution->v.segment(first, size);
    const double before = kinetic_energy(*world_, start, i);
    const double after = kinetic_energy(*world_, end, i);
    found.energy += after - before - body.given_work(input, world_->q(start, i), v);
    found.energy += potential_energy(*world_, end, i) - potential_energy(*world_, start, i);
    found.kinetic += std::max(before, after);
    found.mass += body.mass();
    push += v.dot(push_.segment(first, size));
    bends = bends && body.deforms();
  }
  for (const int i : component.springs) {
    const Spring& spring = world_->springs()[i];
    found.energy +=
        potential_energy(*world_, end, spring) - potential_energy(*world_, start, spring);
  }
  const bool known = bends && driven_[index] == 0 && component.pins.empty();
  if (known) found.gift = std::max(0.0, found.energy - push);
  return found;
}

bool EnergyAccount::meshes_gain(const CommittedStep& part, double tolerance)
{
  const std::vector<char> pushed = join_pushed(part);
  const int count = static_cast<int>(pushed.size());
  bool any = false;
  for (int k = 0; k < count; ++k)
    any = any || (pushed[k] != 0 && world_->body(world_->components()[k].bodies.front()).deforms());
  if (!any) return false;
  multiply(*part.problem, part.solution->v, push_);
  push_ -= *part.b;
  std::vector<Growth> growths(pushed.size()), of_set(pushed.size());
  tbb::parallel_for(0, count, [&](int k) {
    if (pushed[k] != 0) growths[k] = growth(k, part);
  });
  for (int k = 0; k < count; ++k) of_set[sets_.root(k)].add(growths[k]);
  return std::ranges::any_of(of_set, [&](const Growth& set) {
    const double most =
        let_pass * set.kinetic + tolerance * std::sqrt(2.0 * set.mass * set.kinetic);
    return std::min(set.energy, set.gift) > most;
  });
}

StepEnergy EnergyAccount::finish(const State& end)
{
  measure(end, after_);
  StepEnergy energy{.gain = -work_};
  double size = 0.0;  // J
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    energy.kinetic += after_.kinetic[k];
    energy.potential += after_.potential[k];
    size += std::abs(after_.kinetic[k]) + std::abs(after_.potential[k]);
    if (driven_[k] == 0)
      energy.gain += after_.kinetic[k] - before_.kinetic[k] +
                     (after_.potential[k] - before_.potential[k]) +
                     0.5 * dt_ * (after_.falling[k] - before_.falling[k]);
  }
  if (std::abs(energy.gain) <= rounding * size) energy.gain = 0.0;
  last_ = end;
  std::swap(before_, after_);
  return energy;
}

void EnergyAccount::measure(const State& state, Sums& sums) const
{
  const std::span<const Component> components = world_->components();
  sums.kinetic.assign(components.size(), 0.0);
  sums.potential.assign(components.size(), 0.0);
  sums.falling.assign(components.size(), 0.0);
  tbb::parallel_for(0, static_cast<int>(components.size()), [&](int k) {
    for (const int i : components[k].bodies) {
      sums.kinetic[k] += kinetic_energy(*world_, state, i);
      sums.potential[k] += potential_energy(*world_, state, i);
      if (world_->mechanism(k) >= 0 && !world_->body(i).deforms())
        sums.falling[k] += power_of_weight(*world_, state, i);
    }
    for (const int i : components[k].springs)
      sums.potential[k] += potential_energy(*world_, state, world_->springs()[i]);
  });
}

bool EnergyAccount::is_moving(const Attachment& end, const State& start, double dt) const
{
  if (end.body < 0 || world_->body(end.body).node_count() > 0) return false;
  return position(*world_, start, end, start.t + dt) != position(*world_, start, end);
}

void EnergyAccount::find_driven(const State& start, double dt, int pulled)
{
  driven_.assign(world_->components().size(), 0);
  if (pulled >= 0) driven_[world_->place(pulled).component] = 1;
  for (const PrescribedNode& node : world_->prescribed())
    if (is_moving(node.pin.b, start, dt)) driven_[node.component] = 1;
  drive_mechanisms(start, dt);
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    const Component& component = world_->components()[k];
    const auto drives = [&](const auto& joint) {
      if (is_moving(joint.a, start, dt) || is_moving(joint.b, start, dt)) driven_[k] = 1;
    };
    for (const int i : component.springs) drives(world_->springs()[i]);
    for (const int i : component.pins) drives(world_->soft_pins()[i]);
  }
}

// What one link is driven by, all of its mechanism is.
void EnergyAccount::drive_mechanisms(const State& start, double dt)
{
  std::vector<char> moved(driven_.size(), 0);  // one a mechanism
  for (const Joint& joint : world_->joints())
    for (const JointEnd* end : {&joint.a, &joint.b}) {
      if (!is_moving({.body = end->body, .point = {.local = end->local.at}}, start, dt)) continue;
      const int other = (end == &joint.a ? joint.b : joint.a).body;
      moved[world_->mechanism(world_->place(other).component)] = 1;
    }
  const auto mechanism = [&](std::size_t k) { return world_->mechanism(static_cast<int>(k)); };
  for (std::size_t k = 0; k < driven_.size(); ++k)
    if (mechanism(k) >= 0 && driven_[k] != 0) moved[mechanism(k)] = 1;
  for (std::size_t k = 0; k < driven_.size(); ++k)
    if (mechanism(k) >= 0 && moved[mechanism(k)] != 0) driven_[k] = 1;
}

// A contact gives side a the impulse F lambda and side b the opposite. What a hand moves by d on
// its side, d with the sign of the side, thereby does the work -F lambda . d / dt on the other.
double EnergyAccount::work_of_contacts(const CommittedStep& part) const
{
  const ContactProblem& problem = *part.problem;
  double work = 0.0;
  for (int c = 0; c < problem.size(); ++c) {
    const Vector3d lambda = part.solution->lambda.segment<3>(3 * c);
    if (lambda.isZero(0.0)) continue;
    const ContactRecord& record = part.records[c];
    Vector3d scripted = Vector3d::Zero();  // m
    for (int k = 0; k < 4 && record.contact.key.vertices[k] >= 0; ++k) {
      const int vertex = record.contact.key.vertices[k];
      if (is_obstacle_vertex_[vertex] != 0)
        scripted += record.contact.weights[k] * (part.x1[vertex] - part.x0[vertex]);
    }
    work -= (record.frame * lambda).dot(scripted) / part.dt;
    const ContactRows& rows = problem.contacts[c];
    for (int k = rows.first; k < rows.first + rows.count; ++k) {
      const RowBlock& block = problem.blocks[k];
      if (driven_[component_of_node_[block.node]] != 0)
        work -= lambda.dot(block.J * part.end->v.segment<3>(3 * block.node));
    }
  }
  return work;
}

double EnergyAccount::work_of_forces(const CommittedStep& part) const
{
  const StepInput input{.dt = part.dt, .gravity = world_->gravity(), .wind = world_->wind()};
  double work = 0.0;
  for (int i = 0; i < world_->body_count(); ++i) {
    const int component = world_->place(i).component;
    if (component >= 0 && driven_[component] == 0)
      work += world_->body(i).given_work(input, world_->q(*part.start, i), world_->v(*part.end, i));
  }
  return work;
}

}  // namespace tact
