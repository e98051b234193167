// See parallel_for.h.
#pragma once

#include <thread>
#include <utility>
#include <vector>

namespace tbb {

class task_group {
 public:
  ~task_group() { wait(); }

  template <class Work>
  void run(Work&& work)
  {
    threads_.emplace_back(std::forward<Work>(work));
  }
  void wait()
  {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace tbb
