#include <tact/sim/motion_cut.hpp>

namespace tact {
namespace {

constexpr double least_share = 0.02;  // below this a node is halted

}  // namespace

MotionCut::MotionCut(const World& world, const WorldSurfaces& surfaces, const VectorXd& v)
    : world_(&world),
      surfaces_(&surfaces),
      start_(world.start()),
      full_(v),
      safe_(VectorXd::Zero(v.size())),
      share_(world.node_count(), 1.0),
      is_prescribed_(world.node_count(), 0),
      follows_(world.node_count(), 0),
      halted_(world.node_count(), 0)
{
  for (const PrescribedNode& node : world.prescribed()) is_prescribed_[node.node] = 1;
}

// Which nodes move a vertex does not change, though how they do may.
template <class Visit>
void MotionCut::for_each_node(int vertex, const Visit& visit) const
{
  const int body = surfaces_->body_of[vertex];
  if (world_->body(body).node_count() == 0) return;
  const BodyPlace& place = world_->place(body);
  const PointMap map = world_->body(body).map(world_->q(start_, body),
                                              {.vertex = vertex - place.vertex, .local = {}});
  for (int k = 0; k < map.count; ++k)
    if (!is_prescribed_[place.node + map.node[k]]) visit(place.node + map.node[k]);
}

bool MotionCut::halve(int node)
{
  if (share_[node] == 0.0) return false;
  share_[node] *= 0.5;
  if (share_[node] < least_share) share_[node] = 0.0;
  return true;
}

bool MotionCut::slow_down(std::span<const Limit> limits, std::span<const Vector3d> x0,
                          std::span<const Vector3d> x1, double dt)
{
  // A node that several limits touch is slowed down once a round.
  std::vector<char> touched(share_.size(), 0);
  for (const Limit& limit : limits)
    for (const int vertex : limit.vertices)
      for_each_node(vertex, [&](int node) { touched[node] = 1; });
  bool any = false;
  for (std::size_t node = 0; node < touched.size(); ++node)
    if (touched[node]) any |= halve(static_cast<int>(node));
  if (any) return true;
  for (const Limit& limit : limits) any |= follow(limit, x0, x1, dt);
  if (any) return true;
  for (const Limit& limit : limits) any |= halt_bodies(limit);
  return any;
}

// Halted nodes that an obstacle runs into go along with it.
bool MotionCut::follow(const Limit& limit, std::span<const Vector3d> x0,
                       std::span<const Vector3d> x1, double dt)
{
  Vector3d velocity = Vector3d::Zero();
  bool driven = false;
  for (const int vertex : limit.vertices) {
    if (world_->body(surfaces_->body_of[vertex]).node_count() > 0 || x0[vertex] == x1[vertex])
      continue;
    velocity = (x1[vertex] - x0[vertex]) / dt;
    driven = true;
  }
  bool any = false;
  if (!driven) return false;
  for (const int vertex : limit.vertices) {
    const int body = surfaces_->body_of[vertex];
    if (world_->body(body).node_count() == 0) continue;
    // A rigid body follows with its linear velocity; its angular one, the second node, stays 0.
    const bool rigid = world_->body(body).kind() == BodyKind::rigid;
    for_each_node(vertex, [&](int node) {
      if (follows_[node] || halted_[node] || (rigid && node != world_->place(body).node)) return;
      safe_.segment<3>(3 * node) = velocity;
      follows_[node] = 1;
      any = true;
    });
  }
  return any;
}

// The last resort: everything that belongs to the bodies of a limit stands still.
bool MotionCut::halt_bodies(const Limit& limit)
{
  bool any = false;
  for (const int vertex : limit.vertices) {
    const int body = surfaces_->body_of[vertex];
    const int first = world_->place(body).node;
    for (int node = first; node < first + world_->body(body).node_count(); ++node) {
      if (is_prescribed_[node] || halted_[node]) continue;
      any = any || share_[node] > 0.0 || follows_[node];
      halted_[node] = 1;
      share_[node] = 0.0;
      safe_.segment<3>(3 * node).setZero();
    }
  }
  return any;
}

VectorXd MotionCut::velocity() const
{
  VectorXd v = full_;
  for (std::size_t i = 0; i < share_.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(3 * i);
    if (share_[i] < 1.0)
      v.segment<3>(k) =
          safe_.segment<3>(k) + share_[i] * (full_.segment<3>(k) - safe_.segment<3>(k));
  }
  return v;
}

}  // namespace tact
