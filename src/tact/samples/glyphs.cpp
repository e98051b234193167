#include <tact/samples/glyphs.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <tact/core/error.hpp>
#include <tact/core/font_file.hpp>
#include <tact/geometry/shape_arguments.hpp>
#include <tact/geometry/shapes.hpp>
#include <tact/samples/glyph_outline.hpp>

namespace tact {
namespace {

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

// The distance of corners for which two faces of about n triangles and sides of 2 n triangles a
// layer make as many as asked for.
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

}  // namespace

std::filesystem::path find_letter_font()
{
  if (const auto font = find_font(FontWeight::bold)) return *font;
  throw Error("letters: " + no_font_message(FontWeight::bold));
}

TriMesh make_letter(char32_t letter, const LetterOptions& options)
{
  require_usable(options);
  const GlyphOutline outline =
      read_glyph(options.font.empty() ? find_letter_font() : options.font, letter, options.height);
  const double spacing = choose_spacing(outline, options);
  TriMesh mesh =
      make_extrusion(outline.flattened(spacing), options.depth, layers_for(options.depth, spacing));
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
