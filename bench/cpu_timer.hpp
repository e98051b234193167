#pragma once

#include <ctime>

namespace tact {

// Processor time of the calling thread since it was made, in seconds: what one thread costs,
// whatever else the machine is busy with.
class CpuTimer {
 public:
  double seconds() const { return now() - start_; }

 private:
  static double now()
  {
    std::timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  double start_ = now();
};

}  // namespace tact
