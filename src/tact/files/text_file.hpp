// Whole text files in, whole text files out.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <tact/core/error.hpp>

namespace tact {

// The text of a regular file of at most 1 GiB. Throws Error that names the file otherwise.
std::string read_text(const std::filesystem::path& file);

// Writes a temporary file beside `file` and renames it, so that a reader sees the old text or the
// new one, never half of it. Throws WriteError and leaves `file` as it was when that fails. What is
// not a regular file (a pipe, a device) is written in place.
void write_text(const std::filesystem::path& file, std::string_view text);

// Foreign text made fit for one line of a message: in quotes, shortened, without control
// characters.
std::string excerpt(std::string_view text);

}  // namespace tact
