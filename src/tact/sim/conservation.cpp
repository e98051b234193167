#include <tact/sim/conservation.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Geometry>

namespace tact {
namespace {

constexpr double rounding_of_momenta = 1e-14;  // of momenta: not worth a correction

bool is_outside(const World& world, const Attachment& end)
{
  return end.body < 0 || world.body(end.body).node_count() == 0;
}

}  // namespace

std::vector<char> free_components(const World& world)
{
  const auto outside = [&](const auto& link) {
    return is_outside(world, link.a) || is_outside(world, link.b);
  };
  std::vector<char> found;
  for (const Component& component : world.components()) {
    bool free = true;
    for (const int body : component.bodies) free = free && world.body(body).is_isolated();
    for (const int s : component.springs) free = free && !outside(world.springs()[s]);
    for (const int p : component.pins) free = free && !outside(world.soft_pins()[p]);
    found.push_back(free);
  }
  for (const PrescribedNode& node : world.prescribed()) found[node.component] = 0;
  for (const Joint& joint : world.joints()) {
    const auto component = [&](const JointEnd& end) {
      return end.body < 0 ? -1 : world.place(end.body).component;
    };
    const int a = component(joint.a), b = component(joint.b);
    if (a < 0 || b < 0) found[std::max(a, b)] = 0;
  }
  return found;
}

Conservation::Conservation(const World& world) : world_(&world), free_(free_components(world))
{
  for (int i = 0; i < world.body_count(); ++i) node_masses_.push_back(world.body(i).node_masses());
}

bool Conservation::is_free(int component) const
{
  const bool pulled = pulled_ >= 0 && world_->place(pulled_).component == component;
  return free_[component] != 0 && !pulled;
}

MatterSum Conservation::matter(std::span<const int> group, const State& places,
                               const State& moving) const
{
  const int first = world_->components()[group.front()].bodies.front();
  MatterSum sum(world_->body(first).centre_of_mass(world_->q(places, first)));
  for_each_body(group, [&](const Body& body, int i) {
    sum.add_body(body, world_->q(places, i), world_->v(moving, i), node_masses_[i]);
  });
  return sum;
}

std::vector<Conservation::Sums> Conservation::targets(const StepEnds& step,
                                                      const RowImpulses& rows) const
{
  const int count = static_cast<int>(world_->components().size());
  std::vector<Sums> sums(count);
  for (int k = 0; k < count; ++k) {
    if (!is_free(k)) continue;
    const MatterSum start = matter(std::span(&k, 1), *step.start, *step.start);
    const Vector3d fall = step.dt * start.mass() * world_->gravity();
    sums[k].about = start.centre();
    sums[k].linear = start.linear() + fall;
    sums[k].angular = start.angular(start.centre());
    sums[k].scale = start.linear().norm() + fall.norm();
    sums[k].length = std::sqrt(start.inertia().trace() / start.mass());
  }
  const auto push = [&](int body, const Vector3d& impulse, const Vector3d& point) {
    const int k = world_->place(body).component;
    if (k < 0 || !is_free(k)) return;
    sums[k].linear += impulse;
    sums[k].angular += (point - sums[k].about).cross(impulse);
    sums[k].scale += impulse.norm();
  };
  for (std::size_t c = 0; c < rows.records.size(); ++c) {
    const ContactRecord& record = rows.records[c];
    const Vector3d impulse =
        record.frame * rows.lambda->segment<3>(3 * static_cast<Eigen::Index>(c));
    push(record.body_a, impulse, record.point);
    push(record.body_b, -impulse, record.point);
  }
  return sums;
}

void Conservation::join(std::span<const BodyPair> touching)
{
  const int count = static_cast<int>(world_->components().size());
  sets_.reset(count + 1);  // the last: whatever is held
  for (int k = 0; k < count; ++k)
    if (!is_free(k)) sets_.merge(k, count);
  for (int k = 0; k < count; ++k)
    if (world_->mechanism(k) >= 0) sets_.merge(k, world_->mechanism(k));
  for (const auto& [body_a, body_b] : touching) {
    const int a = world_->place(body_a).component, b = world_->place(body_b).component;
    const bool a_held = a < 0 || !is_free(a), b_held = b < 0 || !is_free(b);
    sets_.merge(a_held ? count : a, b_held ? count : b);
  }
}

std::vector<std::vector<int>> Conservation::free_groups(Momenta momenta)
{
  const int count = static_cast<int>(world_->components().size());
  const int held = sets_.root(count);
  const auto set_of = [&](int k) {
    if (momenta == Momenta::together) return sets_.root(k);
    return world_->mechanism(k) >= 0 ? world_->mechanism(k) : k;
  };
  std::map<int, std::vector<int>> groups;
  for (int k = 0; k < count; ++k)
    if (sets_.root(k) != held) groups[set_of(k)].push_back(k);
  std::vector<std::vector<int>> found;
  for (auto& [root, group] : groups) found.push_back(std::move(group));
  return found;
}

void Conservation::keep_momentum(const StepEnds& step, const RowImpulses& rows, Momenta momenta)
{
  const std::vector<Sums> sums = targets(step, rows);
  join(step.touching);
  for (const std::vector<int>& group : free_groups(momenta)) correct(group, sums, *step.end);
}

void Conservation::correct(std::span<const int> group, std::span<const Sums> sums, State& end) const
{
  const Vector3d about = sums[group.front()].about;
  const MatterSum now = matter(group, end, end);
  Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
  double scale = 0.0, turning = 0.0;
  for (const int k : group) {
    const Vector3d arm = sums[k].about - about;
    linear += sums[k].linear;
    angular += sums[k].angular + arm.cross(sums[k].linear);
    scale += sums[k].scale;
    turning += sums[k].angular.norm() + sums[k].scale * (arm.norm() + sums[k].length);
  }
  const Vector3d missing = linear - now.linear();
  const Vector3d twist = angular - now.angular(about) - (now.centre() - about).cross(missing);
  if (missing.norm() <= rounding_of_momenta * scale &&
      twist.norm() <= rounding_of_momenta * turning)
    return;
  add_motion(group, now.motion(missing, twist), end);
}

void Conservation::add_motion(std::span<const int> group, const RigidMotion& motion,
                              State& state) const
{
  for_each_body(group, [&](const Body& body, int i) {
    body.add_rigid_motion(world_->q(state, i), motion, velocities(body, i, state));
  });
}

}  // namespace tact
