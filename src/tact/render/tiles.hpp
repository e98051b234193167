// Triangles sorted into the tiles of a picture that they may touch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <tbb/parallel_for.h>

#include <tact/geometry/tri_mesh.hpp>
#include <tact/render/raster.hpp>

namespace tact {

struct Tiles {
  int columns = 0;
  int rows = 0;
  int step = tile_size;  // samples of a tile's side that are used
  std::vector<ScreenTriangle> triangles;
  Incidence touching;  // for each tile, row by row, its triangles in ascending order

  Tiles(int width, int height, int used, std::vector<ScreenTriangle> drawn);
};

// Calls work(left, top, buffer) for each tile, in parallel: `prepare(left, top, buffer)` fills the
// buffer before the triangles are drawn.
template <class Prepare, class Work>
void for_each_tile(const Tiles& tiles, const Prepare& prepare, const Work& work)
{
  tbb::parallel_for(0, tiles.columns * tiles.rows, [&](int tile) {
    const int left = tile % tiles.columns * tiles.step;
    const int top = tile / tiles.columns * tiles.step;
    TileBuffer buffer;
    prepare(left, top, buffer);
    for (const int triangle : tiles.touching[tile])
      draw(tiles.triangles[triangle], left, top, buffer);
    work(left, top, buffer);
  });
}

// The same for the tiles that have triangles, on a ground of keys -infinity. For maps of heights,
// which have no use for ids.
template <class Work>
void for_each_touched_tile(const Tiles& tiles, const Work& work)
{
  tbb::parallel_for(0, tiles.columns * tiles.rows, [&](int tile) {
    if (tiles.touching[tile].empty()) return;
    const int left = tile % tiles.columns * tiles.step;
    const int top = tile / tiles.columns * tiles.step;
    TileBuffer buffer;
    buffer.key.fill(-std::numeric_limits<float>::infinity());
    for (const int triangle : tiles.touching[tile])
      draw(tiles.triangles[triangle], left, top, buffer);
    work(left, top, buffer);
  });
}

// Fills a list of triangles from `count` sources in parallel, in the order of the sources:
// add(i, list) appends what source i gives.
template <class Add>
std::vector<ScreenTriangle> collect_triangles(int count, const Add& add)
{
  constexpr int chunk = 1024;
  const int chunks = (count + chunk - 1) / chunk;
  std::vector<std::vector<ScreenTriangle>> parts(chunks);
  tbb::parallel_for(0, chunks, [&](int k) {
    parts[k].reserve(chunk);
    for (int i = k * chunk; i < std::min(count, (k + 1) * chunk); ++i) add(i, parts[k]);
  });
  std::size_t total = 0;
  for (const auto& part : parts) total += part.size();
  std::vector<ScreenTriangle> all;
  all.reserve(total);
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace tact
