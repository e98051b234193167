#include <tact/render/sky_light.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <tbb/parallel_for.h>

#include <tact/render/tiles.hpp>

namespace tact {
namespace {

using Eigen::Vector3f;

constexpr int resolution = 256;  // texels along a side
constexpr int border = 60;       // of them free on each side, as far as columns are felt
constexpr int padding = 64;      // empty columns around the map, so that look-ups need no check
constexpr int stride = resolution + 2 * padding;
constexpr float infinity = std::numeric_limits<float>::infinity();

constexpr int direction_count = 8;
constexpr std::array<std::array<float, 2>, direction_count> directions = {{{0.9239f, 0.3827f},
                                                                           {0.3827f, 0.9239f},
                                                                           {-0.3827f, 0.9239f},
                                                                           {-0.9239f, 0.3827f},
                                                                           {-0.9239f, -0.3827f},
                                                                           {-0.3827f, -0.9239f},
                                                                           {0.3827f, -0.9239f},
                                                                           {0.9239f, -0.3827f}}};

// Distances at which columns are looked up, in texels.
constexpr std::array<float, 6> distances = {1.5f, 3.5f, 7.5f, 15.0f, 29.0f, 57.0f};

constexpr float largest_tangent = 1e3f;  // stands for straight up

constexpr float lift = 1.5f;  // texels along the normal, out of the point's own column

// Of the elevation whose tangent is given.
float squared_sine(float tangent)
{
  return tangent * tangent / (1.0f + tangent * tangent);
}

constexpr int cell = 2;  // texels, of the table for a plane
constexpr int cells = resolution / cell;

// Weights 1/4, 1/2, 1/4 along one direction of the table for a plane: entries `step` apart, lines
// `line` apart. The ends of the lines stay.
void smooth(std::vector<float>& table, int step, int line)
{
  for (int j = 0; j < cells; ++j) {
    float* const entry = table.data() + line * j;
    float before = entry[0];
    for (int i = 1; i + 1 < cells; ++i) {
      const float here = entry[step * i];
      entry[step * i] = 0.25f * before + 0.5f * here + 0.25f * entry[step * (i + 1)];
      before = here;
    }
  }
}

}  // namespace

SkyLight::SkyLight(std::span<const std::array<Vector3f, 3>> casters)
    : columns_(stride * stride, Column{infinity, -infinity})
{
  if (casters.empty()) return;
  Vector3f low = Vector3f::Constant(infinity);
  Vector3f high = -low;
  for (const auto& corners : casters)
    for (const Vector3f& corner : corners) {
      low = low.cwiseMin(corner);
      high = high.cwiseMax(corner);
    }
  const float inner = static_cast<float>(resolution - 2 * border);
  texel_ = std::max({high.x() - low.x(), high.z() - low.z(), 1e-9f}) / inner;
  low_x_ = 0.5f * (low.x() + high.x()) - 0.5f * texel_ * resolution;
  low_z_ = 0.5f * (low.z() + high.z()) - 0.5f * texel_ * resolution;
  Tiles tiles(resolution, resolution, tile_size,
              collect_triangles(static_cast<int>(casters.size()), [&](int i, auto& out) {
                std::array<ScreenCorner, 3> corners;
                for (int k = 0; k < 3; ++k) {
                  const Vector3f& p = casters[i][k];
                  corners[k] = {(p.x() - low_x_) / texel_, (p.z() - low_z_) / texel_, p.y()};
                }
                if (const auto made = make_screen_triangle(corners, 0))
                  out.push_back(made->triangle);
              }));
  draw_heights(tiles, 1.0f);
  for (ScreenTriangle& t : tiles.triangles) {
    t.key = -t.key;
    t.key_dx = -t.key_dx;
    t.key_dy = -t.key_dy;
  }
  draw_heights(tiles, -1.0f);
}

// Seen from above (sign 1) or, with negative keys, from below (-1).
void SkyLight::draw_heights(const Tiles& tiles, float sign)
{
  for_each_touched_tile(tiles, [&](int left, int top, const TileBuffer& tile) {
    for (int y = 0; y < tile_size; ++y)
      for (int x = 0; x < tile_size; ++x) {
        Column& c = columns_[stride * (top + y + padding) + left + x + padding];
        (sign > 0.0f ? c.high : c.low) = sign * tile.key[tile_size * y + x];
      }
  });
}

float SkyLight::seen(const Vector3f& point, const Vector3f& normal) const
{
  const Vector3f p = point + lift * texel_ * normal;
  const float u = (p.x() - low_x_) / texel_;  // in texels
  const float v = (p.z() - low_z_) / texel_;
  constexpr float end = resolution;
  if (!(u >= 0.0f && v >= 0.0f && u < end && v < end)) return 1.0f;
  const auto column = [this](float x, float z) -> const Column& {
    return columns_[stride * static_cast<int>(z + padding) + static_cast<int>(x + padding)];
  };
  const Column& overhead = column(u, v);
  const bool covered = overhead.high > p.y() + texel_;
  const float per_texel = 1.0f / texel_;
  float sum = 0.0f;
  float weights = 0.0f;
  for (const auto& [dx, dz] : directions) {
    const float weight = normal.x() * dx + normal.z() * dz + std::abs(normal.y());
    if (weight <= 0.0f) continue;
    float highest = covered ? largest_tangent : 0.0f;  // tangents of the elevations that are hidden
    float lowest = covered ? std::max(0.0f, (overhead.low - p.y()) * per_texel) : largest_tangent;
    for (const float distance : distances) {
      const Column& c = column(u + distance * dx, v + distance * dz);
      const float scale = per_texel / distance;
      const bool above = c.high > p.y();
      highest = above ? std::max(highest, (c.high - p.y()) * scale) : highest;
      lowest = above ? std::min(lowest, std::max(0.0f, c.low - p.y()) * scale) : lowest;
    }
    sum += weight * (1.0f - std::max(0.0f, squared_sine(highest) - squared_sine(lowest)));
    weights += weight;
  }
  return weights > 0.0f ? sum / weights : 1.0f;
}

void SkyLight::prepare_plane(float height)
{
  plane_.resize(cells * cells);
  const float side = cell * texel_;
  tbb::parallel_for(0, cells, [&](int j) {
    for (int i = 0; i < cells; ++i) {
      const Vector3f centre(low_x_ + (static_cast<float>(i) + 0.5f) * side, height,
                            low_z_ + (static_cast<float>(j) + 0.5f) * side);
      plane_[cells * j + i] = seen(centre, Vector3f::UnitY());
    }
  });
  smooth(plane_, 1, cells);  // the grain of single look-ups is not wanted
  smooth(plane_, cells, 1);
}

float SkyLight::seen_on_plane(float x, float z) const
{
  const float u = (x - low_x_) / (cell * texel_) - 0.5f;
  const float v = (z - low_z_) / (cell * texel_) - 0.5f;
  constexpr float last = cells - 1;
  if (!(u >= 0.0f && v >= 0.0f && u < last && v < last)) return 1.0f;
  const int i = static_cast<int>(u);
  const int j = static_cast<int>(v);
  const float a = u - static_cast<float>(i);
  const float b = v - static_cast<float>(j);
  const float* p = &plane_[cells * j + i];
  return (1.0f - b) * ((1.0f - a) * p[0] + a * p[1]) +
         b * ((1.0f - a) * p[cells] + a * p[cells + 1]);
}

}  // namespace tact
