#include <cli/console.hpp>

#include <cstdlib>
#include <ostream>

#include <fmt/core.h>

#include <tact/core/printable.hpp>

namespace tact::cli {

bool Console::color() const
{
  const char* off = std::getenv("NO_COLOR");
  return out_is_terminal && !no_color && !(off && *off);
}

std::string Console::paint(std::string_view text, Tone tone) const
{
  if (!color() || tone == Tone::plain) return std::string(text);
  const int code = tone == Tone::good ? 32 : tone == Tone::bad ? 31 : 2;  // green, red, faint
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

void Console::complain(std::string_view message) const
{
  err << "tact: " << printable(message) << std::endl;
}

void Console::tell(std::string_view message) const
{
  if (verbosity != Verbosity::quiet) complain(message);
}

void Console::detail(std::string_view message) const
{
  if (verbosity == Verbosity::verbose) complain(message);
}

}  // namespace tact::cli
