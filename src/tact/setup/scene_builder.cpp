#include <tact/setup/scene_builder.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/geometry/surface_intersection.hpp>
#include <tact/sim/contact_distance.hpp>

namespace tact {
namespace {

// Complaints of what is built get the place in the scene that asked for it.
template <class Action>
auto at_place(const Place& place, Action action)
{
  try {
    return action();
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}: {}", place.file, place.pointer, error.what()));
  }
}

struct MakeBody {
  const std::string& name;

  std::unique_ptr<Body> operator()(RigidOptions& o) { return make_rigid_body(name, std::move(o)); }
  std::unique_ptr<Body> operator()(ClothOptions& o) { return make_cloth_body(name, std::move(o)); }
  std::unique_ptr<Body> operator()(SoftOptions& o) { return make_soft_body(name, std::move(o)); }
  std::unique_ptr<Body> operator()(ObstacleOptions& o) { return make_obstacle(name, std::move(o)); }
};

bool is_obstacle(const BodyDescription& body)
{
  return std::holds_alternative<ObstacleOptions>(body.options);
}

void require_area(const std::vector<BodyDescription>& bodies, const IntersectionReport& report)
{
  if (report.without_area.empty()) return;
  const auto [surface, triangle] = report.without_area.front();
  bodies[surface].place.reject(
      fmt::format("triangle {} of \"{}\" without area", triangle, bodies[surface].name),
      "triangles that have one");
}

bool may_overlap(const std::vector<JointDescription>& joints, int a, int b)
{
  return std::ranges::any_of(joints, [&](const JointDescription& given) {
    const Joint& joint = given.joint;
    return !joint.collide &&
           ((joint.a.body == a && joint.b.body == b) || (joint.a.body == b && joint.b.body == a));
  });
}

// Obstacles may overlap each other: they never meet. Nor do bodies that are joined, as a rule.
void require_clear_start(const std::vector<BodyDescription>& bodies,
                         const std::vector<JointDescription>& joints)
{
  std::vector<TriMesh> surfaces;
  for (const BodyDescription& body : bodies) surfaces.push_back(start_surface(body.options));
  const IntersectionReport report = intersecting_pairs(surfaces);
  require_area(bodies, report);
  int count = 0;
  const IntersectingPair* first = nullptr;
  for (const IntersectingPair& pair : report.pairs) {
    const BodyDescription &a = bodies[pair.a.surface], &b = bodies[pair.b.surface];
    if (&a != &b && is_obstacle(a) && is_obstacle(b)) continue;
    if (may_overlap(joints, pair.a.surface, pair.b.surface)) continue;
    if (count++ == 0) first = &pair;
  }
  if (!first) return;
  const BodyDescription &a = bodies[first->a.surface], &b = bodies[first->b.surface];
  const std::string who = &a == &b ? fmt::format("\"{}\" intersecting itself", a.name)
                                   : fmt::format("\"{}\" intersecting \"{}\"", b.name, a.name);
  b.place.reject(fmt::format("{} at the start ({} pairs of triangles, the first {} and {})", who,
                             count, first->b.triangle, first->a.triangle),
                 "bodies apart from each other");
}

// The scene's own law for all pairs, and laws of their own for those that differ.
void set_laws(const FrictionSettings& friction, int body_count, WorldBuilder& builder)
{
  builder.law = {.mu = friction.mu, .restitution = friction.restitution};
  if (friction.pairs.empty() && friction.body_mu.empty()) return;
  for (int a = 0; a < body_count; ++a)
    for (int b = a; b < body_count; ++b) {
      const PairFriction pair = friction.of(a, b);
      if (pair.mu != friction.mu || pair.restitution != friction.restitution)
        builder.set_law(a, b, {.mu = pair.mu, .restitution = pair.restitution});
    }
}

}  // namespace

Scene build_scene(SceneDescription description)
{
  require_clear_start(description.bodies, description.joints);
  WorldBuilder builder;
  builder.gravity = description.gravity;
  builder.wind = description.wind;
  for (BodyDescription& body : description.bodies)
    at_place(body.place,
             [&] { return builder.add(std::visit(MakeBody{body.name}, body.options)); });
  for (const SpringDescription& given : description.springs)
    at_place(given.place, [&] { builder.add(given.spring); });
  for (const PinDescription& given : description.pins)
    at_place(given.place, [&] { builder.add(given.pin); });
  for (const JointDescription& given : description.joints)
    at_place(given.place, [&] { builder.add(given.joint); });
  set_laws(description.friction, static_cast<int>(description.bodies.size()), builder);
  World world = builder.build();
  if (description.run.contact.delta == 0.0)
    description.run.contact.delta = choose_contact_distance(world);
  State state = world.start();
  return {std::move(description.name),
          std::move(world),
          std::move(state),
          std::move(description.run),
          std::move(description.friction),
          std::move(description.resolved)};
}

SceneSize size_of(const SceneDescription& scene)
{
  SceneSize size;
  for (const BodyDescription& body : scene.bodies) {
    const TriMesh surface = start_surface(body.options);
    ++size.bodies;
    size.vertices += surface.vertex_count();
    size.triangles += surface.triangle_count();
    if (const auto* soft = std::get_if<SoftOptions>(&body.options)) {
      size.tetrahedra += soft->mesh.tetrahedron_count();
      size.freedoms += 3 * soft->mesh.vertex_count();
    } else if (std::holds_alternative<ClothOptions>(body.options)) {
      size.freedoms += 3 * surface.vertex_count();
    } else if (std::holds_alternative<RigidOptions>(body.options)) {
      size.freedoms += 6;
    }
  }
  return size;
}

}  // namespace tact
