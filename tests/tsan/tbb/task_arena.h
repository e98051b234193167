// See parallel_for.h.
#pragma once

#include <utility>

#include <tbb/parallel_for.h>

namespace tbb {

class task_arena {
 public:
  explicit task_arena(int threads = 4) : threads_(threads) {}

  template <class Work>
  auto execute(Work&& work)
  {
    struct Restored {
      int former;
      ~Restored() { on_threads::width = former; }
    } const restored{std::exchange(on_threads::width, threads_)};
    return work();
  }

 private:
  int threads_;
};

namespace this_task_arena {
inline int max_concurrency()
{
  return on_threads::width;
}
}  // namespace this_task_arena

}  // namespace tbb
