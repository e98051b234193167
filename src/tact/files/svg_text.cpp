#include <tact/files/svg_text.hpp>

namespace tact {

std::string svg_text(const std::string& text)
{
  std::string out;
  for (const char letter : text) {
    switch (letter) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += letter;
    }
  }
  return out;
}

}  // namespace tact
