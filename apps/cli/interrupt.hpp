// Ctrl-C and the terminate signal of queue systems: the first asks long work to stop,
// the second ends the program at once.
#pragma once

#include <atomic>

namespace tact::cli {

class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  const std::atomic<bool>& requested() const;
};

}  // namespace tact::cli
