// Springs, pins and friction between the bodies of a scene, found by name.
#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/files/text_file.hpp>
#include <tact/scene/scene_document.hpp>

namespace tact {
namespace {

constexpr double pin_tolerance = 1e-6;  // m, that of the world

class LinkReader {
 public:
  explicit LinkReader(SceneDescription& scene) : scene_(scene), surfaces_(scene.bodies.size())
  {
    for (const BodyDescription& body : scene.bodies) names_.push_back(body.name);
  }

  void add_friction(const JsonValue& pair)
  {
    const JsonValue bodies = pair.member("bodies", "two bodies");
    if (bodies.array_size() != 2) bodies.reject("the names of two bodies");
    const auto restitution = pair.find("restitution");
    scene_.friction.pairs.push_back(
        {find_body(bodies.at(0)), find_body(bodies.at(1)), pair.member("mu", "a number").number(),
         restitution ? restitution->number() : scene_.friction.restitution});
  }

  void add_spring(const JsonValue& given)
  {
    Spring spring;
    spring.a = read_end(given.member("a", "an end"));
    spring.b = read_end(given.member("b", "an end"));
    spring.stiffness = given.member("stiffness", "a number").number();
    spring.damping = given.member("damping", "a number").number();
    const auto rest_length = given.find("rest_length");
    spring.rest_length =
        rest_length ? rest_length->number() : (position(spring.a) - position(spring.b)).norm();
    scene_.springs.push_back({spring, place_of(given)});
  }

  void add_pins(const JsonValue& given)
  {
    const JsonValue name = given.member("body", "the name of a body");
    const int body = find_body(name);
    if (std::holds_alternative<ObstacleOptions>(scene_.bodies[body].options))
      name.reject(excerpt(name.text()) + ", an obstacle, which moves by its script alone",
                  "a body that can move; \"to\" names what holds it");
    const std::vector<BodyPoint> points = pinned_points(given, body);
    const std::vector<Attachment> holders = holders_of(given, body, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Pin pin{{.body = body, .point = points[i]}, holders[i]};
      const double apart = (position(pin.a) - position(pin.b)).norm();
      if (apart > pin_tolerance)
        given.reject(fmt::format("two points {:.3g} m apart", apart),
                     "points at one place; a spring joins others");
      scene_.pins.push_back({pin, place_of(given)});
    }
  }

 private:
  int find_body(const JsonValue& name) const
  {
    const int body = scene_.find(name.text());
    if (body < 0) name.reject("the name of a body" + did_you_mean(name.text(), names_));
    return body;
  }

  bool has_axes(int body) const
  {
    const BodyOptions& options = scene_.bodies[body].options;
    const auto* obstacle = std::get_if<ObstacleOptions>(&options);
    return std::holds_alternative<RigidOptions>(options) ||
           (obstacle && obstacle->cache.vertices.empty());
  }

  const std::vector<Vector3d>& surface(int body)
  {
    auto& positions = surfaces_[body];
    if (positions.empty()) positions = start_surface(scene_.bodies[body].options).positions;
    return positions;
  }

  int read_vertex(const JsonValue& value, int body)
  {
    const auto vertex = value.value().get<std::int64_t>();
    const auto count = static_cast<std::int64_t>(surface(body).size());
    if (vertex >= count)
      value.reject(fmt::format("a vertex of {}, which has {} (0 to {})",
                               excerpt(scene_.bodies[body].name), count, count - 1));
    return static_cast<int>(vertex);
  }

  Attachment read_end(const JsonValue& end)
  {
    if (const auto place = end.find("place"))
      return {.body = -1, .point = {}, .place = vector3(*place)};
    const int body = find_body(end.member("body", "the name of a body"));
    if (const auto vertex = end.find("vertex"))
      return {.body = body, .point = {.vertex = read_vertex(*vertex, body)}};
    if (!has_axes(body))
      end.reject(fmt::format("no vertex of {}, which deforms", excerpt(scene_.bodies[body].name)),
                 "\"vertex\": a number");
    const auto point = end.find("point");
    return {.body = body, .point = {.local = point ? vector3(*point) : Vector3d::Zero()}};
  }

  Vector3d position(const Attachment& end)
  {
    if (end.body < 0) return end.place;
    if (end.point.vertex >= 0) return surface(end.body)[end.point.vertex];
    return start_pose(scene_.bodies[end.body].options) * end.point.local;
  }

  std::vector<BodyPoint> pinned_points(const JsonValue& pin, int body)
  {
    std::vector<BodyPoint> points;
    if (const auto local = pin.find("point")) {
      if (!has_axes(body)) local->reject("a place in a body that deforms", "its \"vertices\"");
      points.push_back({.local = vector3(*local)});
    } else if (const auto vertices = pin.find("vertices")) {
      for (int i = 0; i < vertices->array_size(); ++i)
        points.push_back({.vertex = read_vertex(vertices->at(i), body)});
      if (points.empty()) vertices->reject("at least one vertex");
    } else {
      const JsonValue inside = pin.member("inside", "a box");
      const Aabb box{vector3(inside.member("low", "")), vector3(inside.member("high", ""))};
      for (int v = 0; v < static_cast<int>(surface(body).size()); ++v)
        if (overlap(box, box_of(surface(body)[v]))) points.push_back({.vertex = v});
      if (points.empty())
        inside.reject(fmt::format("no vertex of {} in it", excerpt(scene_.bodies[body].name)),
                      "at least one");
    }
    return points;
  }

  std::vector<Attachment> holders_of(const JsonValue& pin, int body,
                                     const std::vector<BodyPoint>& points)
  {
    const auto to = pin.find("to");
    const auto to_vertices = pin.find("to_vertices");
    const int holder = to ? find_body(*to) : -1;
    if (to_vertices && to_vertices->array_size() != static_cast<int>(points.size()))
      to_vertices->reject(fmt::format("{} vertices, as many as are pinned", points.size()));
    if (to && !to_vertices && !has_axes(holder))
      to->reject(excerpt(to->text()) + ", which deforms", "\"to_vertices\" beside it");
    std::vector<Attachment> holders;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vector3d place = position({.body = body, .point = points[i]});
      if (!to)
        holders.push_back({.body = -1, .point = {}, .place = place});
      else if (to_vertices)
        holders.push_back(
            {.body = holder,
             .point = {.vertex = read_vertex(to_vertices->at(static_cast<int>(i)), holder)}});
      else
        holders.push_back(
            {.body = holder,
             .point = {.local = start_pose(scene_.bodies[holder].options).inverse() * place}});
    }
    return holders;
  }

  SceneDescription& scene_;
  std::vector<std::string> names_;
  std::vector<std::vector<Vector3d>> surfaces_;  // at the start, filled when asked for
};

}  // namespace

void add_links(const SceneDocument& document, SceneDescription& scene)
{
  LinkReader reader(scene);
  for (const SceneItem& pair : document.friction) reader.add_friction(pair.view());
  for (const SceneItem& spring : document.springs) reader.add_spring(spring.view());
  for (const SceneItem& pin : document.pins) reader.add_pins(pin.view());
}

}  // namespace tact
