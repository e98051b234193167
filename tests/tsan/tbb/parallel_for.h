// The little of oneTBB that tact uses, on plain threads, for ThreadSanitizer alone. It sees what is
// compiled with it, and Debian's libtbb is not: each hand-over inside of that would be a race to it.
// Neighbouring pieces of work go to different threads and nothing orders them: what they share without
// a lock is seen, also where the real library would give both to one thread.
#pragma once

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <tbb/blocked_range.h>

namespace tbb {
namespace on_threads {

inline thread_local int width = 4;  // threads of the arena
inline thread_local int depth = 0;  // of loops within loops

// body(0) ... body(count - 1), by several threads. What the first throws is thrown again.
template <class Body>
void each(long count, const Body& body)
{
  const long most = depth == 0 ? width : depth < 3 ? 2 : 1;
  const int threads = static_cast<int>(std::min(count, most));
  std::mutex failing;
  std::exception_ptr failure;
  const auto work = [&, outer_width = width, inner = depth + 1](long first) {
    const int former_width = std::exchange(width, outer_width);
    const int former_depth = std::exchange(depth, inner);
    try {
      for (long i = first; i < count; i += threads) body(i);
    } catch (...) {
      const std::scoped_lock lock(failing);
      if (!failure) failure = std::current_exception();
    }
    width = former_width;
    depth = former_depth;
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work, i);
  if (threads > 0) work(0);
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace on_threads

struct simple_partitioner {};

template <class Index, class Body>
void parallel_for(Index first, Index last, const Body& body, simple_partitioner = {})
{
  on_threads::each(last > first ? static_cast<long>(last - first) : 0,
                   [&](long i) { body(static_cast<Index>(first + static_cast<Index>(i))); });
}

template <class Index, class Body>
void parallel_for(const blocked_range<Index>& range, const Body& body, simple_partitioner = {})
{
  const Index grain = range.grainsize();
  const Index pieces = (range.end() - range.begin() + grain - 1) / grain;
  parallel_for(Index(0), pieces, [&](Index piece) {
    const Index first = range.begin() + piece * grain;
    body(blocked_range<Index>(first, std::min<Index>(first + grain, range.end()), grain));
  });
}

}  // namespace tbb
