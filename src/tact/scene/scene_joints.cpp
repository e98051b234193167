// The joints of a scene, between bodies that are found by name.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/files/text_file.hpp>
#include <tact/scene/scene_document.hpp>

namespace tact {
namespace {

constexpr double joint_tolerance = 1e-6;  // m, and of unit axes: that of the world

class JointReader {
 public:
  explicit JointReader(SceneDescription& scene) : scene_(scene)
  {
    for (const BodyDescription& body : scene.bodies) body_names_.push_back(body.name);
  }

  void add(const JsonValue& given)
  {
    Joint joint;
    joint.kind = *joint_kind(given.member("type", "").text());
    joint.name = name_of_joint(given);
    Side a = read_side(given.member("a", "a side")), b;
    if (const auto other = given.find("b")) b = read_side(*other);
    refuse_static_sides(given, a, b);
    place(given, joint.kind, a, b);
    const Matrix3d axes = axes_of(given, joint.kind);
    joint.a = local_end(a, axes);
    joint.b = local_end(b, axes);
    joint.collide = given.member("collide", "").value().get<bool>();
    if (joint.kind == JointKind::distance) joint.length = length_of(given, a, b);
    scene_.joints.push_back({std::move(joint), place_of(given)});
  }

 private:
  struct Side {
    int body = -1;
    std::optional<Vector3d> at = {};  // m, in the world at the start
  };

  std::string name_of_joint(const JsonValue& given)
  {
    const auto asked = given.find("name");
    const std::string name =
        asked ? asked->text()
              : fmt::format("{}-{}", given.member("type", "").text(), scene_.joints.size());
    if (!joint_names_.insert(name).second)
      (asked ? *asked : given)
          .reject(excerpt(name) + ", which another joint is called", "a name of its own");
    return name;
  }

  Side read_side(const JsonValue& side) const
  {
    if (const auto place = side.find("place")) return {.body = -1, .at = vector3(*place)};
    const JsonValue name = side.member("body", "the name of a body");
    const int body = scene_.find(name.text());
    if (body < 0) name.reject("the name of a body" + did_you_mean(name.text(), body_names_));
    if (!has_own_axes(scene_.bodies[body].options))
      name.reject(excerpt(name.text()) + ", which deforms",
                  "a rigid body or an obstacle that keeps its shape; pins hold what deforms");
    Side found{.body = body};
    if (const auto point = side.find("point"))
      found.at = start_pose(scene_.bodies[body].options) * vector3(*point);
    return found;
  }

  static bool has_own_axes(const BodyOptions& options)
  {
    const auto* obstacle = std::get_if<ObstacleOptions>(&options);
    return std::holds_alternative<RigidOptions>(options) ||
           (obstacle && obstacle->cache.vertices.empty());
  }

  bool moves(const Side& side) const
  {
    return side.body >= 0 && std::holds_alternative<RigidOptions>(scene_.bodies[side.body].options);
  }

  std::string words(const Side& side) const
  {
    if (side.body < 0) return "the world";
    return fmt::format("{}{}", moves(side) ? "" : "the obstacle ",
                       excerpt(scene_.bodies[side.body].name));
  }

  void refuse_static_sides(const JsonValue& given, const Side& a, const Side& b) const
  {
    if (a.body >= 0 && a.body == b.body)
      given.reject(words(a) + " on both sides", "two bodies, or one and the world");
    if (!moves(a) && !moves(b))
      given.reject(
          fmt::format("a joint between {} and {}, neither of which can move", words(a), words(b)),
          "a rigid body on one side at least");
  }

  // What one side leaves open, "at" or the other side says.
  static void place(const JsonValue& given, JointKind kind, Side& a, Side& b)
  {
    const auto at = given.find("at");
    const bool apart = kind == JointKind::distance;
    if (apart && (!a.at || !b.at))
      given.reject("a distance between sides without points", "a \"point\" or a \"place\" on both");
    if (at && a.at && b.at) at->reject("a place, and points on both sides", "one or the other");
    for (Side* side : {&a, &b}) {
      const Side& other = side == &a ? b : a;
      if (!side->at && at) side->at = vector3(*at);
      if (!side->at) side->at = other.at;
    }
    if (!a.at) given.reject("a joint without a place", "\"at\": where it is at the start");
    const double gap = (*a.at - *b.at).norm();
    if (!apart && gap > joint_tolerance)
      given.reject(fmt::format("sides whose points are {:.3g} m apart", gap),
                   "points at one place; a distance joins others");
  }

  static Matrix3d axes_of(const JsonValue& given, JointKind kind)
  {
    if (!has_axis(kind)) return Matrix3d::Identity();
    const Vector3d axis = direction(given.member("axis", "three numbers"));
    const auto other = given.find("axis_b");
    if (!other) return axes_along(axis);
    const Vector3d axis_b = direction(*other);
    if (std::abs(axis.dot(axis_b)) > joint_tolerance)
      other->reject(fmt::format("an axis at {:.6g} degrees to the other",
                                std::acos(std::clamp(axis.dot(axis_b), -1.0, 1.0)) * 180.0 /
                                    std::numbers::pi),
                    "one at right angles to it");
    Matrix3d axes;
    axes.col(0) = axis;
    axes.col(1) = (axis_b - axis.dot(axis_b) * axis).normalized();
    axes.col(2) = axes.col(0).cross(axes.col(1));
    return axes;
  }

  static Vector3d direction(const JsonValue& axis)
  {
    const Vector3d found = vector3(axis);
    if (!(found.norm() > 1e-9)) axis.reject("an axis of no length", "a direction");
    return found.normalized();
  }

  JointEnd local_end(const Side& side, const Matrix3d& axes) const
  {
    if (side.body < 0) return {.body = -1, .local = {.at = *side.at, .axes = axes}};
    const Eigen::Isometry3d pose = start_pose(scene_.bodies[side.body].options);
    return {.body = side.body,
            .local = {.at = pose.inverse() * *side.at, .axes = pose.linear().transpose() * axes}};
  }

  static double length_of(const JsonValue& given, const Side& a, const Side& b)
  {
    const double found = (*a.at - *b.at).norm();
    const auto length = given.find("length");
    const double asked = length ? length->number() : found;
    if (std::abs(asked - found) > joint_tolerance)
      length->reject(fmt::format("{:g} m between points that are {:.9g} m apart", asked, found),
                     "the distance at the start");
    if (!(asked > joint_tolerance))
      given.reject("points at one place", "points apart; a ball holds them at one place");
    return asked;
  }

  SceneDescription& scene_;
  std::vector<std::string> body_names_;
  std::set<std::string> joint_names_;
};

}  // namespace

void add_joints(const SceneDocument& document, SceneDescription& scene)
{
  JointReader reader(scene);
  for (const SceneItem& joint : document.joints) reader.add(joint.view());
}

}  // namespace tact
