// See parallel_for.h.
#pragma once

namespace tbb {

template <class Index>
class blocked_range {
 public:
  blocked_range(Index begin, Index end, Index grain = 1) : begin_(begin), end_(end), grain_(grain)
  {
  }
  Index begin() const { return begin_; }
  Index end() const { return end_; }
  Index grainsize() const { return grain_; }

 private:
  Index begin_, end_, grain_;
};

}  // namespace tbb
