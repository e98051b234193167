// Runs independent pieces of work of very different size on all threads.
#pragma once

#include <algorithm>
#include <atomic>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace tact {

// work(0), work(1), ..., handed out in this order: where the largest come first, the long ones do not
// come last, when the other threads have nothing left to do. Each piece must write to its own memory
// only; the answers then do not depend on the number of threads.
template <class Work>
void run_largest_first(int count, const Work& work)
{
  if (count == 1) return work(0);
  std::atomic<int> next{0};
  tbb::parallel_for(0, std::min(count, tbb::this_task_arena::max_concurrency()), [&](int) {
    for (int k = next++; k < count; k = next++) work(k);
  });
}

}  // namespace tact
