// How far long work has come, on stderr: one line that rewrites itself on a terminal, a plain line
// every ten seconds elsewhere, nothing with --quiet and nothing for work that is over at once.
#pragma once

#include <string_view>

#include <cli/console.hpp>
#include <tact/core/timer.hpp>

namespace tact::cli {

class Progress {
 public:
  Progress(const Console& console, int steps) : console_(console), steps_(steps) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void begin(std::string_view what);  // the next step

 private:
  const Console& console_;
  int steps_;
  int begun_ = 0;
  double told_at_ = 0.0;  // s since the start
  bool line_is_open_ = false;
  Timer timer_;
};

}  // namespace tact::cli
