// Long lists of pairs in pieces, for threads: what comes out stands in the order of the pairs.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <tact/collision/feature_pairs.hpp>

namespace tact {

inline constexpr int pairs_per_chunk = 512;  // what the filters of ccd_batch.hpp take at a time

// Calls answer(pairs of the chunk, their vertices, results) for each chunk; appends to `results`.
template <class Pair, class Result, class Answer>
void answer_in_chunks(const SurfaceSet& surfaces, std::span<const Pair> pairs, const Answer& answer,
                      std::vector<Result>& results)
{
  const auto count = static_cast<int>(pairs.size());
  const int chunk_count = (count + pairs_per_chunk - 1) / pairs_per_chunk;
  std::vector<std::vector<Result>> parts(chunk_count);
  tbb::parallel_for(
      tbb::blocked_range<int>(0, chunk_count, 4), [&](const tbb::blocked_range<int>& run) {
        std::array<VertexQuad, pairs_per_chunk> quads;
        for (int c = run.begin(); c != run.end(); ++c) {
          const int first = c * pairs_per_chunk;
          const auto chunk = pairs.subspan(first, std::min(pairs_per_chunk, count - first));
          for (std::size_t i = 0; i < chunk.size(); ++i) quads[i] = vertices_of(surfaces, chunk[i]);
          answer(chunk, std::span<const VertexQuad>(quads).first(chunk.size()), parts[c]);
        }
      });
  std::size_t total = results.size();
  for (const std::vector<Result>& part : parts) total += part.size();
  results.reserve(total);
  for (const std::vector<Result>& part : parts)
    results.insert(results.end(), part.begin(), part.end());
}

}  // namespace tact
