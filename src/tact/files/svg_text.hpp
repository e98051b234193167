// Words for pictures in SVG.
#pragma once

#include <string>

namespace tact {

// The text with what XML takes for markup written as entities.
std::string svg_text(const std::string& text);

}  // namespace tact
