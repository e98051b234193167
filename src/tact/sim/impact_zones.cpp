#include <tact/sim/impact_zones.hpp>

#include <map>

#include <Eigen/Dense>

#include <tact/bodies/rotation.hpp>
#include <tact/geometry/rigid_fit.hpp>
#include <tact/sim/matter_sum.hpp>

namespace tact {
namespace {

bool moves(const IndexRange& vertices, std::span<const Vector3d> x0, std::span<const Vector3d> x1)
{
  for (int i = vertices.first; i < vertices.last; ++i)
    if (x0[i] != x1[i]) return true;
  return false;
}

}  // namespace

ImpactZones::ImpactZones(const World& world, const WorldSurfaces& surfaces, const State& start,
                         const VectorXd& v, double dt)
    : world_(&world),
      surfaces_(&surfaces),
      start_(&start),
      v_(&v),
      dt_(dt),
      sets_(world.node_count() + world.body_count() + 1),
      is_zoned_(world.components().size(), 0),
      body_of_node_(world.node_count(), -1),
      mass_of_node_(world.node_count(), 0.0),
      is_prescribed_(world.node_count(), 0)
{
  for (int i = 0; i < world.body_count(); ++i) {
    const std::vector<double> masses = world.body(i).node_masses();
    for (int k = 0; k < world.body(i).node_count(); ++k) {
      body_of_node_[world.place(i).node + k] = i;
      mass_of_node_[world.place(i).node + k] = masses[k];
    }
  }
  for (const PrescribedNode& node : world.prescribed()) is_prescribed_[node.node] = 1;
}

template <class Visit>
void ImpactZones::for_each_unit(int vertex, const Visit& visit) const
{
  const int index = surfaces_->body_of[vertex];
  const Body& body = world_->body(index);
  const BodyPlace& place = world_->place(index);
  if (body.node_count() == 0) return visit(world_->node_count() + index);
  if (!body.deforms()) return visit(place.node);
  const PointMap map =
      body.map(world_->q(*start_, index), {.vertex = vertex - place.vertex, .local = {}});
  for (int k = 0; k < map.count; ++k) visit(place.node + map.node[k]);
}

bool ImpactZones::grow(std::span<const Limit> limits)
{
  bool grew = false;
  for (const Limit& limit : limits) {
    int first = -1;
    for (const int vertex : limit.vertices) {
      const int component = world_->place(surfaces_->body_of[vertex]).component;
      if (component >= 0) is_zoned_[component] = 1;
      for_each_unit(vertex, [&](int unit) {
        if (first < 0) first = unit;
        grew = sets_.merge(first, unit) || grew;
      });
    }
  }
  if (grew) join_mechanisms();
  return grew;
}

int ImpactZones::unit_of(const JointEnd& end) const
{
  if (end.body < 0) return world_->node_count() + world_->body_count();
  if (world_->body(end.body).node_count() == 0) return world_->node_count() + end.body;
  return world_->place(end.body).node;
}

void ImpactZones::join_mechanisms()
{
  std::vector<char> zoned(is_zoned_.size(), 0);  // one a mechanism
  const auto component = [&](const JointEnd& end) {
    return end.body < 0 ? -1 : world_->place(end.body).component;
  };
  for (std::size_t k = 0; k < is_zoned_.size(); ++k)
    if (const int mechanism = world_->mechanism(static_cast<int>(k));
        mechanism >= 0 && is_zoned_[k] != 0)
      zoned[mechanism] = 1;
  for (const Joint& joint : world_->joints())
    if (zoned[world_->mechanism(std::max(component(joint.a), component(joint.b)))] != 0)
      sets_.merge(unit_of(joint.a), unit_of(joint.b));
}

std::vector<ImpactZones::Zone> ImpactZones::zones(std::span<const Vector3d> x0,
                                                  std::span<const Vector3d> x1) const
{
  const int nodes = world_->node_count();
  std::map<int, Zone> by_root;
  const int of_world = nodes + world_->body_count();
  for (int unit = 0; unit <= of_world; ++unit) {
    Zone& zone = by_root[sets_.root(unit)];
    zone.units.push_back(unit);
    if (unit == of_world) {
      zone.held = true;
    } else if (unit < nodes) {
      if (is_prescribed_[unit]) zone.pinned = unit;
    } else if (zone.obstacle < 0 ||
               moves(surfaces_->set.surfaces()[unit - nodes].vertices, x0, x1)) {
      zone.obstacle = unit - nodes;
    }
  }
  std::vector<Zone> found;
  for (auto& [root, zone] : by_root)
    if (zone.units.size() > 1) found.push_back(std::move(zone));
  return found;
}

Vector3d ImpactZones::place_of(int node) const
{
  const int index = body_of_node_[node];
  const auto q = world_->q(*start_, index);
  if (!world_->body(index).deforms()) return world_->body(index).centre_of_mass(q);
  return q.segment<3>(3 * (node - world_->place(index).node));
}

ImpactZones::Displacement ImpactZones::of_members(const Zone& zone) const
{
  MatterSum sum(place_of(zone.units.front()));
  for (const int node : zone.units) {
    const int index = body_of_node_[node];
    const Body& body = world_->body(index);
    if (body.deforms())
      sum.add_point(mass_of_node_[node], place_of(node), v_->segment<3>(3 * node));
    else
      sum.add_body(body, world_->q(*start_, index), v_->segment(3 * node, body.v_size()), {});
  }
  const RigidMotion motion = sum.motion();
  return {.R = exp_rotation(dt_ * motion.angular).toRotationMatrix(),
          .from = motion.about,
          .to = motion.about + dt_ * motion.linear,
          .omega = motion.angular};
}

ImpactZones::Displacement ImpactZones::of_obstacle(int body, std::span<const Vector3d> x0,
                                                   std::span<const Vector3d> x1) const
{
  const IndexRange range = surfaces_->set.surfaces()[body].vertices;
  if (!moves(range, x0, x1)) return {};
  Displacement moved;
  moved.from = centroid(x0.subspan(range.first, range.size()));
  moved.to = centroid(x1.subspan(range.first, range.size()));
  Matrix3d S = Matrix3d::Zero();
  for (int i = range.first; i < range.last; ++i)
    S += (x0[i] - moved.from) * (x1[i] - moved.to).transpose();
  moved.R = best_rotation(S).toRotationMatrix();
  const Eigen::AngleAxisd turn(moved.R);
  moved.omega = turn.angle() * turn.axis() / dt_;
  return moved;
}

VectorXd ImpactZones::velocity(std::span<const Vector3d> x0, std::span<const Vector3d> x1) const
{
  VectorXd v = *v_;
  for (const Zone& zone : zones(x0, x1)) {
    Displacement moved;
    if (zone.obstacle >= 0)
      moved = of_obstacle(zone.obstacle, x0, x1);
    else if (zone.pinned >= 0)
      moved.to = dt_ * v_->segment<3>(3 * zone.pinned);
    else if (!zone.held)
      moved = of_members(zone);
    for (const int node : zone.units) {
      if (node >= world_->node_count() || is_prescribed_[node]) continue;
      const Vector3d x = place_of(node);
      v.segment<3>(3 * node) = (moved.R * (x - moved.from) + moved.to - x) / dt_;
      if (!world_->body(body_of_node_[node]).deforms()) v.segment<3>(3 * node + 3) = moved.omega;
    }
  }
  return v;
}

}  // namespace tact
