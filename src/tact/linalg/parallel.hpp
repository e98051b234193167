// Loops over pieces that have nothing to do with each other, on all threads: thousands of small
// ones in chunks, and independent ones of very different size.
#pragma once

#include <algorithm>
#include <atomic>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace tact {

// work(chunk, first, last) for pieces first to last - 1. Chunks do not depend on the number of
// threads: what is summed up chunk by chunk, and then over the chunks in order, has the same bits
// for any.
template <class Work>
void for_chunks(int count, int per_chunk, const Work& work, bool worth_threads = true)
{
  const int chunks = (count + per_chunk - 1) / per_chunk;
  const auto one = [&](int k) { work(k, k * per_chunk, std::min(count, (k + 1) * per_chunk)); };
  if (chunks < 2 || !worth_threads) {
    for (int k = 0; k < chunks; ++k) one(k);
  } else {
    tbb::parallel_for(0, chunks, one);
  }
}

// work(piece) for each. Sums over pieces in their order have the same bits for any number of
// threads.
template <class Pieces, class Work>
void for_pieces(Pieces& pieces, const Work& work)
{
  if (pieces.size() == 1) return work(pieces.front());
  tbb::parallel_for(std::size_t{0}, pieces.size(), [&](std::size_t k) { work(pieces[k]); });
}

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
