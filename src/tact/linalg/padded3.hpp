// Three doubles and a zero in one SIMD register: a column of a 3 x 3 block, or the components of a
// node.
#pragma once

namespace tact {

// may_alias: memory of doubles is read and written through it.
using Padded3 = double __attribute__((vector_size(4 * sizeof(double)), may_alias));

inline Padded3 load3(const double* x)
{
  return Padded3{x[0], x[1], x[2], 0.0};
}

// Whatever follows the three, in the lane that others keep at zero.
inline Padded3 load4(const double* x)
{
  return Padded3{x[0], x[1], x[2], x[3]};
}

inline void store3(Padded3 value, double* x)
{
  for (int i = 0; i < 3; ++i) x[i] = value[i];
}

// (sum of a, sum of b, sum of c, 0)
template <class Row>
Row horizontal_sums(Row a, Row b, Row c)
{
  const Row zero = {};
  const Row ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) +  //
                 __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Row c0 =
      __builtin_shufflevector(c, zero, 0, 4, 2, 6) + __builtin_shufflevector(c, zero, 1, 5, 3, 7);
  return __builtin_shufflevector(ab, c0, 0, 1, 4, 5) + __builtin_shufflevector(ab, c0, 2, 3, 6, 7);
}

}  // namespace tact
