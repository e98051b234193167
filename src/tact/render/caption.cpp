#include <tact/render/caption.hpp>

#include <algorithm>

#include <tact/render/font.hpp>

namespace tact {
namespace {

constexpr int advance = 6;            // dots from letter to letter
constexpr int caption_margin = 8;     // dots from the edges of the picture
constexpr int lines_per_scale = 480;  // a dot becomes one pixel larger every so many rows
constexpr int ink[3] = {52, 58, 66};  // sRGB
constexpr int opacity = 205;          // of 256

const Glyph& glyph(char c)
{
  const int code = static_cast<unsigned char>(c);
  return code >= 32 && code < 127 ? font[code - 32] : unknown_glyph;
}

int dot_size(const Image& image)  // pixels
{
  return 1 + image.height / lines_per_scale;
}

void draw_dot(Image& image, int left, int top, int size)
{
  for (int y = std::max(0, top); y < std::min(image.height, top + size); ++y)
    for (int x = std::max(0, left); x < std::min(image.width, left + size); ++x) {
      std::uint8_t* pixel = image.pixel(x, y);
      for (int k = 0; k < 3; ++k)
        pixel[k] = static_cast<std::uint8_t>(pixel[k] + (ink[k] - pixel[k]) * opacity / 256);
    }
}

}  // namespace

int text_width(const Image& image, std::string_view text)
{
  return static_cast<int>(text.size()) * advance * dot_size(image);
}

int text_height(const Image& image)
{
  return 7 * dot_size(image);
}

void draw_caption(Image& image, std::string_view text)
{
  const int margin = caption_margin * dot_size(image);
  draw_text(image, margin, image.height - margin - text_height(image), text);
}

void draw_text(Image& image, int left, int top, std::string_view text)
{
  const int scale = dot_size(image);
  for (const char c : text) {
    if (left >= image.width) return;
    const Glyph& rows = glyph(c);
    for (int y = 0; y < 7; ++y)
      for (int x = 0; x < 5; ++x)
        if (rows[y] >> (4 - x) & 1) draw_dot(image, left + x * scale, top + y * scale, scale);
    left += advance * scale;
  }
}

}  // namespace tact
