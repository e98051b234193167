#include <tact/core/printable.hpp>

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/core/memory_limit.hpp>

namespace tact {
namespace {

// The bytes of the character that text begins with and the number of it; length 0 where it begins
// with none: a lone or missing continuation, a form longer than needed, a surrogate, too large.
struct Character {
  std::size_t length = 0;
  char32_t code = 0;
};

Character first_character(std::string_view text)
{
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  char32_t code = lead & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {length, code};
}

// Control characters, marks and overrides of direction, separators of lines, byte order marks and
// tags that nobody sees.
bool steers(char32_t c)
{
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200b || c == 0x200e ||
         c == 0x200f || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) ||
         c == 0xfeff || (c >= 0xfff0 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe007f);
}

}  // namespace

std::string printable(std::string_view text)
{
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const auto [length, c] = first_character(text);
    if (length == 0)
      shown += "\xef\xbf\xbd";  // U+FFFD, the replacement character
    else if (c == '\n' || c == '\t')
      shown += ' ';
    else if (steers(c))
      shown += c < 0x80 ? fmt::format("\\x{:02x}", static_cast<unsigned>(c))
                        : fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      shown += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

std::string told(const OutOfMemory& error)
{
  if (error.limit() == 0) return printable(fmt::format("out of memory for {}", error.what()));
  return printable(fmt::format("out of memory for {}: it needs more than the {} of --memory",
                               error.what(), told_bytes(error.limit())));
}

std::string told(const std::exception& error)
{
  if (const auto* memory = dynamic_cast<const OutOfMemory*>(&error)) return told(*memory);
  if (dynamic_cast<const Error*>(&error)) return printable(error.what());
  if (wants_memory(error)) return "out of memory";
  return printable(fmt::format("this is a fault of tact, please report it: {}", error.what()));
}

}  // namespace tact
