// Pictures as PNG files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <tact/render/image.hpp>

namespace tact {

using PngTexts = std::vector<std::pair<std::string, std::string>>;  // keyword and text, Latin-1

std::vector<std::byte> encode_png(const Image& image, const PngTexts& texts = {});

// The file is there whole or not at all. Throws WriteError and leaves it as it was when that fails.
void write_png(const std::filesystem::path& file, const Image& image, const PngTexts& texts = {});

}  // namespace tact
