#include <tact/core/font_file.hpp>

#include <array>

#include <fmt/core.h>

namespace tact {
namespace {

struct FontFiles {
  const char* regular;
  const char* bold;
};

constexpr std::array font_files{
    FontFiles{"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",  // Debian, Ubuntu
              "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"},
    FontFiles{"/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",  // Fedora
              "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans-Bold.ttf"},
    FontFiles{"/usr/share/fonts/TTF/DejaVuSans.ttf",  // Arch
              "/usr/share/fonts/TTF/DejaVuSans-Bold.ttf"},
    FontFiles{"/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",  // Debian, Ubuntu
              "/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf"},
    FontFiles{"/usr/share/fonts/truetype/liberation2/LiberationSans-Regular.ttf",
              "/usr/share/fonts/truetype/liberation2/LiberationSans-Bold.ttf"},
    FontFiles{"/usr/share/fonts/truetype/freefont/FreeSans.ttf",
              "/usr/share/fonts/truetype/freefont/FreeSansBold.ttf"},
};

const char* file_of(const FontFiles& font, FontWeight weight)
{
  return weight == FontWeight::bold ? font.bold : font.regular;
}

}  // namespace

std::optional<std::filesystem::path> find_font(FontWeight weight)
{
  std::error_code ignored;
  for (const FontFiles& font : font_files)
    if (std::filesystem::is_regular_file(file_of(font, weight), ignored))
      return file_of(font, weight);
  return std::nullopt;
}

std::string no_font_message(FontWeight weight)
{
  return fmt::format(
      "found no font in {} and {} other usual places; install the Debian package "
      "fonts-dejavu-core",
      file_of(font_files[0], weight), font_files.size() - 1);
}

}  // namespace tact
