// Fonts of the system, for letters as bodies and for words in pictures.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tact {

enum class FontWeight { regular, bold };

// A font without serifs in one of the places where systems keep them.
std::optional<std::filesystem::path> find_font(FontWeight weight);

// "found no font in ... and 5 other usual places; install ..."
std::string no_font_message(FontWeight weight);

}  // namespace tact
