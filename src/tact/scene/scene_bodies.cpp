// From the bodies of a scene document to the options of bodies.
#include <cmath>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/files/text_file.hpp>
#include <tact/scene/scene_document.hpp>
#include <tact/scene/scene_shapes.hpp>

namespace tact {
namespace {

constexpr double unit_tolerance = 1e-6;                 // on the length of a quaternion
constexpr int max_copies = 10'000;                      // of one body
constexpr std::size_t max_vertices_in_all = 4'000'000;  // of all surfaces together

struct Pose {
  Vector3d position = Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
};

double number_of(const JsonValue& object, const char* key)
{
  return object.member(key, "a number").number();
}

Vector3d vector(const JsonValue& object, const char* key)
{
  return vector3(object.member(key, "a vector"));
}

Eigen::Quaterniond read_rotation(const JsonValue& rotation)
{
  if (const auto given = rotation.find("quaternion")) {
    const Eigen::Vector4d q = given->vector(4);
    const double norm = q.norm();
    if (!(std::abs(norm - 1.0) <= unit_tolerance))
      rotation.reject(fmt::format("a quaternion of length {:.7g}", norm),
                      "one of length 1, in the order x, y, z, w");
    // One that was written by tact stays as it is, to the last bit.
    const Eigen::Quaterniond written(q[3], q[0], q[1], q[2]);
    const bool unit = std::abs(written.squaredNorm() - 1.0) < 1e-14;
    return unit ? written : written.normalized();
  }
  const Vector3d axis = vector(rotation, "axis");
  if (!(axis.norm() > 0.0)) rotation.reject("an axis of length 0", "a direction");
  const double angle = number_of(rotation, "angle_degrees") * std::numbers::pi / 180.0;
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.stableNormalized()));
}

Pose read_pose(const JsonValue& body, const Vector3d& offset)
{
  Pose pose{.position = vector(body, "position") + offset};
  if (const auto rotation = body.find("rotation")) pose.orientation = read_rotation(*rotation);
  return pose;
}

void place(std::vector<Vector3d>& positions, const Pose& pose)
{
  const Matrix3d R = pose.orientation.toRotationMatrix();
  for (Vector3d& p : positions) p = R * p + pose.position;
}

// What density gives, or the given mass; `unit` is the mass at a density of 1.
double density_of(const JsonValue& body, double unit)
{
  const auto mass = body.find("mass");
  return mass ? mass->number() / unit : number_of(body, "density");
}

template <class Options>
void read_motion(const JsonValue& body, Options& options)
{
  options.velocity = vector(body, "velocity");
  options.force = vector(body, "force");
  options.drag = number_of(body, "drag");
}

RigidOptions read_rigid(const JsonValue& body, const SolidShape& shape, const Pose& pose)
{
  const double density = density_of(body, shape.unit_mass.mass);
  RigidOptions options;
  options.surface = shape.surface;
  options.mass = shape.unit_mass;
  options.mass.mass *= density;
  options.mass.inertia *= density;
  options.position = pose.position;
  options.orientation = pose.orientation;
  options.angular_velocity = vector(body, "angular_velocity");
  read_motion(body, options);
  return options;
}

ClothOptions read_cloth(const JsonValue& body, const ClothShape& shape, const Pose& pose)
{
  ClothOptions options;
  options.surface = shape.surface;
  place(options.surface.positions, pose);
  const ClothStiffness stiffness{.stretch = number_of(body, "stretch"),
                                 .shear = number_of(body, "shear"),
                                 .bend = number_of(body, "bend")};
  options.springs = shape.grid
                        ? grid_springs(options.surface, shape.grid->nx, shape.grid->nz, stiffness)
                        : surface_springs(options.surface, stiffness);
  const double rest_length = number_of(body, "rest_length");
  for (ClothSpring& spring : options.springs) spring.rest_length *= rest_length;
  options.area_density = density_of(body, area(options.surface));
  options.damping = number_of(body, "damping");
  options.mass_damping = number_of(body, "mass_damping");
  options.self_collision = body.member("self_collision", "true or false").value().get<bool>();
  read_motion(body, options);
  return options;
}

SoftOptions read_soft(const JsonValue& body, const SoftShape& shape, const Pose& pose)
{
  SoftOptions options;
  options.mesh = shape.mesh;
  options.surface = shape.surface;
  place(options.mesh.positions, pose);
  options.fill = shape.fill;
  options.density = density_of(body, shape.volume());
  options.young = number_of(body, "young");
  options.poisson = number_of(body, "poisson");
  options.mass_damping = number_of(body, "mass_damping");
  options.stiffness_damping = number_of(body, "stiffness_damping");
  options.self_collision = body.member("self_collision", "true or false").value().get<bool>();
  read_motion(body, options);
  return options;
}

// A keyframe takes what it leaves out from the one before; the first, from the body.
std::vector<Keyframe> read_keyframes(const JsonValue& body, const Pose& pose,
                                     const Vector3d& offset)
{
  Keyframe frame{.t = 0.0, .position = pose.position, .orientation = pose.orientation};
  const auto motion = body.find("motion");
  if (!motion || motion->array_size() == 0) return {frame};
  std::vector<Keyframe> frames;
  for (int i = 0; i < motion->array_size(); ++i) {
    const JsonValue given = motion->at(i);
    frame.t = number_of(given, "t");
    if (!frames.empty() && !(frame.t > frames.back().t))
      given.reject(fmt::format("t = {} s after t = {} s", frame.t, frames.back().t),
                   "times that ascend");
    if (const auto position = given.find("position")) frame.position = vector3(*position) + offset;
    if (const auto rotation = given.find("rotation")) frame.orientation = read_rotation(*rotation);
    frames.push_back(frame);
  }
  return frames;
}

ObstacleOptions read_obstacle(const JsonValue& body, const ObstacleShape& shape, const Pose& pose,
                              const Vector3d& offset)
{
  ObstacleOptions options;
  options.surface = shape.surface;
  options.motion = read_keyframes(body, pose, offset);
  options.cache.vertices = shape.frames;
  for (std::size_t i = 0; i < shape.frames.size(); ++i)
    options.cache.times.push_back(static_cast<double>(i) / shape.fps);
  return options;
}

// Loads or makes the shape once, and gives the body at any offset.
class BodyMaker {
 public:
  explicit BodyMaker(const JsonValue& body) : body_(body), type_(body.member("type", "").text())
  {
    if (type_ == "rigid")
      shape_ = rigid_shape(body);
    else if (type_ == "cloth")
      shape_ = cloth_shape(body);
    else if (type_ == "soft")
      shape_ = soft_shape(body);
    else
      shape_ = obstacle_shape(body);
  }

  BodyOptions at(const Vector3d& offset) const
  {
    const Pose pose = read_pose(body_, offset);
    if (type_ == "rigid") return read_rigid(body_, std::get<SolidShape>(shape_), pose);
    if (type_ == "cloth") return read_cloth(body_, std::get<ClothShape>(shape_), pose);
    if (type_ == "soft") return read_soft(body_, std::get<SoftShape>(shape_), pose);
    return read_obstacle(body_, std::get<ObstacleShape>(shape_), pose, offset);
  }

  std::size_t vertex_count() const
  {
    if (const auto* soft = std::get_if<SoftShape>(&shape_)) return soft->mesh.positions.size();
    if (const auto* cloth = std::get_if<ClothShape>(&shape_))
      return cloth->surface.positions.size();
    if (const auto* solid = std::get_if<SolidShape>(&shape_))
      return solid->surface.positions.size();
    return std::get<ObstacleShape>(shape_).surface.positions.size();
  }

 private:
  JsonValue body_;
  std::string type_;
  std::variant<SolidShape, ClothShape, SoftShape, ObstacleShape> shape_;
};

// Where the copies of a body go, x fastest; {0} for a body without.
std::vector<Vector3d> copy_offsets(const JsonValue& body)
{
  const auto copies = body.find("copies");
  if (!copies) return {Vector3d::Zero()};
  const auto count = copies->member("count", "").value().get<std::array<int, 3>>();
  const Vector3d spacing = vector(*copies, "spacing");
  const double total = 1.0 * count[0] * count[1] * count[2];
  if (total > max_copies)
    copies->reject(fmt::format("{:g} copies", total), fmt::format("at most {}", max_copies));
  std::vector<Vector3d> offsets;
  for (int k = 0; k < count[2]; ++k)
    for (int j = 0; j < count[1]; ++j)
      for (int i = 0; i < count[0]; ++i) offsets.push_back(spacing.cwiseProduct(Vector3d(i, j, k)));
  return offsets;
}

}  // namespace

void add_bodies(const SceneDocument& document, SceneDescription& scene)
{
  if (document.bodies.empty())
    Place{document.file.string(), "/bodies"}.reject("no body", "at least one");
  std::set<std::string> names;
  std::size_t vertices = 0;
  for (const SceneItem& item : document.bodies) {
    const JsonValue body = item.view();
    const JsonValue name = body.member("name", "a text");
    const bool has_copies = body.find("copies").has_value();
    const std::vector<Vector3d> offsets = copy_offsets(body);
    const BodyMaker maker(body);
    vertices += offsets.size() * maker.vertex_count();
    if (vertices > max_vertices_in_all)
      body.reject(fmt::format("{} vertices up to here", vertices),
                  fmt::format("at most {} in all", max_vertices_in_all));
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const std::string own = has_copies ? fmt::format("{}-{}", name.text(), i) : name.text();
      if (!names.insert(own).second)
        name.reject(fmt::format("{} a second time", excerpt(own)), "a name that no other body has");
      if (const auto mu = body.find("mu")) {
        scene.friction.body_mu.resize(scene.bodies.size() + 1);
        scene.friction.body_mu.back() = mu->number();
      }
      scene.bodies.push_back({own, maker.at(offsets[i]), place_of(body)});
    }
  }
}

}  // namespace tact
