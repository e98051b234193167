#include <cli/progress.hpp>

#include <ostream>
#include <string>

#include <fmt/core.h>

namespace tact::cli {
namespace {

constexpr double patience = 0.5;         // s before a terminal hears of it
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
  if (console_.verbosity != Verbosity::normal) return;
  const double now = timer_.seconds();
  const bool due = console_.err_is_terminal ? now > patience : now - told_at_ > plain_interval;
  if (!due) return;
  told_at_ = now;
  const double left = finished > 0 ? now / finished * (steps_ - finished) : 0.0;
  const std::string line =
      fmt::format("{} of {}, about {:.0f} s left: {}", begun_, steps_, left, what);
  if (!console_.err_is_terminal) return console_.tell(line);
  console_.err << clear_line << line << std::flush;
  line_is_open_ = true;
}

}  // namespace tact::cli
