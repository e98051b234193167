#include <tact/render/shading.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <tbb/parallel_for.h>
#include <Eigen/Geometry>

namespace tact {
namespace {

using Eigen::Vector3f;

// The key light: this far to the left of the viewer, this high.
constexpr double key_azimuth = 48.0 * std::numbers::pi / 180.0;
constexpr double key_elevation = 52.0 * std::numbers::pi / 180.0;

// Together they make white paper on the ground just white: 0.79 key + sky = 1.
const Color key_light(0.86f, 0.83f, 0.78f);
const Color sky_light(0.355f, 0.38f, 0.415f);
const Color ground_light(0.25f, 0.24f, 0.23f);

const Color background_top(0.72f, 0.78f, 0.85f);
const Color background_bottom(0.93f, 0.94f, 0.95f);

const Color ground_light_square(0.86f, 0.86f, 0.86f);
const Color ground_dark_square(0.74f, 0.75f, 0.76f);

constexpr float least_sky = 0.3f;      // light that finds its way even where no sky is seen
constexpr float back_side = 0.45f;     // of the colour that the front has
constexpr float alike_cosine = 0.96f;  // of 16 degrees between normals
constexpr float shoulder = 0.8f;       // light above this is compressed, not cut

Vector3d key_direction(const Projection& projection)
{
  const Vector3d forward = projection.axes.row(2).transpose();
  Vector3d back(-forward.x(), 0.0, -forward.z());
  back = back.norm() > 1e-6 ? back.normalized() : Vector3d(Vector3d::UnitZ());
  const Vector3d left = Vector3d::UnitY().cross(back) * -1.0;
  const Vector3d level = std::cos(key_azimuth) * back + std::sin(key_azimuth) * left;
  return std::cos(key_elevation) * level + std::sin(key_elevation) * Vector3d::UnitY();
}

float level_length(const Vector3f& v)  // without its height
{
  return std::sqrt(v.x() * v.x() + v.z() * v.z());
}

// Blinn's highlight with the exponent 48.
float highlight(float cosine)
{
  const float c2 = cosine * cosine, c4 = c2 * c2, c8 = c4 * c4, c16 = c8 * c8;
  return cosine > 0.0f ? c16 * c16 * c16 : 0.0f;
}

float soft_limit(float light)
{
  if (light <= shoulder) return light;
  return shoulder + (1.0f - shoulder) * (1.0f - std::exp((shoulder - light) / (1.0f - shoulder)));
}

// Mean over [x - w/2, x + w/2] of the square wave that is +1 on [0, 1), -1 on [1, 2), and so on.
float mean_square_wave(float x, float width)
{
  const auto integral = [](float t) {  // a triangle wave of slope +1 and -1
    const float phase = 0.5f * t - std::floor(0.5f * t);
    return 1.0f - 2.0f * std::abs(phase - 0.5f);
  };
  return (integral(x + 0.5f * width) - integral(x - 0.5f * width)) / width;
}

// Where a ray from the eye meets the plane of a triangle, as weights of its corners; Cramer's rule
// on t ray = (1 - b - c) A + b B + c C (Moeller and Trumbore 1997).
struct Hit {
  float t;
  std::array<float, 3> weight;
};

Hit meet(const Vector3f& ray, const Corners& corners)
{
  const Vector3f ab = corners[1] - corners[0];
  const Vector3f ac = corners[2] - corners[0];
  const Vector3f across = ray.cross(ac);
  const Vector3f normal_part = corners[0].cross(ab);
  const float determinant = ab.dot(across);
  const float scale = determinant != 0.0f ? 1.0f / determinant : 0.0f;
  // The centre of samples that a thin triangle covers may lie a little outside after rounding.
  const float b = std::clamp(-corners[0].dot(across) * scale, 0.0f, 1.0f);
  const float c = std::clamp(-ray.dot(normal_part) * scale, 0.0f, 1.0f - b);
  const float a = 1.0f - b - c;
  const Vector3f point = a * corners[0] + b * corners[1] + c * corners[2];
  return {point.dot(ray) / ray.squaredNorm(), {a, b, c}};
}

}  // namespace

Shading::Shading(const RenderScene& scene, const SceneGeometry& geometry,
                 const Projection& projection, const RenderOptions& options)
    : scene_(scene),
      geometry_(geometry),
      ray_corner_(projection.ray(0.0, 0.0).cast<float>()),
      ray_dx_((projection.axes.row(0).transpose() / projection.focal).cast<float>()),
      ray_dy_((projection.axes.row(1).transpose() / projection.focal).cast<float>()),
      pixel_(static_cast<float>(options.supersampling / projection.focal)),
      height_(static_cast<float>(options.height * options.supersampling)),
      eye_(projection.eye.cast<float>())
{
  const DistantLight key{.direction = key_direction(projection)};
  key_direction_ = key.direction.cast<float>();
  if (scene.ground) ground_height_ = static_cast<float>(scene.ground->height - projection.eye.y());
  if (!options.shadows) return;
  const std::vector<Corners> casters = shadow_casters(geometry, scene);
  shadow_ = std::make_unique<ShadowMap>(key, casters, options.shadow_resolution);
  sky_ = std::make_unique<SkyLight>(casters);
  if (scene.ground) sky_->prepare_plane(ground_height_);
  const std::vector<Vector3f> normals = vertex_normals(geometry);
  sky_seen_.resize(normals.size());
  tbb::parallel_for(std::size_t{0}, normals.size(), [&](std::size_t i) {
    sky_seen_[i] = sky_->seen(geometry.vertices[i], normals[i]);
  });
}

Color Shading::background(float y) const
{
  const float down = std::clamp(y / height_, 0.0f, 1.0f);
  return (1.0f - down) * background_top + down * background_bottom;
}

Vector3f Shading::ray(float x, float y) const
{
  return ray_corner_ + x * ray_dx_ + y * ray_dy_;
}

Color Shading::arriving(const Vector3f& normal, float lit, float sky) const
{
  const float up = 0.5f + 0.5f * normal.y();
  const float facing = std::max(0.0f, normal.dot(key_direction_));
  const float open = least_sky + (1.0f - least_sky) * sky;
  return facing * lit * key_light + open * (up * sky_light + (1.0f - up) * ground_light);
}

float Shading::lit(const Vector3f& point, const Vector3f& face, const Vector3f& normal) const
{
  if (normal.dot(key_direction_) <= 0.0f) return 0.0f;  // turned away
  if (!shadow_) return 1.0f;
  return shadow_->lit(point + shadow_->texel() * normal, face);
}

Color Shading::color(std::uint32_t id, float x, float y) const
{
  if (id == seen_nothing) return background(y);
  if (id == seen_ground) return ground_color(x, y);
  const auto triangles = static_cast<std::uint32_t>(geometry_.triangle_count());
  if (id >= triangles) return scene_.lines[id - triangles].color;
  return triangle_color(static_cast<int>(id), x, y);
}

bool Shading::alike(std::uint32_t id, std::uint32_t other) const
{
  const auto triangles = static_cast<std::uint32_t>(geometry_.triangle_count());
  if (id >= triangles || other >= triangles) return false;
  const Triangle& t = geometry_.triangles[id];
  const auto is_corner = [&t](int vertex) {
    return vertex == t[0] || vertex == t[1] || vertex == t[2];
  };
  const Triangle& u = geometry_.triangles[other];
  return (is_corner(u[0]) || is_corner(u[1]) || is_corner(u[2])) &&
         geometry_.normals[id][0].dot(geometry_.normals[other][0]) > alike_cosine;
}

Color Shading::triangle_color(int triangle, float x, float y) const
{
  const RenderMesh& mesh = scene_.meshes[geometry_.mesh[triangle]];
  const Corners corners = geometry_.corners(triangle);
  const CornerNormals& normals = geometry_.normals[triangle];
  const Vector3f direction = ray(x, y);
  const Hit hit = meet(direction, corners);
  const auto& [a, b, c] = hit.weight;
  Vector3f face = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
  Vector3f normal = (a * normals[0] + b * normals[1] + c * normals[2]).normalized();
  const bool back = face.dot(direction) > 0.0f;
  if (back) {
    face = -face;
    normal = -normal;
  }
  const Triangle& t = geometry_.triangles[triangle];
  const float sky = sky_ ? a * sky_seen_[t[0]] + b * sky_seen_[t[1]] + c * sky_seen_[t[2]] : 1.0f;
  const float light = lit(hit.t * direction, face, normal);
  Color color = mesh.color.cwiseProduct(arriving(normal, light, sky));
  if (back) color *= back_side;
  if (mesh.gloss > 0.0f) {
    const Vector3f half = (key_direction_ - direction.normalized()).normalized();
    color += mesh.gloss * light * highlight(normal.dot(half)) * key_light;
  }
  return color.unaryExpr(&soft_limit);
}

Color Shading::ground_color(float x, float y) const
{
  const Ground& ground = *scene_.ground;
  const Vector3f direction = ray(x, y);
  const float per_fall = 1.0f / direction.y();
  const Vector3f point = ground_height_ * per_fall * direction;
  const Vector3f from_centre = point + eye_ - ground.centre.cast<float>();
  const float distance = level_length(from_centre) / static_cast<float>(ground.radius);
  const float gone = std::clamp((distance - 1.0f) / 3.0f, 0.0f, 1.0f);
  const float opacity = 1.0f - gone * gone * (3.0f - 2.0f * gone);
  if (opacity <= 0.0f) return background(y);

  // A pixel sees a patch that grows with the distance and, along the view, with its slant.
  const float per_square = static_cast<float>(1.0 / ground.square);
  const float patch = pixel_ * ground_height_ * per_fall * per_square;
  const float slant = direction.norm() * std::abs(per_fall) / level_length(direction);
  const float wave = mean_square_wave((point.x() + eye_.x()) * per_square,
                                      patch * (1.0f + slant * std::abs(direction.x()))) *
                     mean_square_wave((point.z() + eye_.z()) * per_square,
                                      patch * (1.0f + slant * std::abs(direction.z())));
  const float mix = 0.5f + 0.5f * wave;
  const Color tone = mix * ground_light_square + (1.0f - mix) * ground_dark_square;
  const Vector3f up = Vector3f::UnitY();
  const float sky = sky_ ? sky_->seen_on_plane(point.x(), point.z()) : 1.0f;
  const Color color = tone.cwiseProduct(arriving(up, lit(point, up, up), sky));
  return opacity * color + (1.0f - opacity) * background(y);
}

}  // namespace tact
