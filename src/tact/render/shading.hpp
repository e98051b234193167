// The light and the materials: what colour a point of the picture has.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <tact/render/projection.hpp>
#include <tact/render/render.hpp>
#include <tact/render/scene_geometry.hpp>
#include <tact/render/shadow_map.hpp>
#include <tact/render/sky_light.hpp>

namespace tact {

// What a sample shows: a triangle, from 0; then the lines; or one of these.
inline constexpr std::uint32_t seen_ground = 0xfffffffe;
inline constexpr std::uint32_t seen_nothing = 0xffffffff;

// One broad key light over the viewer's left shoulder, the sky above, and light from the ground
// below. Constant while a picture is drawn; used by all threads.
class Shading {
 public:
  // Keeps references: scene, geometry and projection outlive it.
  Shading(const RenderScene& scene, const SceneGeometry& geometry, const Projection& projection,
          const RenderOptions& options);

  // The colour of what a sample shows, in the point (x, y) of the picture, in samples. At most 1.
  Color color(std::uint32_t id, float x, float y) const;

  // Whether two things are neighbours on one smooth surface, so that one colour does for both where
  // they share a pixel.
  bool alike(std::uint32_t id, std::uint32_t other) const;

 private:
  using Vector3f = Eigen::Vector3f;

  Color background(float y) const;
  Color triangle_color(int triangle, float x, float y) const;
  Color ground_color(float x, float y) const;
  Color arriving(const Vector3f& normal, float lit, float sky) const;
  Vector3f ray(float x, float y) const;
  float lit(const Vector3f& point, const Vector3f& face, const Vector3f& normal) const;

  const RenderScene& scene_;
  const SceneGeometry& geometry_;
  Vector3f ray_corner_;  // ray through the corner of the picture, and its change per sample
  Vector3f ray_dx_;
  Vector3f ray_dy_;
  float pixel_;   // width of a pixel at a forward distance of 1
  float height_;  // samples
  Vector3f key_direction_;
  std::unique_ptr<ShadowMap> shadow_;  // empty without shadows
  std::vector<float> sky_seen_;        // at the vertices
  std::unique_ptr<SkyLight> sky_;
  float ground_height_ = 0.0f;  // m, from the eye
  Vector3f eye_ = Vector3f::Zero();
};

}  // namespace tact
