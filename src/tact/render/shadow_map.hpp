// Where a distant light of some breadth is hidden, and how much of it.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/core/types.hpp>

namespace tact {

struct ShadowReceiver;
struct TileBuffer;

// A light like the sun: parallel rays, and a disk of directions that makes shadows soft.
struct DistantLight {
  Vector3d direction = Vector3d::UnitY();  // towards the light, of length 1
  double breadth = 0.06;                   // diameter of its disk seen from anywhere, radians
};

// The heights along the light of what it sees first, on a square grid across it. A point is in
// shadow as far as the texels around it are higher than its own plane: percentage-closer filtering
// (Reeves, Salesin and Cook 1987) over a square as wide as the penumbra, which grows with the
// distance to what casts the shadow (Fernando 2005).
class ShadowMap {
 public:
  // Casters are in the same frame as the points asked for later. The resolution is rounded up to
  // whole tiles.
  ShadowMap(const DistantLight& light, std::span<const std::array<Eigen::Vector3f, 3>> casters,
            int resolution);

  // The part of the light that arrives at a point of a surface with this normal, 0 to 1.
  float lit(const Eigen::Vector3f& point, const Eigen::Vector3f& normal) const;

  float texel() const { return texel_; }  // m

 private:
  void store(int x, int y, const TileBuffer& tile);
  ShadowReceiver receiver(const Eigen::Vector3f& point, const Eigen::Vector3f& normal) const;
  bool surely_lit(const ShadowReceiver& at) const;
  float penumbra(const ShadowReceiver& at) const;
  float filtered(const ShadowReceiver& at, float radius) const;

  Eigen::Matrix3f axes_;  // rows: across the light twice, and towards it
  float low_x_ = 0.0f;    // m, the first texel's corner
  float low_y_ = 0.0f;
  float texel_ = 1.0f;
  float breadth_ = 0.0f;
  int resolution_ = 0;
  int stride_ = 0;  // texels a row, with a border
  int block_stride_ = 0;
  std::vector<float> height_;  // m; -infinity where nothing is
  std::vector<float> blocks_;  // m, highest in blocks as large as the square that is looked at
};

}  // namespace tact
