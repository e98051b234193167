// What the loops over the panels of a factor share, in double and in single precision.
//
// A block row of a column is a Row: three numbers and a zero. In single precision two of them fill
// a SIMD register, so that loops go over groups of rows, Wide; what a last group has too much is
// read, from the panel still, and not used.
#pragma once

#include <vector>

#include <tbb/parallel_for.h>

#include <tact/linalg/padded3.hpp>

namespace tact {

template <class Real>
struct PanelTypes;

template <>
struct PanelTypes<double> {
  using Row = Padded3;
  using Wide = Padded3;
  using WideInPanel = Padded3;
};

template <>
struct PanelTypes<float> {
  using Row = float __attribute__((vector_size(4 * sizeof(float)), may_alias));
  using Wide = float __attribute__((vector_size(8 * sizeof(float)), may_alias));
  // Starts at any row. The attribute stands before the "=": clang does not heed one that lowers an
  // alignment after it.
  using WideInPanel [[gnu::aligned(16)]] = Wide;
};

template <class Real>
using PanelRow = typename PanelTypes<Real>::Row;
template <class Real>
using PanelWide = typename PanelTypes<Real>::Wide;

template <class Real>
inline constexpr int rows_per_wide = sizeof(PanelWide<Real>) / sizeof(PanelRow<Real>);

template <class Real>
PanelRow<Real>* as_rows(Real* values)
{
  return reinterpret_cast<PanelRow<Real>*>(values);
}

template <class Real>
const PanelRow<Real>* as_rows(const Real* values)
{
  return reinterpret_cast<const PanelRow<Real>*>(values);
}

template <class Real>
PanelWide<Real> wide_at(const PanelRow<Real>* rows)
{
  return *reinterpret_cast<const typename PanelTypes<Real>::WideInPanel*>(rows);
}

template <class Real>
void set_wide(PanelRow<Real>* rows, PanelWide<Real> wide)
{
  *reinterpret_cast<typename PanelTypes<Real>::WideInPanel*>(rows) = wide;
}

// The value, to be read once. GCC 12 reads what is used in three products three times, and loads
// are what these loops wait for. (Without AVX a group is two registers, which no constraint of asm
// names.)
template <class Real>
PanelWide<Real> in_register(PanelWide<Real> value)
{
#if defined(__AVX__)
  asm("" : "+x"(value));
#endif
  return value;
}

inline double* numbers(PanelRow<double>* row)
{
  return reinterpret_cast<double*>(row);
}
inline const double* numbers(const PanelRow<double>* row)
{
  return reinterpret_cast<const double*>(row);
}
inline float* numbers(PanelRow<float>* row)
{
  return reinterpret_cast<float*>(row);
}
inline const float* numbers(const PanelRow<float>* row)
{
  return reinterpret_cast<const float*>(row);
}

// Row r of a group.
inline PanelRow<double> row_of(PanelWide<double> wide, int)
{
  return wide;
}
inline PanelRow<float> row_of(PanelWide<float> wide, int r)
{
  return r == 0 ? __builtin_shufflevector(wide, wide, 0, 1, 2, 3)
                : __builtin_shufflevector(wide, wide, 4, 5, 6, 7);
}

inline PanelRow<double> sum_of_rows(PanelWide<double> wide)
{
  return wide;
}
inline PanelRow<float> sum_of_rows(PanelWide<float> wide)
{
  return row_of(wide, 0) + row_of(wide, 1);
}

template <int count, class Work>
void for_chunk_of(int groups, int start, const Work& work)
{
  if (groups == count) {
    work.template operator()<count>(start);
  } else if constexpr (count > 1) {
    for_chunk_of<count - 1>(groups, start, work);
  }
}

// Calls work<most>(start) for groups 0, most, 2 most ..., and work<rest>(start) for what is left:
// the number of groups is a constant in each, so that their sums stay in registers.
template <int most, class Work>
void for_chunks(int groups, const Work& work)
{
  int start = 0;
  for (; start + most <= groups; start += most) work.template operator()<most>(start);
  if constexpr (most > 1) for_chunk_of<most - 1>(groups - start, start, work);
}

// The number of groups that hold so many rows.
template <class Real>
constexpr int groups_of(int rows)
{
  return (rows + rows_per_wide<Real> - 1) / rows_per_wide<Real>;
}

// Calls work(item) for every item, on several threads. Without items nothing is asked of the
// threads.
template <class Work>
void for_each_at_once(const std::vector<int>& items, const Work& work)
{
  if (items.empty()) return;
  tbb::parallel_for(
      0, static_cast<int>(items.size()), [&](int k) { work(items[k]); }, tbb::simple_partitioner());
}

}  // namespace tact
