#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <tact/core/random.hpp>
#include <tact/render/raster.hpp>
#include <tact/render/tiles.hpp>

namespace tact {
namespace {

using Counts = std::vector<int>;

// How many of the triangles cover each sample of a tile, each drawn by itself.
Counts count_cover(const std::vector<std::array<ScreenCorner, 3>>& triangles, int left, int top)
{
  Counts counts(tile_size * tile_size);
  for (const auto& corners : triangles) {
    const auto made = make_screen_triangle(corners, 1);
    if (!made) continue;
    TileBuffer tile;
    tile.clear(-1.0f, 0);
    draw(made->triangle, left, top, tile);
    for (int i = 0; i < tile_size * tile_size; ++i) counts[i] += tile.id[i] == 1;
  }
  return counts;
}

// A square grid of cells whose inner corners are moved at will, cut into triangles.
std::vector<std::array<ScreenCorner, 3>> cut_square(int cells, double side, double shift,
                                                    Random& random)
{
  std::vector<ScreenCorner> corners;
  const double cell = side / cells;
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i) {
      const bool inner = i > 0 && j > 0 && i < cells && j < cells;
      const double reach = inner ? 0.3 * cell * shift : 0.0;
      corners.push_back({i * cell + random.uniform(-1, 1) * reach,
                         j * cell + random.uniform(-1, 1) * reach, 1.0});
    }
  std::vector<std::array<ScreenCorner, 3>> triangles;
  const auto at = [&](int i, int j) { return corners[(cells + 1) * j + i]; };
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i)
      if (random.below(2)) {
        triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
        triangles.push_back({at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)});
      } else {
        triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        triangles.push_back({at(i + 1, j + 1), at(i, j), at(i + 1, j)});
      }
  return triangles;
}

TEST_CASE("triangles that share edges draw each sample exactly once")
{
  Random random(11);
  for (const int cells : {1, 3, 16, 50, 128}) {
    for (const double shift : {0.0, 1.0}) {
      CAPTURE(cells);
      CAPTURE(shift);
      const Counts counts = count_cover(cut_square(cells, tile_size, shift, random), 0, 0);
      CHECK(std::ranges::count(counts, 1) == tile_size * tile_size);
    }
  }
}

TEST_CASE("edges and corners that pass through samples draw them exactly once")
{
  // Corners on the samples themselves, i + 1/2: every tie that the top-left rule has to break.
  Random random(12);
  std::vector<std::array<ScreenCorner, 3>> triangles = cut_square(16, tile_size, 0.0, random);
  for (auto& corners : triangles)
    for (ScreenCorner& corner : corners) {
      corner.x -= 0.5;
      corner.y -= 0.5;
    }
  const Counts counts = count_cover(triangles, 0, 0);
  // The square now ends at 63.5: samples on its right and lower edge belong to the next one.
  for (int y = 0; y < tile_size; ++y)
    for (int x = 0; x < tile_size; ++x)
      CHECK(counts[tile_size * y + x] == (x < tile_size - 1 && y < tile_size - 1 ? 1 : 0));
}

TEST_CASE("coverage is that of the rounded corners and does not depend on the tile")
{
  Random random(13);
  for (int trial = 0; trial < 200; ++trial) {
    std::array<ScreenCorner, 3> corners;
    const double size = std::pow(10.0, random.uniform(0.0, 4.0));  // samples
    for (ScreenCorner& c : corners)
      c = {32.0 + random.uniform(-size, size), 32.0 + random.uniform(-size, size), 1.0};
    const auto made = make_screen_triangle(corners, 1);
    if (!made) continue;
    const ScreenTriangle& t = made->triangle;
    const int left = 64 * random.below(2), top = 64 * random.below(2);
    const Counts counts = count_cover({corners}, left, top);
    int wrong = 0;
    for (int i = 0; i < tile_size * tile_size; ++i) {
      // Strictly inside and strictly outside by doubles, exact here: products below 2^53.
      const double x = (left + i % tile_size + 0.5) * 256.0,
                   y = (top + i / tile_size + 0.5) * 256.0;
      double least = 1.0;
      for (int k = 0; k < 3; ++k) {
        const int n = (k + 1) % 3;
        const double edge =
            (double(t.x[n]) - t.x[k]) * (y - t.y[k]) - (double(t.y[n]) - t.y[k]) * (x - t.x[k]);
        least = std::min(least, edge);
      }
      if (least != 0.0) wrong += counts[i] != (least > 0.0 ? 1 : 0);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("keys are linear over a triangle and the larger one is seen")
{
  // Two triangles over the whole tile whose keys cross at x = 32.
  const std::array<ScreenCorner, 3> rising = {{{0, 0, 0}, {128, 0, 128}, {0, 128, 0}}};
  const std::array<ScreenCorner, 3> falling = {{{0, 0, 64}, {128, 0, -64}, {0, 128, 64}}};
  TileBuffer tile;
  tile.clear(-1e9f, 0);
  draw(make_screen_triangle(rising, 1)->triangle, 0, 0, tile);
  draw(make_screen_triangle(falling, 2)->triangle, 0, 0, tile);
  for (int y = 0; y < tile_size; ++y)
    for (int x = 0; x < tile_size; ++x) {
      const int i = tile_size * y + x;
      CHECK(tile.id[i] == (x >= 32 ? 1u : 2u));
      CHECK(tile.key[i] == doctest::Approx(std::max(x + 0.5, 63.5 - x)).epsilon(1e-6));
    }
}

TEST_CASE("triangles without area are not drawn and order tells the side")
{
  CHECK_FALSE(make_screen_triangle({{{1, 1, 0}, {1, 1, 0}, {5, 5, 0}}}, 1));
  CHECK_FALSE(make_screen_triangle({{{1, 1, 0}, {3, 3, 0}, {5, 5, 0}}}, 1));
  CHECK_FALSE(make_screen_triangle({{{1, 1, 0}, {1.001, 1, 0}, {1, 1.001, 0}}}, 1));  // < 1/256
  CHECK_FALSE(make_screen_triangle({{{0, 0, 0}, {9, 0, 0}, {0, 9, 0}}}, 1)->flipped);
  CHECK(make_screen_triangle({{{0, 0, 0}, {0, 9, 0}, {9, 0, 0}}}, 1)->flipped);
}

TEST_CASE("every tile lists the triangles that touch it, in order")
{
  Random random(14);
  std::vector<ScreenTriangle> triangles;
  for (int i = 0; i < 300; ++i) {
    std::array<ScreenCorner, 3> corners;
    const double x = random.uniform(-50, 350), y = random.uniform(-50, 250);
    for (ScreenCorner& c : corners)
      c = {x + random.uniform(-40, 40), y + random.uniform(-40, 40), 1.0};
    if (const auto made = make_screen_triangle(corners, i)) triangles.push_back(made->triangle);
  }
  const Tiles tiles(300, 200, 64, triangles);
  CHECK(tiles.columns == 5);
  CHECK(tiles.rows == 4);
  for (int tile = 0; tile < 20; ++tile) {
    const auto listed = tiles.touching[tile];
    CHECK(std::ranges::is_sorted(listed));
    for (int i = 0; i < static_cast<int>(triangles.size()); ++i) {
      TileBuffer buffer;
      buffer.clear(-1.0f, 0);
      ScreenTriangle t = triangles[i];
      t.id = 1;
      draw(t, tile % 5 * 64, tile / 5 * 64, buffer);
      if (std::ranges::count(buffer.id, 1u) > 0) CHECK(std::ranges::count(listed, i) == 1);
    }
  }
}

}  // namespace
}  // namespace tact
