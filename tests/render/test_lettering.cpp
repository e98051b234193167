// Words in pictures: where they stand, what they cover, and what happens without a font.
#include <algorithm>

#include <doctest/doctest.h>

#include <tact/core/error.hpp>
#include <tact/render/lettering.hpp>

namespace tact {
namespace {

using Rgb = std::array<std::uint8_t, 3>;

Image paper(int width, int height)
{
  Image image(width, height);
  image.rgb.assign(image.rgb.size(), 255);
  return image;
}

// False, and said so, on systems without any font.
bool have_font()
{
  if (find_font(FontWeight::regular)) return true;
  MESSAGE("skipped: ", no_font_message(FontWeight::regular));
  return false;
}

struct Inked {
  int left = 1 << 20, right = -1, top = 1 << 20, bottom = -1;  // pixels with ink
  int full = 0, soft = 0;                                      // dark pixels, and those of edges
};

Inked inked(const Image& image)
{
  Inked result;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const int green = image.at(x, y)[1];
      if (green == 255) continue;
      result.left = std::min(result.left, x);
      result.right = std::max(result.right, x);
      result.top = std::min(result.top, y);
      result.bottom = std::max(result.bottom, y);
      ++(green < 60 ? result.full : result.soft);
    }
  return result;
}

TEST_CASE("letters are as wide and high as they say, with soft edges, the same each time")
{
  if (!have_font()) return;
  Image image = paper(400, 720);
  Lettering letters(image);
  const double width = letters.width("HELIX 15");
  letters.draw(30, 50, "HELIX 15");
  const Inked where = inked(image);
  CHECK(where.left >= 30);
  CHECK(where.right <= 30 + width);
  CHECK(where.right > 30 + 0.9 * width);
  CHECK(where.top >= 49);
  CHECK(std::abs(where.bottom - 50 - letters.height()) <= 1.0);  // capitals stand on the line
  CHECK(where.full > 100);
  CHECK(where.soft > 50);
  Image again = paper(400, 720);
  Lettering(again).draw(30, 50, "HELIX 15");
  CHECK(image == again);
}

TEST_CASE("letters grow with the picture, and a text is as wide as its parts but for kerning")
{
  if (!have_font()) return;
  Image small = paper(10, 720), large = paper(10, 1440);
  const Lettering at_720(small), at_1440(large);
  CHECK(at_1440.height() == doctest::Approx(2.0 * at_720.height()).epsilon(0.02));
  CHECK(at_1440.width("body") == doctest::Approx(2.0 * at_720.width("body")).epsilon(0.02));
  CHECK(at_720.width("") == 0.0);
  CHECK(at_720.width("box box") ==
        doctest::Approx(2.0 * at_720.width("box") + at_720.width(" ")).epsilon(0.02));
}

TEST_CASE("UTF-8 is read as such; bytes that are none become one sign each")
{
  if (!have_font()) return;
  Image image = paper(200, 100);
  Lettering letters(image);
  CHECK(letters.width("\xC3\xA4") ==
        doctest::Approx(letters.width("a")).epsilon(0.01));  // an umlaut
  const double sign = letters.width("\xEF\xBF\xBD");
  for (const char* text : {"\x80", "\xFF", "\xC3", "\xE2\x82", "\xC0"})
    CHECK(letters.width(text) == doctest::Approx(sign * double(std::string_view(text).size())));
  letters.draw(10, 10, "\xF0\x9F\x98\x80 \xED\xA0\x80\x01");  // a face, a surrogate, a control sign
}

TEST_CASE("words are readable in front of black as of white")
{
  if (!have_font()) return;
  Image image(200, 720);  // black
  Lettering letters(image);
  letters.draw(20, 100, "names");
  int lit = 0;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) lit += image.rgb[i] > 150;
  CHECK(lit > 100);  // the rim
}

TEST_CASE("a caption stays in its corner")
{
  if (!have_font()) return;
  Image image = paper(300, 200);
  draw_caption(image, "t = 1.5 s");
  const Inked where = inked(image);
  const Lettering letters(image);
  CHECK(where.left > 4);
  CHECK(where.right < 2 * letters.size() + letters.width("t = 1.5 s"));
  CHECK(where.top > 200 - 3 * letters.size());
  CHECK(where.bottom < 200 - 4);
  for (const auto& [width, height] : {std::pair{3, 3}, {1, 100}, {100, 1}}) {
    Image tiny = paper(width, height);
    draw_caption(tiny, "does not fit and does no harm");
  }
}

TEST_CASE("words far outside of a picture, or without a font, change nothing")
{
  Image image = paper(64, 48);
  for (const auto& [left, top] : {std::pair{-1e5, 10.0}, {1e5, 10.0}, {10.0, -1e5}, {10.0, 1e5}})
    Lettering(image).draw(left, top, "far away");
  CHECK(image == paper(64, 48));
  Lettering none(image, std::nullopt);
  CHECK(none.width("text") == 0.0);
  none.draw(10, 10, "text");
  CHECK(image == paper(64, 48));
  CHECK_THROWS_AS(Lettering(image, "/dev/null"), Error);
}

}  // namespace
}  // namespace tact
