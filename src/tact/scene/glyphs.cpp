#include <tact/scene/glyphs.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/geometry/shape_arguments.hpp>
#include <tact/scene/glyph_outline.hpp>

namespace tact {
namespace {

constexpr std::array font_files{
    "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",          // Debian, Ubuntu
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans-Bold.ttf",        // Fedora
    "/usr/share/fonts/TTF/DejaVuSans-Bold.ttf",                      // Arch
    "/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf",  // Debian, Ubuntu
    "/usr/share/fonts/truetype/liberation2/LiberationSans-Bold.ttf",
    "/usr/share/fonts/truetype/freefont/FreeSansBold.ttf",
};

void require_usable(const LetterOptions& options)
{
  require_length("make_letter", "height", options.height);
  require_length("make_letter", "depth", options.depth);
  require_count("make_letter", "triangles", options.triangles, 20, 1'000'000);
  require_count("make_letter", "tetrahedra", options.tetrahedra, 6, 1'000'000);
}

int layers_for(double depth, double spacing)
{
  return std::max(1, static_cast<int>(std::lround(depth / spacing)));
}

// The distance of corners for which two faces of about n triangles and sides of 2 n triangles a layer
// make as many as asked for.
double choose_spacing(const GlyphOutline& outline, const LetterOptions& options)
{
  double length = 0.0;
  for (const auto& contour : outline.contours)
    for (const GlyphCurve& curve : contour) length += curve.length();
  double best = length;
  double least = std::numeric_limits<double>::infinity();
  // The number goes up and down a little as corners move together, so that all are tried.
  for (double spacing = length / 3.0; spacing > length / options.triangles; spacing *= 0.97) {
    std::size_t corners = 0;
    for (const Contour& contour : outline.flattened(spacing)) corners += contour.size();
    const double count =
        2.0 * static_cast<double>(corners) * (1 + layers_for(options.depth, spacing));
    const double miss = std::abs(count - options.triangles);
    if (miss < least) {
      least = miss;
      best = spacing;
    }
  }
  return best;
}

// The flat shape moved along z in layers. Sides stand on the edges that have a triangle on their left
// only.
TriMesh extruded(const std::vector<Contour>& contours, double depth, int layers)
{
  const std::vector<Triangle> face = triangulate_outline(contours);
  TriMesh mesh;
  for (int layer = 0; layer <= layers; ++layer)
    for (const Contour& contour : contours)
      for (const Vector2d& p : contour)
        mesh.positions.emplace_back(p[0], p[1], depth * (double(layer) / layers - 0.5));
  const int n = mesh.vertex_count() / (layers + 1);
  const int top = n * layers;
  std::set<Edge> directed;
  for (const Triangle& t : face) {
    mesh.triangles.push_back({t[0], t[2], t[1]});
    mesh.triangles.push_back({top + t[0], top + t[1], top + t[2]});
    for (int k = 0; k < 3; ++k) directed.insert({t[k], t[(k + 1) % 3]});
  }
  for (const Edge& edge : directed) {
    if (directed.contains({edge[1], edge[0]})) continue;
    for (int layer = 0; layer < layers; ++layer) {
      const int a = layer * n + edge[0], b = layer * n + edge[1], c = b + n, d = a + n;
      if ((edge[0] + layer) % 2 == 0) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      } else {
        mesh.triangles.push_back({b, c, d});
        mesh.triangles.push_back({b, d, a});
      }
    }
  }
  return mesh;
}

}  // namespace

std::filesystem::path find_letter_font()
{
  for (const char* file : font_files)
    if (std::filesystem::is_regular_file(file)) return file;
  throw Error(
      fmt::format("letters: found no font in {} and {} other usual places; install the Debian "
                  "package fonts-dejavu-core",
                  font_files[0], font_files.size() - 1));
}

TriMesh make_letter(char32_t letter, const LetterOptions& options)
{
  require_usable(options);
  const GlyphOutline outline =
      read_glyph(options.font.empty() ? find_letter_font() : options.font, letter, options.height);
  const double spacing = choose_spacing(outline, options);
  TriMesh mesh =
      extruded(outline.flattened(spacing), options.depth, layers_for(options.depth, spacing));
  const Vector3d middle = bounding_box(mesh.positions).centre();
  for (Vector3d& p : mesh.positions) p -= middle;
  return mesh;
}

Lattice make_soft_letter(char32_t letter, const LetterOptions& options)
{
  const TriMesh surface = make_letter(letter, options);
  return fit_lattice(surface, lattice_cell(surface, options.tetrahedra));
}

}  // namespace tact
