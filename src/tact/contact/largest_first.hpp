// Runs independent pieces of work of very different size on all threads.
#pragma once

#include <algorithm>
#include <atomic>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace tact {

// work(0), work(1), ..., handed out in this order: where the largest come first, the long ones do
// not come last, when the other threads have nothing left to do. Each piece must write to its own
// memory only; the answers then do not depend on the number of threads.
//
// size(k) is that of a piece. Neighbours are handed out together until they add up to `least`:
// pieces lie side by side in memory, and threads that write to one cache line hold each other up.
template <class Size, class Work>
void run_largest_first(int count, const Size& size, int least, const Work& work)
{
  if (count == 1) return work(0);
  std::atomic<int> next{0};
  const auto take_some = [&](int) {
    for (int first = next; first < count;) {
      int last = first;
      for (int sum = 0; last < count && sum < least; ++last) sum += size(last);
      if (!next.compare_exchange_weak(first, last)) continue;  // first is what it has become
      for (int k = first; k < last; ++k) work(k);
      first = next;
    }
  };
  tbb::parallel_for(0, std::min(count, tbb::this_task_arena::max_concurrency()), take_some);
}

template <class Work>
void run_largest_first(int count, const Work& work)
{
  run_largest_first(
      count, [](int) { return 1; }, 1, work);
}

}  // namespace tact
