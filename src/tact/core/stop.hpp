// The wish to end, where long work can see it: a step may take minutes, and Ctrl-C is to end it
// within a second. Loops whose passes take long, or that may take many, ask in each of them.
#pragma once

#include <atomic>
#include <exception>

namespace tact {

// Thrown through all that is under way. What was finished before stays as it was.
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped"; }
};

// The flag of a signal handler that work in this process looks at while this lives. One at a time:
// a program is stopped as a whole, and so no solver needs to be handed the wish.
class StopScope {
 public:
  explicit StopScope(const std::atomic<bool>* flag) { watched.store(flag); }
  ~StopScope() { watched.store(nullptr); }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  static bool requested()
  {
    const std::atomic<bool>* flag = watched.load(std::memory_order_relaxed);
    return flag && flag->load(std::memory_order_relaxed);
  }

 private:
  inline static std::atomic<const std::atomic<bool>*> watched{nullptr};
};

// Costs two loads from memory that hardly ever changes.
inline void end_if_stopped()
{
  if (StopScope::requested()) throw Stopped();
}

}  // namespace tact
