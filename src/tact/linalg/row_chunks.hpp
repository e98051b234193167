// Rows of a block matrix in chunks of fixed size, on several threads where there is enough to do.
// Whatever is computed chunk by chunk has the same bits for any number of threads.
#pragma once

#include <tact/linalg/block_matrix.hpp>
#include <tact/linalg/parallel.hpp>

namespace tact {

inline constexpr int rows_per_chunk = 256;

// A product with so many blocks takes about 20 us; to start the threads takes about 5 us.
inline constexpr int blocks_worth_threads = 12000;

struct RowChunk {
  int index = 0;
  int first = 0, last = 0;  // block rows
};

inline int chunk_count(int rows)
{
  return (rows + rows_per_chunk - 1) / rows_per_chunk;
}

template <class Work>
void for_row_chunks(const BlockPattern& pattern, const Work& work)
{
  for_chunks(
      pattern.rows(), rows_per_chunk,
      [&](int k, int first, int last) {
        work(RowChunk{k, first, last});
      },
      pattern.block_count() >= blocks_worth_threads);
}

// Components of A x in some rows.
void multiply_rows(const BlockMatrix& A, RowChunk rows, const double* x, double* y);

}  // namespace tact
