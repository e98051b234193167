// How much of the sky a point sees: the soft darkness under and between things.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/core/types.hpp>

namespace tact {

struct Tiles;

// A coarse map from above with the highest and the lowest surface over each texel; everything in
// between counts as filled. From a point, the filled columns around it hide a range of elevations
// in each of eight directions. Cheap and smooth, meant for light that has no clear direction;
// cavities under an overhang come out darker than they are.
class SkyLight {
 public:
  explicit SkyLight(std::span<const std::array<Eigen::Vector3f, 3>> casters);

  // The part of the sky that is seen from a point of a surface with this normal, 0 to 1, weighted
  // by the sine of the elevation.
  float seen(const Eigen::Vector3f& point, const Eigen::Vector3f& normal) const;

  // `seen` on the horizontal plane y = height, from a table that is filled here.
  void prepare_plane(float height);
  float seen_on_plane(float x, float z) const;

 private:
  struct Column {
    float low;  // m; above `high` where nothing is
    float high;
  };

  void draw_heights(const Tiles& tiles, float sign);

  float low_x_ = 0.0f;  // m, corner of the map
  float low_z_ = 0.0f;
  float texel_ = 1.0f;
  std::vector<Column> columns_;
  std::vector<float> plane_;  // at the centres of squares of texels
};

}  // namespace tact
