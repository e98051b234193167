#include <tact/samples/glyph_outline.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/core/font_face.hpp>
#include FT_OUTLINE_H

namespace tact {
namespace {

// In units of the font, valid until the next call.
FT_Outline& outline_of(const FontFace& font, const std::string& file, char32_t letter)
{
  const FT_Face face = font.get();
  const FT_UInt glyph = FT_Get_Char_Index(face, letter);
  if (glyph == 0)
    throw Error(fmt::format("{}: the font has no letter U+{:04X}", file,
                            static_cast<std::uint32_t>(letter)));
  if (FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE) != 0 ||
      face->glyph->format != FT_GLYPH_FORMAT_OUTLINE)
    throw Error(fmt::format("{}: the outline of U+{:04X} cannot be read", file,
                            static_cast<std::uint32_t>(letter)));
  return face->glyph->outline;
}

// Takes down what FreeType tells of an outline.
struct OutlineReader {
  GlyphOutline outline;
  double scale = 1.0;
  Vector2d at = Vector2d::Zero();

  Vector2d point(const FT_Vector* v) const
  {
    return scale * Vector2d(static_cast<double>(v->x), static_cast<double>(v->y));
  }

  int add(int degree, const std::array<const FT_Vector*, 3>& to)
  {
    GlyphCurve curve{degree, {at}};
    for (int k = 0; k < degree; ++k) curve.points[k + 1] = point(to[k]);
    at = curve.points[degree];
    if (degree > 1 || curve.points[0] != at) outline.contours.back().push_back(curve);
    return 0;
  }

  static OutlineReader& self(void* user) { return *static_cast<OutlineReader*>(user); }

  FT_Outline_Funcs functions() const
  {
    FT_Outline_Funcs table{};
    table.move_to = [](const FT_Vector* to, void* user) {
      self(user).at = self(user).point(to);
      self(user).outline.contours.emplace_back();
      return 0;
    };
    table.line_to = [](const FT_Vector* to, void* user) { return self(user).add(1, {to}); };
    table.conic_to = [](const FT_Vector* a, const FT_Vector* to, void* user) {
      return self(user).add(2, {a, to});
    };
    table.cubic_to = [](const FT_Vector* a, const FT_Vector* b, const FT_Vector* to, void* user) {
      return self(user).add(3, {a, b, to});
    };
    return table;
  }
};

double height_of(FT_Outline& outline)
{
  FT_BBox box;
  FT_Outline_Get_CBox(&outline, &box);
  return static_cast<double>(box.yMax - box.yMin);
}

}  // namespace

Vector2d GlyphCurve::at(double t) const
{
  std::array<Vector2d, 4> p = points;  // de Casteljau
  for (int level = degree; level > 0; --level)
    for (int k = 0; k < level; ++k) p[k] = (1.0 - t) * p[k] + t * p[k + 1];
  return p[0];
}

double GlyphCurve::length() const
{
  constexpr int chords = 16;
  double sum = 0.0;
  for (int k = 0; k < chords; ++k)
    sum += (at(double(k + 1) / chords) - at(double(k) / chords)).norm();
  return sum;
}

std::vector<Contour> GlyphOutline::flattened(double spacing) const
{
  std::vector<Contour> flat;
  for (const std::vector<GlyphCurve>& curves : contours) {
    Contour& contour = flat.emplace_back();
    for (const GlyphCurve& curve : curves) {
      const int pieces = std::max(1, static_cast<int>(std::lround(curve.length() / spacing)));
      for (int k = 0; k < pieces; ++k) contour.push_back(curve.at(double(k) / pieces));
    }
  }
  return flat;
}

GlyphOutline read_glyph(const std::filesystem::path& file, char32_t letter, double capital_height)
{
  const std::string name = file.string();
  const FontFace font(name);
  OutlineReader reader;
  reader.scale = capital_height / height_of(outline_of(font, name, U'H'));
  const FT_Outline_Funcs functions = reader.functions();
  FT_Outline& outline = outline_of(font, name, letter);
  if (FT_Outline_Decompose(&outline, &functions, &reader) != 0)
    throw Error(fmt::format("{}: the outline of U+{:04X} is damaged", file.string(),
                            static_cast<std::uint32_t>(letter)));
  std::erase_if(reader.outline.contours, [](const auto& contour) { return contour.empty(); });
  if (reader.outline.contours.empty())
    throw Error(fmt::format("{}: U+{:04X} is blank, expected a letter with an outline",
                            file.string(), static_cast<std::uint32_t>(letter)));
  return reader.outline;
}

}  // namespace tact
