// Small print in a picture.
#pragma once

#include <string_view>

#include <tact/render/image.hpp>

namespace tact {

// Writes a line of ASCII into the lower left corner, in letters of 5 x 7 dots that grow with the
// picture. What does not fit is left out; other characters than ASCII become a box.
void draw_caption(Image& image, std::string_view text);

// The same with the upper left corner of the first letter at a pixel.
void draw_text(Image& image, int left, int top, std::string_view text);
// Pixels: of a text, and of a line of it.
int text_width(const Image& image, std::string_view text);
int text_height(const Image& image);

}  // namespace tact
