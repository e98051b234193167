// Runs something with so many threads, however few the processor has.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace tact {

template <class Work>
void with_threads(int threads, const Work& work)
{
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena(threads).execute(work);
}

}  // namespace tact
