#include <tact/render/lettering.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <tact/core/font_face.hpp>
#include FT_OUTLINE_H

namespace tact {
namespace {

using Rgb = std::array<int, 3>;  // sRGB

constexpr int rows_per_letter = 36;  // of the picture; a letter is as high as one of so many lines
constexpr int least_size = 12;       // pixels
constexpr double caption_gap = 0.8;  // sizes, from the edges of the picture
constexpr double rim = 0.12;         // sizes, and at least
constexpr double least_rim = 1.5;    // pixels
constexpr Rgb letter_ink = {40, 45, 52}, rim_light = {255, 255, 255};
constexpr double rim_opacity = 0.85;
constexpr char32_t replacement = 0xFFFD;  // Unicode's sign for what cannot be read

// The next letter of UTF-8, which is taken from the text. Bytes that are none are taken one by one.
char32_t take_letter(std::string_view& text)
{
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  bool whole = length > 0 && length <= text.size();
  char32_t letter = length == 1 ? first : first & (0x7Fu >> length);
  for (std::size_t i = 1; whole && i < length; ++i) {
    whole = (byte(i) & 0xC0) == 0x80;
    letter = letter << 6 | (byte(i) & 0x3F);
  }
  text.remove_prefix(whole ? length : 1);
  return whole ? letter : replacement;
}

void blend(std::uint8_t* pixel, const Rgb& to, double share)
{
  for (int k = 0; k < 3; ++k)
    pixel[k] = static_cast<std::uint8_t>(std::lround(pixel[k] + share * (to[k] - pixel[k])));
}

}  // namespace

// The share of each pixel of a part of the picture that letters cover, 0 to 255.
struct Lettering::Line {
  int left = 0, top = 0, width = 0, height = 0;
  double start = 0.0, baseline = 0.0;  // pixels of the picture
  std::vector<std::uint8_t> cover = {};

  int at(int x, int y) const
  {
    const bool inside = x >= 0 && y >= 0 && x < width && y < height;
    return inside ? cover[static_cast<std::size_t>(y) * width + x] : 0;
  }

  void add(const FT_Bitmap& bitmap, int x0, int y0)
  {
    for (int y = 0; y < static_cast<int>(bitmap.rows); ++y)
      for (int x = 0; x < static_cast<int>(bitmap.width); ++x) {
        const int to_x = x0 + x - left, to_y = y0 + y - top;
        if (to_x < 0 || to_y < 0 || to_x >= width || to_y >= height) continue;
        std::uint8_t& place = cover[static_cast<std::size_t>(to_y) * width + to_x];
        place = std::max(place, bitmap.buffer[y * bitmap.pitch + x]);
      }
  }

  // The most that any pixel within a distance is covered, with a soft edge of one pixel.
  double reach(int x, int y, double distance) const
  {
    const int steps = static_cast<int>(std::ceil(distance));
    double most = 0.0;
    for (int j = -steps; j <= steps; ++j)
      for (int i = -steps; i <= steps; ++i) {
        const double share = std::min(1.0, distance + 0.5 - std::hypot(i, j));
        if (share > 0.0) most = std::max(most, share * at(x + i, y + j));
      }
    return most / 255.0;
  }
};

Lettering::Lettering(Image& image, const std::optional<std::filesystem::path>& font) : image_(image)
{
  if (!font) return;
  font_ = std::make_unique<FontFace>(font->string());
  const FT_Face face = font_->get();
  size_ = std::max(least_size, image.height / rows_per_letter);
  FT_Set_Pixel_Sizes(face, 0, static_cast<FT_UInt>(size_));
  if (FT_Load_Char(face, U'H', FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) == 0)
    height_ = static_cast<double>(face->glyph->metrics.horiBearingY) / 64.0;
  depth_ = -static_cast<double>(face->size->metrics.descender) / 64.0;
}

Lettering::~Lettering() = default;

// Goes through the glyphs from left to right, draws them where a line is given, and returns how far
// it came.
double Lettering::walk(std::string_view text, Line* line) const
{
  double pen = 0.0;
  FT_UInt previous = 0;
  const FT_Face face = font_->get();
  while (!text.empty()) {
    const FT_UInt glyph = FT_Get_Char_Index(face, take_letter(text));
    FT_Vector kerning{};
    FT_Get_Kerning(face, previous, glyph, FT_KERNING_UNFITTED, &kerning);
    pen += static_cast<double>(kerning.x) / 64.0;
    previous = glyph;
    if (FT_Load_Glyph(face, glyph, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) != 0) continue;
    const double advance = static_cast<double>(face->glyph->linearHoriAdvance) / 65536.0;
    if (line && face->glyph->format == FT_GLYPH_FORMAT_OUTLINE) {
      const double x = line->start + pen, whole = std::floor(x);
      FT_Outline_Translate(&face->glyph->outline, std::lround(64.0 * (x - whole)), 0);
      if (FT_Render_Glyph(face->glyph, FT_RENDER_MODE_NORMAL) == 0)
        line->add(face->glyph->bitmap, static_cast<int>(whole) + face->glyph->bitmap_left,
                  static_cast<int>(line->baseline) - face->glyph->bitmap_top);
    }
    pen += advance;
  }
  return pen;
}

double Lettering::width(std::string_view text) const
{
  return font_ ? walk(text, nullptr) : 0.0;
}

void Lettering::draw(double left, double top, std::string_view text)
{
  if (!font_) return;
  const double rim_width = std::max(least_rim, rim * size_);
  const int border = static_cast<int>(rim_width) + size_;  // letters may lean out
  const double right = left + walk(text, nullptr);
  Line line{.left = std::max(0, static_cast<int>(left) - border),
            .top = std::max(0, static_cast<int>(top) - border),
            .start = left,
            .baseline = std::round(top + height_)};
  line.width = std::min<double>(image_.width, right + border) - line.left;
  line.height = std::min<double>(image_.height, line.baseline + depth_ + border) - line.top;
  if (line.width <= 0 || line.height <= 0) return;
  line.cover.resize(static_cast<std::size_t>(line.width) * line.height);
  walk(text, &line);
  for (int y = 0; y < line.height; ++y)
    for (int x = 0; x < line.width; ++x) {
      std::uint8_t* pixel = image_.pixel(line.left + x, line.top + y);
      blend(pixel, rim_light, rim_opacity * line.reach(x, y, rim_width));
      blend(pixel, letter_ink, line.at(x, y) / 255.0);
    }
}

void draw_caption(Image& image, std::string_view text)
{
  if (text.empty()) return;
  Lettering letters(image);
  const double gap = caption_gap * letters.size();
  letters.draw(gap, image.height - gap - letters.depth() - letters.height(), text);
}

}  // namespace tact
