// Work of the library, during which other Python threads run and Ctrl-C is heard.
#pragma once

#include <type_traits>

#include <pybind11/pybind11.h>

#include <tact/core/stop.hpp>

namespace tact::python {

// While it lives, SIGINT ends steps and solves (core/stop.hpp) beside what Python does with it.
// Only in the main thread, which is where Python handles signals.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

 private:
  bool watching_ = false;
};

// Between two pieces of work: runs Python's handlers, and throws what they raise.
void handle_signals();

// The same after work was stopped. They may raise nothing; and it may be the main thread that was
// meant, not this one.
void handle_stop();

// Does the work without the lock of the interpreter. It is done again where it was stopped and
// nothing was raised, so it must leave nothing half done when it throws.
template <class Work>
auto released(const Work& work)
{
  for (;;) {
    try {
      const InterruptWatch watch;
      const pybind11::gil_scoped_release release;
      return work();
    } catch (const Stopped&) {
      handle_stop();
    }
  }
}

}  // namespace tact::python
