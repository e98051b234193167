#include <tact/render/shadow_map.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include <tact/geometry/aabb.hpp>
#include <tact/render/pixel_lanes.hpp>
#include <tact/render/tiles.hpp>

namespace tact {

// A point in texels, its height, and the plane it lies in.
struct ShadowReceiver {
  int x, y;      // first texel of the window, in the map with its border
  float u, v;    // the point, in texels from that texel's centre
  float height;  // m, of the plane over that texel's centre, with the bias added
  float dx, dy;  // m a texel, slope of the plane
  bool on_map;
};

namespace {

using Eigen::Vector3f;

constexpr float nothing = -std::numeric_limits<float>::infinity();

// The square of texels that is looked at: `reach` on either side of the point and one more.
constexpr int window = 16;
constexpr int reach = window / 2;

constexpr float least_radius = 1.2f;            // texels; hides the grid
constexpr float largest_radius = reach - 1.0f;  // texels

// Tilted planes are followed up to this slope; beyond it the surface is dark anyway.
constexpr float largest_slope = 6.0f;

constexpr float bias_texels = 1.5f;  // how far above its own plane a texel must be to count

Eigen::Matrix3f light_axes(const Vector3d& direction)
{
  const Vector3d helper =
      std::abs(direction.y()) < 0.9 ? Vector3d::UnitY() : Vector3d(Vector3d::UnitX());
  const Vector3d across = helper.cross(direction).normalized();
  Eigen::Matrix3f axes;
  axes << across.cast<float>().transpose(), direction.cross(across).cast<float>().transpose(),
      direction.cast<float>().transpose();
  return axes;
}

// The heights of the receiver's plane over texels i to i + 7 of row j of the window.
inline FloatLanes plane(const ShadowReceiver& at, int i, int j)
{
  return at.height + at.dy * static_cast<float>(j) + at.dx * (lane_place + static_cast<float>(i));
}

// In the square of a tile that starts here, as large as the window.
float highest(const float* texels)
{
  FloatLanes most = FloatLanes{} + nothing;
  for (int j = 0; j < window; ++j)
    for (int i = 0; i < window; i += pixel_lanes) {
      const FloatLanes keys = load_lanes(texels + tile_size * j + i);
      most = keys > most ? keys : most;
    }
  float result = nothing;
  for (int k = 0; k < pixel_lanes; ++k) result = std::max(result, most[k]);
  return result;
}

}  // namespace

ShadowMap::ShadowMap(const DistantLight& light, std::span<const std::array<Vector3f, 3>> casters,
                     int resolution)
    : axes_(light_axes(light.direction)),
      breadth_(static_cast<float>(light.breadth)),
      resolution_((resolution + tile_size - 1) / tile_size * tile_size),
      stride_(resolution_ + 2 * window),
      block_stride_(stride_ / window + 1)
{
  Vector3f low = Vector3f::Constant(std::numeric_limits<float>::infinity());
  Vector3f high = -low;
  for (const auto& corners : casters)
    for (const Vector3f& corner : corners) {
      const Vector3f p = axes_ * corner;
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
  height_.assign(std::size_t(stride_) * stride_, nothing);
  blocks_.assign(std::size_t(block_stride_) * block_stride_, nothing);
  if (casters.empty()) return;
  texel_ =
      std::max({high.x() - low.x(), high.y() - low.y(), 1e-9f}) / static_cast<float>(resolution_);
  low_x_ = 0.5f * (low.x() + high.x()) - 0.5f * texel_ * static_cast<float>(resolution_);
  low_y_ = 0.5f * (low.y() + high.y()) - 0.5f * texel_ * static_cast<float>(resolution_);

  const Tiles tiles(resolution_, resolution_, tile_size,
                    collect_triangles(static_cast<int>(casters.size()), [&](int i, auto& out) {
                      std::array<ScreenCorner, 3> corners;
                      for (int k = 0; k < 3; ++k) {
                        const Vector3f p = axes_ * casters[i][k];
                        corners[k] = {(p.x() - low_x_) / texel_, (p.y() - low_y_) / texel_, p.z()};
                      }
                      if (const auto made = make_screen_triangle(corners, 0))
                        out.push_back(made->triangle);
                    }));
  for_each_touched_tile(tiles, [&](int left, int top, const TileBuffer& tile) {
    store(left + window, top + window, tile);
  });
}

void ShadowMap::store(int x, int y, const TileBuffer& tile)
{
  for (int row = 0; row < tile_size; ++row)
    std::copy_n(&tile.key[tile_size * row], tile_size,
                &height_[std::size_t(stride_) * (y + row) + x]);
  for (int j = 0; j < tile_size; j += window)
    for (int i = 0; i < tile_size; i += window)
      blocks_[block_stride_ * ((y + j) / window) + (x + i) / window] =
          highest(&tile.key[tile_size * j + i]);
}

// Whether nothing in the window reaches the lowest point of the receiver's plane there.
bool ShadowMap::surely_lit(const ShadowReceiver& at) const
{
  constexpr float last = window - 1;
  const float lowest = at.height + std::min(0.0f, last * at.dx) + std::min(0.0f, last * at.dy);
  const float* block = &blocks_[block_stride_ * (at.y / window) + at.x / window];
  return std::max(std::max(block[0], block[1]),
                  std::max(block[block_stride_], block[block_stride_ + 1])) <= lowest;
}

ShadowReceiver ShadowMap::receiver(const Vector3f& point, const Vector3f& normal) const
{
  const Vector3f p = axes_ * point;
  const Vector3f n = axes_ * normal;
  const float x = (p.x() - low_x_) / texel_ - 0.5f;  // texel i has its centre at i
  const float y = (p.y() - low_y_) / texel_ - 0.5f;
  ShadowReceiver at{};
  const float margin = static_cast<float>(reach);
  at.on_map = x > -margin && y > -margin && x < static_cast<float>(resolution_) + margin &&
              y < static_cast<float>(resolution_) + margin;
  if (!at.on_map) return at;
  const int corner_x = static_cast<int>(std::floor(x)) - reach + 1;
  const int corner_y = static_cast<int>(std::floor(y)) - reach + 1;
  at.x = corner_x + window;
  at.y = corner_y + window;
  at.u = x - static_cast<float>(corner_x);
  at.v = y - static_cast<float>(corner_y);
  const float upright = std::max(n.z(), 1e-3f);
  at.dx = std::clamp(-n.x() / upright, -largest_slope, largest_slope) * texel_;
  at.dy = std::clamp(-n.y() / upright, -largest_slope, largest_slope) * texel_;
  const float bias = bias_texels * texel_ + 0.25f * (std::abs(at.dx) + std::abs(at.dy));
  at.height = p.z() + bias - at.u * at.dx - at.v * at.dy;
  return at;
}

// Half the width of the penumbra in texels: 0 where nothing is higher, negative where everything
// is.
float ShadowMap::penumbra(const ShadowReceiver& at) const
{
  FloatLanes counts = {}, excesses = {};
  for (int j = 0; j < window; ++j)
    for (int i = 0; i < window; i += pixel_lanes) {
      const FloatLanes above =
          load_lanes(&height_[std::size_t(stride_) * (at.y + j) + at.x + i]) - plane(at, i, j);
      const FloatLanes zero = {};
      counts += above > zero ? zero + 1.0f : zero;
      excesses += above > zero ? above : zero;
    }
  const float count = sum_of_lanes(counts);
  const float excess = sum_of_lanes(excesses);  // m
  if (count == 0.0f) return 0.0f;
  if (count == window * window) return -1.0f;
  return std::clamp(0.5f * breadth_ * excess / (count * texel_), least_radius, largest_radius);
}

// The mean over a square of half width `radius` around the point, with edges that fade over a
// texel.
float ShadowMap::filtered(const ShadowReceiver& at, float radius) const
{
  const auto weight = [radius](float distance) {
    return std::clamp(radius + 0.5f - std::abs(distance), 0.0f, 1.0f);
  };
  std::array<float, window> across;
  float all_across = 0.0f, all_down = 0.0f;
  for (int i = 0; i < window; ++i) {
    const float w = weight(static_cast<float>(i) - at.u);
    across[i] = w;
    all_across += w;
  }
  FloatLanes lit = {};
  for (int j = 0; j < window; ++j) {
    const float down = weight(static_cast<float>(j) - at.v);
    if (down == 0.0f) continue;
    all_down += down;
    for (int i = 0; i < window; i += pixel_lanes) {
      const FloatLanes weights = down * load_lanes(&across[i]);
      lit += load_lanes(&height_[std::size_t(stride_) * (at.y + j) + at.x + i]) > plane(at, i, j)
                 ? FloatLanes{}
                 : weights;
    }
  }
  return std::min(1.0f, sum_of_lanes(lit) / (all_across * all_down));
}

float ShadowMap::lit(const Vector3f& point, const Vector3f& normal) const
{
  const ShadowReceiver at = receiver(point, normal);
  if (!at.on_map || surely_lit(at)) return 1.0f;
  const float radius = penumbra(at);
  if (radius == 0.0f) return 1.0f;
  if (radius < 0.0f) return 0.0f;
  return filtered(at, radius);
}

}  // namespace tact
