#include <tact/render/raster.hpp>

#include <algorithm>
#include <cmath>

#include <tact/render/pixel_lanes.hpp>

namespace tact {
namespace {

constexpr int group = pixel_lanes;
constexpr int one = 1 << subsample_bits;

// Samples [x0, x1) x [y0, y1) of a tile, x0 and x1 multiples of `group`.
struct Window {
  int x0, x1, y0, y1;
};

// An edge function on the samples of a window, divided by 256 and rounded down, which keeps its
// sign: E changes by multiples of 256 from sample to sample.
struct EdgeSteps {
  int start;  // at the first sample of the window
  int dx, dy;
};

enum class EdgeSide { inside, outside, across };

EdgeSide place_edge(const ScreenTriangle& t, int k, std::int64_t x, std::int64_t y,
                    const Window& window, EdgeSteps& steps)
{
  const int next = k == 2 ? 0 : k + 1;
  const std::int64_t ex = t.x[next] - t.x[k];
  const std::int64_t ey = t.y[next] - t.y[k];
  const bool top_left = ey < 0 || (ey == 0 && ex > 0);
  const std::int64_t edge = ex * (y - t.y[k]) - ey * (x - t.x[k]) - (top_left ? 0 : 1);
  const std::int64_t start = edge >> subsample_bits;
  const std::int64_t across = -ey * (window.x1 - window.x0 - 1);
  const std::int64_t down = ex * (window.y1 - window.y0 - 1);
  if (start + std::max<std::int64_t>(across, 0) + std::max<std::int64_t>(down, 0) < 0)
    return EdgeSide::outside;
  if (start + std::min<std::int64_t>(across, 0) + std::min<std::int64_t>(down, 0) >= 0) {
    steps = {0, 0, 0};
    return EdgeSide::inside;
  }
  steps = {static_cast<int>(start), static_cast<int>(-ey), static_cast<int>(ex)};
  return EdgeSide::across;
}

// The samples whose centres lie in the bounding box of the triangle, widened to whole groups.
Window window_of(const ScreenTriangle& t, int left, int top)
{
  const auto [x_low, x_high] = std::minmax({t.x[0], t.x[1], t.x[2]});
  const auto [y_low, y_high] = std::minmax({t.y[0], t.y[1], t.y[2]});
  const auto first = [](int low, int origin) {
    return std::max(0, ((low + one / 2 - 1) >> subsample_bits) - origin);
  };
  const auto last = [](int high, int origin) {  // one beyond
    return std::min(tile_size, ((high + one / 2) >> subsample_bits) - origin);
  };
  return {first(x_low, left) / group * group, (last(x_high, left) + group - 1) / group * group,
          first(y_low, top), last(y_high, top)};
}

}  // namespace

std::optional<OrientedTriangle> make_screen_triangle(const std::array<ScreenCorner, 3>& corners,
                                                     std::uint32_t id)
{
  std::array<ScreenCorner, 3> c = corners;
  ScreenTriangle t{};
  t.id = id;
  const auto snap = [&] {
    for (int k = 0; k < 3; ++k) {
      t.x[k] = static_cast<int>(std::lrint(c[k].x * one));
      t.y[k] = static_cast<int>(std::lrint(c[k].y * one));
    }
    return std::int64_t{t.x[1] - t.x[0]} * (t.y[2] - t.y[0]) -
           std::int64_t{t.y[1] - t.y[0]} * (t.x[2] - t.x[0]);
  };
  std::int64_t area = snap();
  if (area == 0) return std::nullopt;
  const bool flipped = area < 0;
  if (flipped) {
    std::swap(c[1], c[2]);
    area = snap();
  }
  const double x1 = t.x[1] - t.x[0], y1 = t.y[1] - t.y[0], k1 = c[1].key - c[0].key;
  const double x2 = t.x[2] - t.x[0], y2 = t.y[2] - t.y[0], k2 = c[2].key - c[0].key;
  const double scale = static_cast<double>(one) / static_cast<double>(area);
  t.key = c[0].key;
  t.key_dx = (k1 * y2 - k2 * y1) * scale;
  t.key_dy = (k2 * x1 - k1 * x2) * scale;
  return OrientedTriangle{t, flipped};
}

void draw(const ScreenTriangle& t, int left, int top, TileBuffer& tile)
{
  const Window window = window_of(t, left, top);
  if (window.x0 >= window.x1 || window.y0 >= window.y1) return;
  const int x = left + window.x0;
  const int y = top + window.y0;
  std::array<EdgeSteps, 3> edges;
  for (int k = 0; k < 3; ++k)
    if (place_edge(t, k, std::int64_t{x} * one + one / 2, std::int64_t{y} * one + one / 2, window,
                   edges[k]) == EdgeSide::outside)
      return;

  const auto from_first = [&](double sample, int corner) { return sample + 0.5 - corner / 256.0; };
  const double key = t.key + t.key_dx * from_first(x, t.x[0]) + t.key_dy * from_first(y, t.y[0]);
  const FloatLanes key_start = static_cast<float>(key) + static_cast<float>(t.key_dx) * lane_place;
  const IntLanes start_0 = edges[0].start + edges[0].dx * lane_index;
  const IntLanes start_1 = edges[1].start + edges[1].dx * lane_index;
  const IntLanes start_2 = edges[2].start + edges[2].dx * lane_index;
  const WordLanes id = WordLanes{} + t.id;
  for (int row = window.y0; row < window.y1; ++row) {
    const int below = row - window.y0;
    const float key_row = static_cast<float>(t.key_dy) * static_cast<float>(below);
    for (int column = window.x0; column < window.x1; column += group) {
      const int beside = column - window.x0;
      const IntLanes edge_0 = start_0 + (edges[0].dx * beside + edges[0].dy * below);
      const IntLanes edge_1 = start_1 + (edges[1].dx * beside + edges[1].dy * below);
      const IntLanes edge_2 = start_2 + (edges[2].dx * beside + edges[2].dy * below);
      const float key_group = key_row + static_cast<float>(t.key_dx) * static_cast<float>(beside);
      const FloatLanes keys = key_start + key_group;
      auto& old_keys = *reinterpret_cast<FloatLanes*>(&tile.key[tile_size * row + column]);
      auto& old_ids = *reinterpret_cast<WordLanes*>(&tile.id[tile_size * row + column]);
      const IntLanes seen = ((edge_0 | edge_1 | edge_2) >= 0) & (keys > old_keys);
      old_keys = seen ? keys : old_keys;
      old_ids = seen ? id : old_ids;
    }
  }
}

}  // namespace tact
