#include <tact/linalg/updated_inverse.hpp>

#include <algorithm>
#include <cassert>

namespace tact {

void UpdatedInverse::reset(int largest)
{
  stride_ = round_up_8(largest + 1);  // border() writes one past size()
  const std::size_t needed = index(stride_) * index(stride_);
  if (z_.size() < needed) z_.resize(needed);
  scratch_.resize(index(stride_));
  clear(0);
}

void UpdatedInverse::clear(int size)
{
  std::fill_n(z_.begin(), index(stride_) * index(stride_), 0.0);
  size_ = size;
}

void UpdatedInverse::multiply(const double* b, double* y) const
{
  const Lanes* right = as_lanes(b);
  const int count = blocks(size_);
  for (int i = 0; i < size_; ++i) {
    const Lanes* z = lanes(i);
    Lanes sum = {};
    for (int h = 0; h < count; ++h) sum += z[h] * right[h];
    y[i] = horizontal_sum(sum);
  }
}

void UpdatedInverse::multiply_transposed(const double* c, double* w) const
{
  Lanes* sum = as_lanes(w);
  const int count = blocks(size_ + 1);  // the entry at size() too: border() needs it clean
  for (int h = 0; h < count; ++h) sum[h] = Lanes{};
  for (int i = 0; i < size_; ++i) {
    if (c[i] == 0.0) continue;  // rows of bodies that do not touch
    const Lanes* z = lanes(i);
    for (int h = 0; h < count; ++h) sum[h] += c[i] * z[h];
  }
}

// K^-1 = [ Z + (Zb)(c'Z)/s , -Zb/s ; -c'Z/s , 1/s ]
void UpdatedInverse::border(const double* minus_zb, double* w, double schur)
{
  assert(size_ + 1 < stride_);
  w[size_] = -1.0;
  const Lanes* right = as_lanes(w);
  const int count = blocks(size_ + 1);
  const double inverse_schur = 1.0 / schur;
  for (int i = 0; i < size_; ++i) {
    const double factor = -minus_zb[i] * inverse_schur;
    Lanes* z = lanes(i);
    for (int h = 0; h < count; ++h) z[h] += factor * right[h];
  }
  Lanes* last = lanes(size_);
  for (int h = 0; h < count; ++h) last[h] = -inverse_schur * right[h];
  w[size_] = 0.0;
  ++size_;
}

void UpdatedInverse::replace_column(int basic, const double* minus_zb)
{
  const int count = blocks(size_);
  const double factor = -1.0 / minus_zb[basic];
  Lanes* pivot = lanes(basic);
  for (int h = 0; h < count; ++h) pivot[h] *= factor;
  for (int i = 0; i < size_; ++i) {
    if (i == basic) continue;
    Lanes* z = lanes(i);
    for (int h = 0; h < count; ++h) z[h] += minus_zb[i] * pivot[h];
  }
}

// Sherman-Morrison: Z -= Z e_p (w - e_p') / w_p
void UpdatedInverse::replace_row(int k_row, double* w)
{
  const double inverse_pivot = 1.0 / w[k_row];
  w[k_row] -= 1.0;
  const Lanes* right = as_lanes(w);
  const int count = blocks(size_);
  for (int i = 0; i < size_; ++i) {
    const double factor = z_[offset(i) + index(k_row)] * inverse_pivot;
    Lanes* z = lanes(i);
    for (int h = 0; h < count; ++h) z[h] -= factor * right[h];
  }
}

void UpdatedInverse::remove(int k_row, int basic)
{
  const int count = blocks(size_);
  const Lanes* pivot = lanes(basic);
  const double inverse_pivot = 1.0 / z_[offset(basic) + index(k_row)];
  for (int i = 0; i < size_; ++i) {
    if (i == basic) continue;
    const double factor = z_[offset(i) + index(k_row)] * inverse_pivot;
    Lanes* z = lanes(i);
    for (int h = 0; h < count; ++h) z[h] -= factor * pivot[h];
  }
  const int last = size_ - 1;
  if (basic != last) std::copy_n(lanes(last), count, lanes(basic));
  for (int i = 0; i < last; ++i) {
    double* z = &z_[offset(i)];
    z[k_row] = z[last];
    z[last] = 0.0;
  }
  std::fill_n(lanes(last), count, Lanes{});
  --size_;
}

// Rows of K turn by R, so columns of Z = K^-1 turn by R^-T = R.
void UpdatedInverse::rotate_rows(int p, int e, double c, double s)
{
  for (int i = 0; i < size_; ++i) {
    double* z = &z_[offset(i)];
    const double z_p = z[p], z_e = z[e];
    z[p] = c * z_p - s * z_e;
    z[e] = c * z_e + s * z_p;
  }
}

void UpdatedInverse::recombine(int a, int b, int n, const double Q[4])
{
  Lanes *z_a = lanes(a), *z_b = lanes(b), *z_n = lanes(n);
  for (int h = 0; h < blocks(size_); ++h) {
    const Lanes new_a = Q[0] * z_a[h] + Q[1] * z_b[h];
    const Lanes new_b = Q[2] * z_a[h] + Q[3] * z_b[h];
    z_n[h] += z_a[h] + z_b[h] - new_a - new_b;
    z_a[h] = new_a;
    z_b[h] = new_b;
  }
}

}  // namespace tact
