#include <tact/sim/corner_rows.hpp>

#include <algorithm>

namespace tact {
namespace {

// How much farther than expected a vertex may get, as a factor.
constexpr double beyond_expectation = 1.5;

TriMesh surface_at_start(const World& world, int index)
{
  const Body& body = world.body(index);
  const State start = world.start();
  TriMesh mesh;
  mesh.positions.resize(body.vertex_count());
  mesh.triangles.assign(body.triangles().begin(), body.triangles().end());
  body.place_surface(start.t, world.q(start, index), mesh.positions);
  return mesh;
}

// The contact of a vertex with the plane of a face. Its foot there may lie outside of the triangle,
// so that weights of either sign come up.
KeyedContact contact_with(int vertex, const CornerSide& side, const Triangle& corners,
                          int first_vertex)
{
  std::array<std::pair<int, double>, 3> foot;
  for (int k = 0; k < 3; ++k) foot[k] = {first_vertex + corners[k], -side.weights[k]};
  std::sort(foot.begin(), foot.end());
  KeyedContact contact;
  contact.key = {.vertices = {vertex, foot[0].first, foot[1].first, foot[2].first},
                 .first_side = 1};
  contact.weights = {1.0, foot[0].second, foot[1].second, foot[2].second};
  contact.normal = side.normal;
  contact.distance = side.gap;
  return contact;
}

}  // namespace

CornerRows::CornerRows(const World& world, const WorldSurfaces& surfaces)
    : surfaces_(&surfaces), polytopes_(world.body_count())
{
  for (int i = 0; i < world.body_count(); ++i) {
    const BodyKind kind = world.body(i).kind();
    if (kind != BodyKind::rigid && kind != BodyKind::obstacle) continue;
    polytopes_[i] = Polytope{.faces = FlatFaces(surface_at_start(world, i)),
                             .vertices = surfaces.set.surfaces()[i].vertices};
  }
}

void CornerRows::begin(std::span<const Vector3d> x0, std::span<const Vector3d> x1, double delta)
{
  x0_ = x0;
  x1_ = x1;
  delta_ = delta;
  known_.clear();
}

// Of two vertices near each other, each is before a corner of the other's body.
CornerRows::Answer CornerRows::append(const KeyedContact& contact, const Target& target)
{
  if (contact.key.first_side != 1) return Answer::no_corner;
  const auto vertices = std::span(contact.key.vertices);
  const int others = static_cast<int>(
      std::count_if(vertices.begin() + 1, vertices.end(), [](int vertex) { return vertex >= 0; }));
  const Answer answer = append_against(vertices[0], vertices.subspan(1, others), target);
  if (others > 1) return answer;
  return std::max(answer, append_against(vertices[1], vertices.first(1), target));
}

bool CornerRows::between(int body_a, int body_b) const
{
  return std::any_of(known_.begin(), known_.end(), [&](const std::pair<int, int>& known) {
    const int owner = surfaces_->body_of[known.first];
    return (owner == body_a && known.second == body_b) ||
           (owner == body_b && known.second == body_a);
  });
}

CornerRows::Answer CornerRows::append_against(int vertex, std::span<const int> feature,
                                              const Target& target)
{
  const int index = surfaces_->body_of[feature.front()];
  if (!polytopes_[index] || surfaces_->body_of[vertex] == index) return Answer::no_corner;
  if (known_.contains({vertex, index})) return Answer::known;
  const Polytope& body = *polytopes_[index];
  std::array<int, 3> local{};
  std::transform(feature.begin(), feature.end(), local.begin(),
                 [&](int v) { return v - body.vertices.first; });
  const int face = body.faces.face_with(std::span(local).first(feature.size()));
  if (face < 0) return Answer::no_corner;
  const std::vector<Group> groups =
      groups_at(vertex, body, face, beyond_expectation * way_past(vertex, feature.front()));
  const auto is_plane = [](const Group& group) { return group.size() == 1; };
  if (std::all_of(groups.begin(), groups.end(), is_plane)) return Answer::no_corner;
  for (const Group& group : groups) append_group(group, target);
  known_.insert({vertex, index});
  return Answer::added;
}

// How far a vertex gets in this step as seen from another, m.
double CornerRows::way_past(int vertex, int other) const
{
  return ((x1_[vertex] - x0_[vertex]) - (x1_[other] - x0_[other])).norm();
}

std::vector<CornerRows::Group> CornerRows::groups_at(int vertex, const Polytope& body, int face,
                                                     double way) const
{
  const auto positions = x0_.subspan(body.vertices.first, body.vertices.size());
  std::vector<Group> groups;
  for (const Corner& corner :
       corners_around(body.faces, positions, face, x0_[vertex], {.reach = way + 2.0 * delta_}))
    groups.push_back(group_of(vertex, body, corner, way));
  return groups;
}

CornerRows::Group CornerRows::group_of(int vertex, const Polytope& body, const Corner& corner,
                                       double way) const
{
  double widest = corner.sides.front().gap;
  for (const CornerSide& side : corner.sides) widest = std::max(widest, side.gap);
  Group group;
  for (const CornerSide& side : corner.sides) {
    const bool may_push = side.gap == widest || side.gap >= pushing_from * delta_;
    if (!may_push && side.gap + way < delta_) continue;
    const Triangle& corners = body.faces.triangles()[side.triangle];
    group.push_back({contact_with(vertex, side, corners, body.vertices.first), may_push});
  }
  std::stable_sort(group.begin(), group.end(), [&](const SideRow& a, const SideRow& b) {
    if (a.may_push != b.may_push) return a.may_push;
    return a.contact.distance == widest && b.contact.distance != widest;
  });
  return group;
}

void CornerRows::append_group(const Group& group, const Target& target) const
{
  std::vector<int> contacts;
  int pushing = 0;
  for (const SideRow& side : group) {
    const auto rule = side.may_push ? ContactRowBuilder::GapRule::parted_slowly
                                    : ContactRowBuilder::GapRule::as_it_is;
    if (!target.builder.append(side.contact, target.problem, target.records, rule)) return;
    contacts.push_back(target.problem.size() - 1);
    if (side.may_push) ++pushing;
  }
  if (contacts.size() > 1) target.problem.groups.add(contacts, pushing);
}

}  // namespace tact
