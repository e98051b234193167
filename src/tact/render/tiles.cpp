#include <tact/render/tiles.hpp>

#include <array>

namespace tact {
namespace {

struct TileRange {
  int x0, x1, y0, y1;  // both ends included; empty where x0 > x1 or y0 > y1
};

TileRange range_of(const ScreenTriangle& t, const Tiles& tiles)
{
  const int side = tiles.step << subsample_bits;
  const auto [x_low, x_high] = std::minmax({t.x[0], t.x[1], t.x[2]});
  const auto [y_low, y_high] = std::minmax({t.y[0], t.y[1], t.y[2]});
  if (x_high < 0 || y_high < 0) return {0, -1, 0, -1};
  return {std::max(0, x_low) / side, std::min(tiles.columns - 1, x_high / side),
          std::max(0, y_low) / side, std::min(tiles.rows - 1, y_high / side)};
}

template <class Visit>
void for_tiles_of(const Tiles& tiles, int triangle, const Visit& visit)
{
  const TileRange range = range_of(tiles.triangles[triangle], tiles);
  for (int y = range.y0; y <= range.y1; ++y)
    for (int x = range.x0; x <= range.x1; ++x) visit(y * tiles.columns + x);
}

}  // namespace

Tiles::Tiles(int width, int height, int used, std::vector<ScreenTriangle> drawn)
    : columns((width + used - 1) / used),
      rows((height + used - 1) / used),
      step(used),
      triangles(std::move(drawn))
{
  const int count = static_cast<int>(triangles.size());
  std::vector<int>& start = touching.start;
  start.assign(columns * rows + 1, 0);
  for (int i = 0; i < count; ++i) for_tiles_of(*this, i, [&](int tile) { ++start[tile + 1]; });
  for (int tile = 0; tile < columns * rows; ++tile) start[tile + 1] += start[tile];
  touching.items.resize(start.back());
  std::vector<int> next(start.begin(), start.end() - 1);
  for (int i = 0; i < count; ++i)
    for_tiles_of(*this, i, [&](int tile) { touching.items[next[tile]++] = i; });
}

}  // namespace tact
