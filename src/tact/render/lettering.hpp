// Words in a picture: outlines of a system font, rendered with soft edges by FreeType.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include <tact/core/font_file.hpp>
#include <tact/render/image.hpp>

namespace tact {

class FontFace;

// Letters in a size that grows with the picture. Without hinting and its settings: the same font
// and FreeType give the same pixels. Text is UTF-8; what the font lacks becomes its box. Without a
// font there are no words, and nothing else changes.
class Lettering {
 public:
  explicit Lettering(Image& image, const std::optional<std::filesystem::path>& font =
                                       find_font(FontWeight::regular));
  ~Lettering();

  // Pixels: of a text, of a capital letter, and of what hangs below the line.
  double width(std::string_view text) const;
  double height() const { return height_; }
  double depth() const { return depth_; }
  int size() const { return size_; }  // of the font: from line to line, about

  // With the upper left corner of a capital letter at a place. What does not fit is left out. A rim
  // of light keeps words readable in front of anything.
  void draw(double left, double top, std::string_view text);

 private:
  struct Line;
  double walk(std::string_view text, Line* line) const;

  Image& image_;
  std::unique_ptr<FontFace> font_;  // empty: none
  int size_ = 0;
  double height_ = 0.0;
  double depth_ = 0.0;
};

// Writes a line into the lower left corner.
void draw_caption(Image& image, std::string_view text);

}  // namespace tact
