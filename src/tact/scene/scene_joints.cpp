// The joints of a scene, between bodies that are found by name.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <utility>

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
    const auto other = given.find("b");
    if (other) b = read_side(*other);
    refuse_static_sides(given, a, b);
    place(given, joint.kind, a, b);
    const Matrix3d axes = axes_of(given, joint.kind);
    joint.a = local_end(a, axes);
    joint.b = local_end(b, axes);
    // Motion is that of b against a: of what is joined to the world, that of the body.
    if (!other && has_motion(joint.kind)) std::swap(joint.a, joint.b);
    joint.collide = given.member("collide", "").value().get<bool>();
    if (joint.kind == JointKind::distance) {
      joint.rope = given.member("rope", "").value().get<bool>();
      joint.length = length_of(given, a, b, joint.rope);
    }
    if (has_motion(joint.kind)) joint.motion = read_motion(given, joint.kind);
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

  static JointMotion read_motion(const JsonValue& given, JointKind kind)
  {
    JointMotion motion;
    motion.friction = given.member("friction", "").number();
    const auto limits = given.find("limits");
    if (limits) {
      const VectorXd ends = limits->vector(2);
      motion.low = ends[0];
      motion.high = ends[1];
      if (!(motion.low < motion.high))
        limits->reject(fmt::format("ends {:g} and {:g}", motion.low, motion.high),
                       "the lower one first");
      if (motion.low > 0.0 || motion.high < 0.0)
        limits->reject(fmt::format("a range from {:g} to {:g}", motion.low, motion.high),
                       "one that holds 0, which is where the joint is at the start");
    }
    if (const auto motor = given.find("motor"))
      motion.motor = read_motor(*motor, kind == JointKind::hinge ? "torque" : "force");
    const Motor& motor = motion.motor;
    if (limits && (motor.kind == MotorKind::speed || motor.kind == MotorKind::position) &&
        !std::isfinite(motor.most))
      given.find("motor")->reject("limits, and a motor that gives as much as it takes",
                                  fmt::format("\"max_{}\": an end of the range may be in its way",
                                              kind == JointKind::hinge ? "torque" : "force"));
    return motion;
  }

  static Motor read_motor(const JsonValue& given, const std::string& push)
  {
    Motor motor;
    for (const auto& [name, kind] : {std::pair<std::string, MotorKind>{"speed", MotorKind::speed},
                                     {"position", MotorKind::position},
                                     {push, MotorKind::force}})
      if (const auto target = given.find(name)) motor = {kind, read_course(*target)};
    const auto most = given.find("max_" + push);
    if (most && motor.kind == MotorKind::force)
      most->reject("a largest " + push + " of a motor whose " + push + " is given",
                   "one of the two");
    if (most) motor.most = most->number();
    return motor;
  }

  static Course read_course(const JsonValue& given)
  {
    if (const auto value = given.find("value")) return {{{.t = 0.0, .value = value->number()}}};
    Course course;
    const JsonValue keys = given.member("keyframes", "keyframes");
    if (keys.array_size() == 0) keys.reject("no keyframes", "at least one");
    for (int i = 0; i < keys.array_size(); ++i) {
      const JsonValue key = keys.at(i);
      const double t = key.member("t", "a time").number();
      if (!course.keys.empty() && !(t > course.keys.back().t))
        key.reject(fmt::format("t = {} s after t = {} s", t, course.keys.back().t),
                   "times that ascend");
      course.keys.push_back({t, key.member("value", "a number").number()});
    }
    return course;
  }

  static double length_of(const JsonValue& given, const Side& a, const Side& b, bool rope)
  {
    const double found = (*a.at - *b.at).norm();
    const auto length = given.find("length");
    const double asked = length ? length->number() : found;
    if (rope && asked < found - joint_tolerance)
      length->reject(fmt::format("{:g} m between points that are {:.9g} m apart", asked, found),
                     "a rope no shorter than the distance at the start");
    if (!rope && std::abs(asked - found) > joint_tolerance)
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
