#include <cli/interrupt.hpp>

#include <csignal>

namespace tact::cli {
namespace {

// A signal handler can reach nothing but a global.
std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void request_stop(int signal)
{
  stop_requested.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard()
{
  stop_requested.store(false, std::memory_order_relaxed);
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
}

InterruptGuard::~InterruptGuard()
{
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>& InterruptGuard::requested() const
{
  return stop_requested;
}

}  // namespace tact::cli
