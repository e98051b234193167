#include <tact/render/render.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/render/lettering.hpp>
#include <tact/render/projection.hpp>
#include <tact/render/scene_geometry.hpp>
#include <tact/render/shading.hpp>
#include <tact/render/tiles.hpp>

namespace tact {
namespace {

void validate(const RenderOptions& options)
{
  const auto require = [](const char* what, int value, int low, int high) {
    if (value < low || value > high)
      throw Error(fmt::format("render: {} is {}, expected {} to {}", what, value, low, high));
  };
  require("width", options.width, 1, 8192);
  require("height", options.height, 1, 8192);
  require("supersampling", options.supersampling, 1, 4);
  require("shadow_resolution", options.shadow_resolution, 64, 8192);
}

// A line becomes a ribbon that faces the viewer, a little nearer than what it lies on.
void project_line(const Projection& projection, const RenderLine& line, double samples_a_pixel,
                  std::uint32_t id, std::vector<ScreenTriangle>& out)
{
  constexpr double nearer = 0.999;
  Vector3d a = nearer * projection.view(line.from);
  Vector3d b = nearer * projection.view(line.to);
  if (a.z() > b.z()) std::swap(a, b);
  if (b.z() <= projection.near) return;
  if (a.z() < projection.near) a += (projection.near - a.z()) / (b.z() - a.z()) * (b - a);
  const ScreenCorner sa = projection.screen(a), sb = projection.screen(b);
  Vector2d across(sa.y - sb.y, sb.x - sa.x);
  if (!(across.norm() > 0.0)) return;
  across *= 0.5 * line.width * samples_a_pixel / (across.norm() * projection.focal);
  const Vector3d side(across.x(), across.y(), 0.0);
  const std::array<Vector3d, 4> q = {a - side * a.z(), a + side * a.z(), b + side * b.z(),
                                     b - side * b.z()};
  project_triangle(projection, {q[0], q[1], q[2]}, id, true, out);
  project_triangle(projection, {q[0], q[2], q[3]}, id, true, out);
}

std::vector<ScreenTriangle> project(const RenderScene& scene, const SceneGeometry& geometry,
                                    const Projection& projection, int supersampling)
{
  const int triangles = geometry.triangle_count();
  const int lines = static_cast<int>(scene.lines.size());
  return collect_triangles(triangles + lines, [&](int i, std::vector<ScreenTriangle>& out) {
    const auto id = static_cast<std::uint32_t>(i);
    if (i >= triangles) {
      project_line(projection, scene.lines[i - triangles], supersampling, id, out);
      return;
    }
    std::array<Vector3d, 3> seen;
    const Corners corners = geometry.corners(i);
    for (int k = 0; k < 3; ++k) seen[k] = projection.axes * corners[k].cast<double>();
    project_triangle(projection, seen, id, scene.meshes[geometry.mesh[i]].two_sided, out);
  });
}

// Fills a tile with what lies behind all triangles. The forward distance to the ground is
// (height - eye) / ray.y, so that its key ray.y / (height - eye) is linear on the screen.
struct Backdrop {
  bool ground = false;
  double corner = 0.0, dx = 0.0, dy = 0.0;

  Backdrop(const RenderScene& scene, const Projection& p)
  {
    if (!scene.ground || p.eye.y() <= scene.ground->height) return;  // unseen from below
    // Sunk by a hair, so that what lies flat on it is seen.
    const double below = (scene.ground->height - p.eye.y()) * (1.0 + 1e-5);
    ground = true;
    corner = p.ray(0.0, 0.0).y() / below;
    dx = p.axes(0, 1) / p.focal / below;
    dy = p.axes(1, 1) / p.focal / below;
  }

  void operator()(int left, int top, TileBuffer& tile) const
  {
    if (!ground) return tile.clear(0.0f, seen_nothing);
    for (int y = 0; y < tile_size; ++y) {
      const float start = static_cast<float>(corner + dx * (left + 0.5) + dy * (top + y + 0.5));
      for (int x = 0; x < tile_size; ++x) {
        const float key = start + static_cast<float>(dx) * static_cast<float>(x);
        tile.key[tile_size * y + x] = key > 0.0f ? key : 0.0f;
        tile.id[tile_size * y + x] = key > 0.0f ? seen_ground : seen_nothing;
      }
    }
  }
};

// From linear light to bytes, through a table that is finer than the bytes everywhere but in the
// deepest black.
class Encoder {
 public:
  Encoder()
  {
    for (int i = 0; i < size; ++i)
      table_[i] = static_cast<std::uint8_t>(
          std::lrint(255.0f * linear_to_srgb(static_cast<float>(i) / (size - 1))));
  }
  void operator()(const Color& color, std::uint8_t* pixel) const
  {
    for (int k = 0; k < 3; ++k) {
      const float clamped = color[k] > 0.0f ? std::min(color[k], 1.0f) : 0.0f;  // 0 for NaN
      pixel[k] = table_[std::lrint(clamped * (size - 1))];
    }
  }

 private:
  static constexpr int size = 8192;
  std::array<std::uint8_t, size> table_;
};

// Whether all samples of a pixel show the same: most pixels do.
bool is_uniform(const TileBuffer& tile, int x, int y, int side)
{
  const std::uint32_t id = tile.id[tile_size * y + x];
  std::uint32_t different = 0;
  for (int j = y; j < y + side; ++j)
    for (int i = x; i < x + side; ++i) different |= tile.id[tile_size * j + i] ^ id;
  return different == 0;
}

// What the samples of a pixel show, each thing once; triangles that go over into each other
// smoothly count as one.
class PixelContent {
 public:
  PixelContent(const Shading& shading, const TileBuffer& tile, int x, int y, int side)
      : shading_(shading)
  {
    for (int j = y; j < y + side; ++j)
      for (int i = x; i < x + side; ++i) add(tile.id[tile_size * j + i], i, j);
  }

  // The mean over the samples; each thing is shaded in the middle of the samples that show it.
  Color color(int left, int top) const
  {
    Color sum = Color::Zero();
    int total = 0;
    for (int k = 0; k < size_; ++k) {
      const Thing& thing = things_[k];
      const float own = static_cast<float>(thing.own);
      const float x = static_cast<float>(left) + static_cast<float>(thing.x) / own + 0.5f;
      const float y = static_cast<float>(top) + static_cast<float>(thing.y) / own + 0.5f;
      sum += static_cast<float>(thing.count) * shading_.color(thing.id, x, y);
      total += thing.count;
    }
    return sum / static_cast<float>(total);
  }

 private:
  struct Thing {
    std::uint32_t id;
    int count;      // samples that it stands for
    int own, x, y;  // samples of this very triangle, and sums of their places
  };

  void add(std::uint32_t id, int x, int y)
  {
    for (int k = 0; k < size_; ++k) {
      Thing& thing = things_[k];
      const bool same = thing.id == id;
      if (!same && !shading_.alike(thing.id, id)) continue;
      ++thing.count;
      if (same) {
        ++thing.own;
        thing.x += x;
        thing.y += y;
      }
      return;
    }
    things_[size_++] = {id, 1, 1, x, y};
  }

  const Shading& shading_;
  std::array<Thing, 16> things_;
  int size_ = 0;
};

Color pixel_color(const Shading& shading, const TileBuffer& tile, int x, int y, int left, int top,
                  int side)
{
  if (!is_uniform(tile, x, y, side))
    return PixelContent(shading, tile, x, y, side).color(left, top);
  const float middle = 0.5f * static_cast<float>(side);
  return shading.color(tile.id[tile_size * y + x], static_cast<float>(left + x) + middle,
                       static_cast<float>(top + y) + middle);
}

}  // namespace

Image render(const RenderScene& scene, const Camera& camera, const RenderOptions& options)
{
  validate(options);
  validate(camera);
  validate(scene);
  const int side = options.supersampling;
  const int width = options.width * side;
  const int height = options.height * side;
  const Projection projection(camera, width, height);
  const SceneGeometry geometry = gather_geometry(scene, camera.eye);
  const Shading shading(scene, geometry, projection, options);
  const Tiles tiles(width, height, tile_size / side * side,
                    project(scene, geometry, projection, side));
  const Encoder encode;
  Image image(options.width, options.height);
  for_each_tile(tiles, Backdrop(scene, projection), [&](int left, int top, const TileBuffer& tile) {
    const int columns = std::min(tiles.step, width - left);
    const int rows = std::min(tiles.step, height - top);
    for (int y = 0; y < rows; y += side)
      for (int x = 0; x < columns; x += side)
        encode(pixel_color(shading, tile, x, y, left, top, side),
               image.pixel((left + x) / side, (top + y) / side));
  });
  draw_caption(image, scene.caption);
  return image;
}

}  // namespace tact
