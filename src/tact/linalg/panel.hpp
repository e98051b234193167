// What the loops over the panels of a factor share.
#pragma once

#include <tact/linalg/padded3.hpp>

namespace tact {

inline Padded3* as_padded(double* values)
{
  return reinterpret_cast<Padded3*>(values);
}

inline const Padded3* as_padded(const double* values)
{
  return reinterpret_cast<const Padded3*>(values);
}

inline double* as_doubles(Padded3* values)
{
  return reinterpret_cast<double*>(values);
}

inline const double* as_doubles(const Padded3* values)
{
  return reinterpret_cast<const double*>(values);
}

template <int count, class Work>
void for_chunk_of(int rows, int start, const Work& work)
{
  if (rows == count) {
    work.template operator()<count>(start);
  } else if constexpr (count > 1) {
    for_chunk_of<count - 1>(rows, start, work);
  }
}

// Calls work<most>(start) for rows 0, most, 2 most ..., and work<rest>(start) for what is left: the
// number of rows is a constant in each, so that their sums stay in registers.
template <int most, class Work>
void for_chunks(int rows, const Work& work)
{
  int start = 0;
  for (; start + most <= rows; start += most) work.template operator()<most>(start);
  if constexpr (most > 1) for_chunk_of<most - 1>(rows - start, start, work);
}

}  // namespace tact
