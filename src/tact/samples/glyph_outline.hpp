// Outlines of glyphs, read by FreeType.
#pragma once

#include <filesystem>
#include <vector>

#include <tact/geometry/outline.hpp>

namespace tact {

// A Bezier curve of degree 1, 2 or 3: a straight line, or as TrueType and PostScript fonts have
// them.
struct GlyphCurve {
  int degree = 1;
  std::array<Vector2d, 4> points;  // degree + 1 of them

  Vector2d at(double t) const;
  double length() const;  // to about 1 %
};

struct GlyphOutline {
  std::vector<std::vector<GlyphCurve>> contours;  // closed, without lines of no length

  // Corners in about this distance along the curves; where curves meet there always is one.
  std::vector<Contour> flattened(double spacing) const;
};

// Scaled so that a capital H of the font is as high as given (m). Throws Error when the file is not
// a font, or lacks the letter or the H.
GlyphOutline read_glyph(const std::filesystem::path& font, char32_t letter, double capital_height);

}  // namespace tact
