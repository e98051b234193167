// Loops over thousands of small pieces that have nothing to do with each other, on all threads.
#pragma once

#include <algorithm>

#include <tbb/parallel_for.h>

namespace tact {

// work(chunk, first, last) for pieces first to last - 1. Chunks do not depend on the number of
// threads: what is summed up chunk by chunk, and then over the chunks in order, has the same bits
// for any.
template <class Work>
void for_chunks(int count, int per_chunk, const Work& work)
{
  const int chunks = (count + per_chunk - 1) / per_chunk;
  const auto one = [&](int k) { work(k, k * per_chunk, std::min(count, (k + 1) * per_chunk)); };
  if (chunks < 2) {
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

inline constexpr int contacts_per_chunk = 512;     // some 100 us of work
inline constexpr int components_per_chunk = 4096;  // lone nodes, most of them without contacts

}  // namespace tact
