#include <tact/sim/world.hpp>

#include <algorithm>

namespace tact {

int World::find(std::string_view name) const
{
  const auto it = std::find_if(bodies_.begin(), bodies_.end(),
                               [name](const auto& body) { return body->name() == name; });
  return it == bodies_.end() ? -1 : static_cast<int>(it - bodies_.begin());
}

State World::start() const
{
  State state{.q = VectorXd::Zero(q_size_), .v = VectorXd::Zero(v_size())};
  for (int i = 0; i < body_count(); ++i)
    bodies_[i]->start(state.q.segment(places_[i].q, bodies_[i]->q_size()),
                      state.v.segment(3 * places_[i].node, bodies_[i]->v_size()));
  return state;
}

const ContactLaw& World::law(int body_a, int body_b) const
{
  const auto own = laws_.find({std::min(body_a, body_b), std::max(body_a, body_b)});
  return own == laws_.end() ? law_ : own->second;
}

Vector3d position(const World& world, const State& state, const Attachment& point)
{
  return position(world, state, point, state.t);
}

Vector3d position(const World& world, const State& state, const Attachment& point, double t)
{
  if (point.body < 0) return point.place;
  return world.body(point.body).position(t, world.q(state, point.body), point.point);
}

JointFrame frame_of(const World& world, const State& state, const JointEnd& end)
{
  if (end.body < 0) return end.local;
  const auto pose = world.body(end.body).pose(state.t, world.q(state, end.body));
  return {.at = *pose * end.local.at, .axes = pose->linear() * end.local.axes};
}

JointRows joint_rows(const World& world, const State& state, const Joint& joint)
{
  if (joint.rope) return {};  // all it has is an end of its range
  return joint_rows(joint.kind, frame_of(world, state, joint.a), frame_of(world, state, joint.b),
                    joint.length);
}

void place_surfaces(const World& world, const State& state, std::vector<Vector3d>& vertices)
{
  vertices.resize(world.vertex_count());
  for (int i = 0; i < world.body_count(); ++i) {
    const std::span<Vector3d> own(vertices.data() + world.place(i).vertex,
                                  world.body(i).vertex_count());
    world.body(i).place_surface(state.t, world.q(state, i), own);
  }
}

double kinetic_energy(const World& world, const State& state, int body)
{
  return world.body(body).kinetic_energy(world.q(state, body), world.v(state, body));
}

double potential_energy(const World& world, const State& state, int body)
{
  const Body& own = world.body(body);
  if (own.node_count() == 0) return 0.0;
  return own.elastic_energy(world.q(state, body)) -
         own.mass() * world.gravity().dot(own.centre_of_mass(world.q(state, body)));
}

double potential_energy(const World& world, const State& state, const Spring& spring)
{
  const Vector3d d = position(world, state, spring.a) - position(world, state, spring.b);
  const double stretch = d.norm() - spring.rest_length;
  return 0.5 * spring.stiffness * stretch * stretch;
}

double kinetic_energy(const World& world, const State& state)
{
  double sum = 0.0;
  for (int i = 0; i < world.body_count(); ++i) sum += kinetic_energy(world, state, i);
  return sum;
}

double potential_energy(const World& world, const State& state)
{
  double sum = 0.0;
  for (int i = 0; i < world.body_count(); ++i) sum += potential_energy(world, state, i);
  for (const Spring& spring : world.springs()) sum += potential_energy(world, state, spring);
  return sum;
}

Momentum momentum(const World& world, const State& state)
{
  Momentum sum;
  for (int i = 0; i < world.body_count(); ++i) {
    const Momentum own = world.body(i).momentum(world.q(state, i), world.v(state, i));
    sum.linear += own.linear;
    sum.angular += own.angular;
  }
  return sum;
}

}  // namespace tact
