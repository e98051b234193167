#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/core/union_find.hpp>
#include <tact/sim/world.hpp>

namespace tact {
namespace {

constexpr double pin_tolerance = 1e-6;    // m
constexpr double joint_tolerance = 1e-6;  // m, rad

using Couples = std::vector<std::array<int, 2>>;

bool can_move(const std::vector<std::unique_ptr<Body>>& bodies, const Attachment& end)
{
  return end.body >= 0 && bodies[end.body]->node_count() > 0;
}

void check_end(const std::vector<std::unique_ptr<Body>>& bodies, const Attachment& end,
               const char* who)
{
  if (end.body < 0) {
    if (!end.place.allFinite()) throw Error(fmt::format("{}: the place is not finite", who));
    return;
  }
  const int count = static_cast<int>(bodies.size());
  if (end.body >= count)
    throw Error(fmt::format("{}: found body {}, expected one below {}", who, end.body, count));
  const Body& body = *bodies[end.body];
  if (end.point.vertex >= body.vertex_count())
    throw Error(fmt::format("{}: found vertex {} of \"{}\", expected one below {}", who,
                            end.point.vertex, body.name(), body.vertex_count()));
  const bool has_axes = body.kind() == BodyKind::rigid || body.kind() == BodyKind::obstacle;
  if (end.point.vertex < 0 && !has_axes)
    throw Error(fmt::format("{}: \"{}\" is {} and has no axes of its own; name one of its vertices",
                            who, body.name(), name_of(body.kind())));
}

void check_ends(const std::vector<std::unique_ptr<Body>>& bodies, const Attachment& a,
                const Attachment& b, const char* who)
{
  check_end(bodies, a, who);
  check_end(bodies, b, who);
  if (!can_move(bodies, a) && !can_move(bodies, b))
    throw Error(fmt::format("{}: neither end can move", who));
  if (a.body == b.body && a.point.vertex == b.point.vertex && a.point.local == b.point.local)
    throw Error(fmt::format("{}: both ends are the same point", who));
}

void check_joint_end(const std::vector<std::unique_ptr<Body>>& bodies, const JointEnd& end,
                     const std::string& who)
{
  const int count = static_cast<int>(bodies.size());
  if (end.body >= count)
    throw Error(fmt::format("{}: found body {}, expected one below {}", who, end.body, count));
  if (end.body >= 0 && bodies[end.body]->deforms())
    throw Error(
        fmt::format("{}: \"{}\" deforms, expected a rigid body, an obstacle or the world; "
                    "pins hold what deforms",
                    who, bodies[end.body]->name()));
  const Matrix3d& axes = end.local.axes;
  const bool right = end.local.at.allFinite() && axes.allFinite() && axes.determinant() > 0.0 &&
                     (axes.transpose() * axes - Matrix3d::Identity()).norm() < 1e-9;
  if (!right) throw Error(who + ": its axes are not at right angles and of unit length");
}

void check_motor(const Motor& motor, const std::string& who)
{
  const std::vector<Course::Key>& keys = motor.target.keys;
  const bool ascends =
      std::ranges::is_sorted(keys, [](const auto& a, const auto& b) { return a.t <= b.t; });
  const bool finite = std::ranges::all_of(
      keys, [](const auto& key) { return std::isfinite(key.t) && std::isfinite(key.value); });
  if (motor.kind != MotorKind::none && (keys.empty() || !finite || !ascends))
    throw Error(who + ": the target of its motor has no finite values over times that ascend");
  if (!(motor.most > 0.0))
    throw Error(
        fmt::format("{}: its motor has a largest force of {}, expected one > 0", who, motor.most));
}

// A rope has an end of its range; what else acts needs a motion that the joint leaves.
void check_motion(Joint& joint, const std::string& who)
{
  JointMotion& motion = joint.motion;
  if (joint.rope && joint.kind != JointKind::distance)
    throw Error(who + ": is a rope, expected a distance");
  if (joint.rope) motion.high = 0.0;
  const bool acts = motion.acts() && !joint.rope;
  if (acts && !has_motion(joint.kind))
    throw Error(
        fmt::format("{}: a {} has no motion to limit or to drive; hinges, sliders and "
                    "cylinders have",
                    who, name_of(joint.kind)));
  if (!(motion.low < motion.high) || motion.low > 0.0 || motion.high < 0.0)
    throw Error(
        fmt::format("{}: its range is {} to {}, expected one that holds 0, where it is at "
                    "the start",
                    who, motion.low, motion.high));
  if (!std::isfinite(motion.friction) || motion.friction < 0.0)
    throw Error(
        fmt::format("{}: its friction is {}, expected a number >= 0", who, motion.friction));
  check_motor(motion.motor, who);
}

// Bodies that are joined, as components in the order of their first body.
std::vector<std::vector<int>> joined_bodies(const std::vector<std::unique_ptr<Body>>& bodies,
                                            const std::vector<Spring>& springs,
                                            const std::vector<Pin>& pins)
{
  const int count = static_cast<int>(bodies.size());
  UnionFind sets(count);
  const auto join = [&](const Attachment& a, const Attachment& b) {
    if (can_move(bodies, a) && can_move(bodies, b)) sets.merge(a.body, b.body);
  };
  for (const Spring& spring : springs) join(spring.a, spring.b);
  for (const Pin& pin : pins) join(pin.a, pin.b);

  std::vector<std::vector<int>> groups;
  std::vector<int> group_of(count, -1);
  for (int i = 0; i < count; ++i) {
    if (bodies[i]->node_count() == 0) continue;
    int& group = group_of[sets.root(i)];
    if (group < 0) {
      group = static_cast<int>(groups.size());
      groups.emplace_back();
    }
    groups[group].push_back(i);
  }
  return groups;
}

void check_law(const ContactLaw& law)
{
  if (!std::isfinite(law.mu) || law.mu < 0.0)
    throw Error(fmt::format("contact law: mu is {}, expected a number >= 0", law.mu));
  if (!(law.restitution >= 0.0 && law.restitution <= 1.0))
    throw Error(fmt::format("contact law: restitution is {}, expected a number from 0 to 1",
                            law.restitution));
}

}  // namespace

int WorldBuilder::add(std::unique_ptr<Body> body)
{
  const auto same = [&](const auto& other) { return other->name() == body->name(); };
  if (std::any_of(bodies_.begin(), bodies_.end(), same))
    throw Error(fmt::format("world: two bodies are called \"{}\"", body->name()));
  bodies_.push_back(std::move(body));
  return static_cast<int>(bodies_.size()) - 1;
}

void WorldBuilder::add(const Spring& spring)
{
  check_ends(bodies_, spring.a, spring.b, "spring");
  const auto check = [](double value, const char* what) {
    if (!std::isfinite(value) || value < 0.0)
      throw Error(fmt::format("spring: {} is {}, expected a number >= 0", what, value));
  };
  check(spring.stiffness, "stiffness");
  check(spring.damping, "damping");
  check(spring.rest_length, "rest length");
  springs_.push_back(spring);
}

void WorldBuilder::add(const Pin& pin)
{
  check_ends(bodies_, pin.a, pin.b, "pin");
  pins_.push_back(can_move(bodies_, pin.a) ? pin : Pin{pin.b, pin.a});
}

void WorldBuilder::add(Joint joint)
{
  const std::string who = fmt::format("joint \"{}\"", joint.name);
  const auto same = [&](const Joint& other) { return other.name == joint.name; };
  if (std::any_of(joints_.begin(), joints_.end(), same))
    throw Error(fmt::format("world: two joints are called \"{}\"", joint.name));
  bool moves = false;
  for (const JointEnd* end : {&joint.a, &joint.b}) {
    check_joint_end(bodies_, *end, who);
    moves = moves || can_move(bodies_, {.body = end->body});
  }
  check_motion(joint, who);
  if (!moves) throw Error(who + ": neither side can move");
  if (joint.a.body == joint.b.body) throw Error(who + ": both sides are the same body");
  if (!std::isfinite(joint.length) || joint.length < 0.0)
    throw Error(fmt::format("{}: its length is {} m, expected a number >= 0", who, joint.length));
  joints_.push_back(std::move(joint));
}

void WorldBuilder::set_law(int body_a, int body_b, const ContactLaw& pair_law)
{
  const int count = static_cast<int>(bodies_.size());
  for (const int body : {body_a, body_b})
    if (body < 0 || body >= count)
      throw Error(fmt::format("contact law: found body {}, expected one below {}", body, count));
  check_law(pair_law);
  laws_[{std::min(body_a, body_b), std::max(body_a, body_b)}] = pair_law;
}

World WorldBuilder::build()
{
  check_law(law);
  World world;
  world.law_ = law;
  world.laws_ = std::exchange(laws_, {});
  world.gravity_ = gravity;
  world.wind_ = wind;
  world.bodies_ = std::exchange(bodies_, {});
  world.springs_ = std::exchange(springs_, {});
  const std::vector<Pin> pins = std::exchange(pins_, {});
  world.lay_out();
  world.number_nodes(joined_bodies(world.bodies_, world.springs_, pins));
  world.sort_pins(pins);
  world.find_patterns();
  world.joints_ = std::exchange(joints_, {});
  world.number_mechanisms();
  world.check_joints();
  return world;
}

void World::lay_out()
{
  places_.resize(bodies_.size());
  for (int i = 0; i < body_count(); ++i) {
    places_[i].q = q_size_;
    places_[i].vertex = vertex_count_;
    q_size_ += bodies_[i]->q_size();
    vertex_count_ += bodies_[i]->vertex_count();
  }
}

void World::number_nodes(std::vector<std::vector<int>> groups)
{
  for (std::vector<int>& group : groups) {
    Component component;
    component.first_node = node_count_;
    component.bodies = std::move(group);
    for (const int i : component.bodies) {
      places_[i].component = static_cast<int>(components_.size());
      places_[i].node = node_count_;
      node_count_ += bodies_[i]->node_count();
    }
    components_.push_back(std::move(component));
  }
}

void World::sort_pins(const std::vector<Pin>& pins)
{
  const State at_start = start();
  for (const Pin& pin : pins) {
    const double apart =
        (position(*this, at_start, pin.a) - position(*this, at_start, pin.b)).norm();
    if (!(apart <= pin_tolerance))
      throw Error(
          fmt::format("pin: its ends are {:.3g} m apart at the start, expected at most {:g} "
                      "m; a spring joins points at a distance",
                      apart, pin_tolerance));
    const BodyPlace& place = places_[pin.a.body];
    const PointMap map = body(pin.a.body).map(q(at_start, pin.a.body), pin.a.point);
    const bool one_node = map.count == 1 && map.block[0].isIdentity(0.0);
    if (one_node && !can_move(bodies_, pin.b))
      prescribed_.push_back({place.node + map.node[0], place.component, pin});
    else
      soft_pins_.push_back(pin);
  }
}

void World::number_mechanisms()
{
  const int count = static_cast<int>(components_.size());
  UnionFind sets(count);
  std::vector<char> joined(count, 0);
  for (const Joint& joint : joints_) {
    const auto component = [&](const JointEnd& end) {
      return end.body < 0 ? -1 : places_[end.body].component;
    };
    const int a = component(joint.a), b = component(joint.b);
    for (const int k : {a, b})
      if (k >= 0) joined[k] = 1;
    if (a >= 0 && b >= 0) sets.merge(a, b);
  }
  std::vector<char> driven(count, 0);  // by root
  for (const Joint& joint : joints_)
    for (const JointEnd* end : {&joint.a, &joint.b})
      if (joint.motion.motor.kind != MotorKind::none && end->body >= 0 &&
          places_[end->body].component >= 0)
        driven[sets.root(places_[end->body].component)] = 1;
  motored_.assign(count, 0);
  for (int k = 0; k < count; ++k) motored_[k] = driven[sets.root(k)];
  mechanisms_.assign(count, -1);
  for (int k = 0; k < count; ++k) {
    if (joined[k] == 0) continue;
    mechanisms_[k] = sets.root(k);
    // What springs or pins hold, too, has equations of more than its own.
    const Component& own = components_[k];
    if (own.bodies.size() == 1 && own.springs.empty() && own.pins.empty())
      bodies_[own.bodies.front()]->join();
  }
}

void World::check_joints()
{
  const State at_start = start();
  for (Joint& joint : joints_) {
    if (joint.kind == JointKind::distance) {
      const double found =
          (frame_of(*this, at_start, joint.a).at - frame_of(*this, at_start, joint.b).at).norm();
      if (joint.length == 0.0) joint.length = found;
      if (joint.length < joint_tolerance)
        throw Error(
            fmt::format("joint \"{}\": its ends are {:.3g} m apart, expected a distance > "
                        "{:g} m; a ball holds points at one place",
                        joint.name, joint.length, joint_tolerance));
    }
    if (joint.rope) {
      const double taut = motion_row(joint.kind, frame_of(*this, at_start, joint.a),
                                     frame_of(*this, at_start, joint.b), joint.length)
                              .value;
      if (taut > joint_tolerance)
        throw Error(
            fmt::format("joint \"{}\": its ends are {:.3g} m further apart at the start "
                        "than the rope is long",
                        joint.name, taut));
      continue;
    }
    const JointError error =
        joint_error(joint_rows(joint.kind, frame_of(*this, at_start, joint.a),
                               frame_of(*this, at_start, joint.b), joint.length));
    if (!(error.worst() <= joint_tolerance))
      throw Error(
          fmt::format("joint \"{}\": its ends are {:.3g} m and {:.3g} rad from each other "
                      "at the start, expected at most {:g}",
                      joint.name, error.length, error.angle, joint_tolerance));
  }
}

void World::find_patterns()
{
  const State at_start = start();
  std::vector<Couples> couples(components_.size());
  for (int c = 0; c < static_cast<int>(components_.size()); ++c)
    for (const int i : components_[c].bodies)
      body(i).add_couples(places_[i].node - components_[c].first_node, couples[c]);

  // Every node that moves one end of a joint meets every node that moves either.
  const auto join = [&](const Attachment& a, const Attachment& b) {
    const int component = places_[(can_move(bodies_, a) ? a : b).body].component;
    std::vector<int> nodes;
    for (const Attachment* end : {&a, &b}) {
      if (!can_move(bodies_, *end)) continue;
      const PointMap map = body(end->body).map(q(at_start, end->body), end->point);
      const int first = places_[end->body].node - components_[component].first_node;
      for (int k = 0; k < map.count; ++k) nodes.push_back(first + map.node[k]);
    }
    for (const int i : nodes)
      for (const int j : nodes) couples[component].push_back({i, j});
    return component;
  };
  for (int i = 0; i < static_cast<int>(springs_.size()); ++i)
    components_[join(springs_[i].a, springs_[i].b)].springs.push_back(i);
  for (int i = 0; i < static_cast<int>(soft_pins_.size()); ++i)
    components_[join(soft_pins_[i].a, soft_pins_[i].b)].pins.push_back(i);

  for (int c = 0; c < static_cast<int>(components_.size()); ++c) {
    Component& component = components_[c];
    int rows = 0;
    for (const int i : component.bodies) rows += body(i).node_count();
    component.pattern = std::make_shared<const BlockPattern>(rows, couples[c]);
    for (const int i : component.bodies)
      bodies_[i]->bind(*component.pattern, places_[i].node - component.first_node);
  }
}

}  // namespace tact
