#include <cli/progress.hpp>

#include <ostream>
#include <string>

#include <fmt/core.h>

namespace tact::cli {
namespace {

constexpr double patience = 0.5;         // s before a terminal hears of it
constexpr double blink = 0.1;            // s between two of its lines
constexpr double plain_interval = 10.0;  // s between lines elsewhere
constexpr const char* clear_line = "\r\x1b[K";

}  // namespace

Progress::~Progress()
{
  if (line_is_open_) console_.err << clear_line << std::flush;
}

void Progress::begin(std::string_view what)
{
  const int finished = begun_++;
  if (console_.verbosity == Verbosity::verbose) console_.detail(what);
  if (!due()) return;
  tell(begun_, finished > 0 ? timer_.seconds() / finished * (steps_ - finished) : 0.0, what);
}

void Progress::at(int finished, std::string_view what)
{
  if (first_ < 0) first_ = finished - 1;
  if (!due()) return;
  tell(finished, timer_.seconds() / (finished - first_) * (steps_ - finished), what);
}

bool Progress::due()
{
  if (console_.verbosity != Verbosity::normal) return false;
  const double now = timer_.seconds();
  const bool yes = console_.err_is_terminal ? now > patience && now - told_at_ > blink
                                            : now - told_at_ > plain_interval;
  if (yes) told_at_ = now;
  return yes;
}

void Progress::tell(int number, double left, std::string_view what)
{
  const std::string line =
      fmt::format("{} of {}, about {:.0f} s left: {}", number, steps_, left, what);
  if (!console_.err_is_terminal) return console_.tell(line);
  console_.err << clear_line << line << std::flush;
  line_is_open_ = true;
}

}  // namespace tact::cli
