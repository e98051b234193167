#include <tact/sim/joints.hpp>

#include <algorithm>

namespace tact {
namespace {

constexpr double pin_stiffness = 1e6;  // h^2 k over the mass of the heavier end

// How the difference of two points moves: the sum of block[k] v[node[k]], plus a known velocity.
struct JointMap {
  int count = 0;
  std::array<int, 8> node{};  // in the component
  std::array<Matrix3d, 8> block{};
  Vector3d known = Vector3d::Zero();  // m/s

  void add(const PointMap& map, int first_node, double sign)
  {
    for (int k = 0; k < map.count; ++k, ++count) {
      node[count] = first_node + map.node[k];
      block[count] = sign * map.block[k];
    }
  }
};

class Joints {
 public:
  // A may be null where no joint is added to it.
  Joints(const World& world, const State& state, double dt, const Component& component,
         BlockMatrix* A, const Segment& b)
      : world_(world), state_(state), dt_(dt), component_(component), A_(A), b_(b)
  {
  }

  void add_impulse(const Spring& spring)
  {
    const Vector3d d = difference(spring.a, spring.b);
    const double length = d.norm();
    if (length == 0.0) return;  // no direction
    const Vector3d n = d / length;
    const JointMap joint = map(spring.a, spring.b);
    Vector3d apart = joint.known;  // m/s: how fast the ends part
    for (int i = 0; i < joint.count; ++i)
      apart += joint.block[i] * state_.v.segment<3>(3 * (component_.first_node + joint.node[i]));
    const double force =
        spring.stiffness * (length - spring.rest_length) + spring.damping * n.dot(apart);
    for (int i = 0; i < joint.count; ++i)
      b_.segment<3>(3 * joint.node[i]) -= dt_ * force * (joint.block[i].transpose() * n);
  }

  void add(const Spring& spring)
  {
    const Vector3d d = difference(spring.a, spring.b);
    const double length = d.norm();
    const Vector3d n = length > 0.0 ? Vector3d(d / length) : Vector3d::Zero();
    const double k = spring.stiffness;
    const double across = length > 0.0 ? std::max(0.0, 1.0 - spring.rest_length / length) : 1.0;
    const Matrix3d along = n * n.transpose();
    const Matrix3d S = (dt_ * spring.damping + dt_ * dt_ * k) * along +
                       dt_ * dt_ * k * across * (Matrix3d::Identity() - along);
    add(map(spring.a, spring.b), S, -dt_ * k * (length - spring.rest_length) * n);
  }

  void add(const Pin& pin)
  {
    const double mass = std::max(mass_of(pin.a), mass_of(pin.b));
    const double S = pin_stiffness * mass;
    add(map(pin.a, pin.b), S * Matrix3d::Identity(), -S / dt_ * difference(pin.a, pin.b));
  }

 private:
  Vector3d difference(const Attachment& a, const Attachment& b) const
  {
    return position(world_, state_, a) - position(world_, state_, b);
  }

  double mass_of(const Attachment& end) const
  {
    return end.body < 0 ? 0.0 : world_.body(end.body).mass();
  }

  JointMap map(const Attachment& a, const Attachment& b) const
  {
    JointMap joint;
    add_end(joint, a, 1.0);
    add_end(joint, b, -1.0);
    return joint;
  }

  void add_end(JointMap& joint, const Attachment& end, double sign) const
  {
    if (end.body < 0) return;
    const Body& body = world_.body(end.body);
    if (body.node_count() == 0)
      joint.known +=
          sign / dt_ *
          (position(world_, state_, end, state_.t + dt_) - position(world_, state_, end));
    else
      joint.add(body.map(world_.q(state_, end.body), end.point),
                world_.place(end.body).node - component_.first_node, sign);
  }

  // A += J' S J,  b += J' (impulse - S known). Joints of the world have all blocks they need in A;
  // that of someone's pull may lack the one between a rigid body's two nodes. What is more than it
  // then takes its place on the diagonal: 2 x'X y <= x'J_i'SJ_i x + y'J_j'SJ_j y. A body so pulled
  // is a little slower.
  void add(const JointMap& joint, const Matrix3d& S, const Vector3d& impulse)
  {
    const Vector3d rest = impulse - S * joint.known;
    for (int i = 0; i < joint.count; ++i) {
      const Matrix3d JS = joint.block[i].transpose() * S;
      b_.segment<3>(3 * joint.node[i]) += joint.block[i].transpose() * rest;
      for (int j = 0; j < joint.count; ++j) {
        const int slot = A_->pattern->slot(joint.node[i], joint.node[j]);
        if (slot >= 0)
          A_->blocks[slot] += JS * joint.block[j];
        else
          A_->blocks[A_->pattern->diagonal_slot(joint.node[i])] += JS * joint.block[i];
      }
    }
  }

  const World& world_;
  const State& state_;
  double dt_;
  const Component& component_;
  BlockMatrix* A_;
  Segment b_;
};

}  // namespace

void add_joints(const World& world, const State& state, double dt, const Component& component,
                BlockMatrix& A, const Segment& b)
{
  Joints joints(world, state, dt, component, &A, b);
  for (const int i : component.springs) joints.add(world.springs()[i]);
  for (const int i : component.pins) joints.add(world.soft_pins()[i]);
}

void add_spring(const World& world, const State& state, double dt, const Component& component,
                const Spring& spring, BlockMatrix& A, const Segment& b)
{
  Joints(world, state, dt, component, &A, b).add(spring);
}

void add_spring_impulse(const World& world, const State& state, double dt,
                        const Component& component, const Spring& spring, const Segment& b)
{
  Joints(world, state, dt, component, nullptr, b).add_impulse(spring);
}

void add_spring_impulses(const World& world, const State& state, double dt,
                         const Component& component, const Segment& b)
{
  Joints joints(world, state, dt, component, nullptr, b);
  for (const int i : component.springs) joints.add_impulse(world.springs()[i]);
}

}  // namespace tact
