// See parallel_for.h.
#pragma once

#include <array>
#include <functional>

#include <tbb/parallel_for.h>

namespace tbb {

template <class... Work>
void parallel_invoke(const Work&... work)
{
  const std::array<std::function<void()>, sizeof...(Work)> all{std::cref(work)...};
  on_threads::each(static_cast<long>(all.size()), [&](long i) { all[i](); });
}

}  // namespace tbb
