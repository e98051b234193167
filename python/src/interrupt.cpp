#include "interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <thread>

namespace tact::python {
namespace {

// A signal handler can reach nothing but globals. Only the main thread writes them.
std::atomic<bool> interrupted{false};
struct sigaction python_action;
std::optional<StopScope> stop_scope;

extern "C" void note_interrupt(int signal, siginfo_t* info, void* context)
{
  interrupted.store(true, std::memory_order_relaxed);
  if ((python_action.sa_flags & SA_SIGINFO) != 0)
    python_action.sa_sigaction(signal, info, context);
  else
    python_action.sa_handler(signal);
}

bool in_main_thread()
{
  return ::gettid() == ::getpid();
}

}  // namespace

InterruptWatch::InterruptWatch()
{
  if (!in_main_thread() || stop_scope) return;
  ::sigaction(SIGINT, nullptr, &python_action);
  const bool handled = (python_action.sa_flags & SA_SIGINFO) != 0 ||
                       (python_action.sa_handler != SIG_DFL && python_action.sa_handler != SIG_IGN);
  if (!handled) return;
  interrupted.store(false, std::memory_order_relaxed);
  stop_scope.emplace(&interrupted);
  struct sigaction ours = python_action;
  ours.sa_flags |= SA_SIGINFO;
  ours.sa_sigaction = note_interrupt;
  ::sigaction(SIGINT, &ours, nullptr);
  watching_ = true;
}

InterruptWatch::~InterruptWatch()
{
  if (!watching_) return;
  ::sigaction(SIGINT, &python_action, nullptr);
  stop_scope.reset();
}

void handle_signals()
{
  if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
}

void handle_stop()
{
  handle_signals();
  if (in_main_thread()) return;
  const pybind11::gil_scoped_release release;
  while (StopScope::requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace tact::python
