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

  void begin(std::string_view what);             // the next step
  void at(int finished, std::string_view what);  // so many are done, some perhaps before this run

 private:
  void tell(int number, double left, std::string_view what);
  bool due();

  const Console& console_;
  int steps_;
  int begun_ = 0;
  int first_ = -1;        // what at() was first called with
  double told_at_ = 0.0;  // s since the start
  bool line_is_open_ = false;
  Timer timer_;
};

}  // namespace tact::cli
