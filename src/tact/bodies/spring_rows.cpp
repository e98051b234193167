#include <tact/bodies/spring_rows.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tact {
namespace {

using Symmetric = std::array<double, 6>;  // xx, yy, zz, xy, xz, yz

// Number by number: a block put together for a vector instruction would have to wait for its parts.
inline void add(double factor, const Symmetric& S, Matrix3d& block)
{
  double* const entry = block.data();
  entry[0] += factor * S[0];
  entry[1] += factor * S[3];
  entry[2] += factor * S[4];
  entry[3] += factor * S[3];
  entry[4] += factor * S[1];
  entry[5] += factor * S[5];
  entry[6] += factor * S[4];
  entry[7] += factor * S[5];
  entry[8] += factor * S[2];
}

}  // namespace

// A few ends at a time, one array a quantity: small loops that the compiler turns into SIMD code.
struct SpringRows::Batch {
  static constexpr int capacity = 32;
  int count = 0;
  alignas(64) double n[3][capacity];      // d / l, or 0 where l is
  alignas(64) double length[capacity];    // l
  alignas(64) double inverse[capacity];   // 1 / l, or 0 where l is
  alignas(64) double pull[capacity];      // h k (l - l_0)
  alignas(64) double block[6][capacity];  // xx, yy, zz, xy, xz, yz of B
};

SpringRows::SpringRows(int vertex_count, const std::vector<ClothSpring>& springs, double damping)
    : damping_(damping), row_start_(vertex_count + 1, 0)
{
  for (const ClothSpring& spring : springs) {
    ++row_start_[spring.a + 1];
    ++row_start_[spring.b + 1];
  }
  for (int a = 0; a < vertex_count; ++a) row_start_[a + 1] += row_start_[a];

  const std::size_t ends = 2 * springs.size();
  for (std::vector<int>* list : {&a_, &b_}) list->resize(ends);
  for (std::vector<double>* list : {&stiffness_, &rest_length_}) list->resize(ends);
  std::vector<int> next(row_start_.begin(), row_start_.end() - 1);
  const auto add_end = [&](int a, int b, const ClothSpring& spring) {
    const int end = next[a]++;
    a_[end] = a;
    b_[end] = b;
    stiffness_[end] = spring.stiffness;
    rest_length_[end] = spring.rest_length;
  };
  for (const ClothSpring& spring : springs) {
    add_end(spring.a, spring.b, spring);
    add_end(spring.b, spring.a, spring);
  }
}

void SpringRows::add_couples(int first_node, std::vector<std::array<int, 2>>& couples) const
{
  for (std::size_t end = 0; end < a_.size(); ++end)
    if (a_[end] < b_[end]) couples.push_back({first_node + a_[end], first_node + b_[end]});
}

void SpringRows::bind(const BlockPattern& pattern, int first_node)
{
  slot_.resize(a_.size());
  for (std::size_t end = 0; end < a_.size(); ++end)
    slot_[end] = pattern.slot(first_node + a_[end], first_node + b_[end]);
  diagonal_slot_.resize(row_start_.size() - 1);
  for (std::size_t a = 0; a < diagonal_slot_.size(); ++a)
    diagonal_slot_[a] = pattern.diagonal_slot(first_node + static_cast<int>(a));
}

// Lengths and directions of the ends first, first + 1, ..., first + batch.count - 1.
void SpringRows::measure(Batch& batch, int first, const double* x) const
{
  for (int k = 0; k < batch.count; ++k) {
    const double* const x_a = x + 3 * a_[first + k];
    const double* const x_b = x + 3 * b_[first + k];
    for (int i = 0; i < 3; ++i) batch.n[i][k] = x_b[i] - x_a[i];
  }
  for (int k = 0; k < batch.count; ++k) {
    const double dx = batch.n[0][k], dy = batch.n[1][k], dz = batch.n[2][k];
    const double square = dx * dx + dy * dy + dz * dz;
    const bool has_direction = square >= std::numeric_limits<double>::min();
    batch.length[k] = std::sqrt(square);
    batch.inverse[k] = has_direction ? 1.0 / batch.length[k] : 0.0;
    for (auto& component : batch.n) component[k] *= batch.inverse[k];
  }
}

void SpringRows::linearise(Batch& batch, int first, double dt) const
{
  const double* const stiffness = stiffness_.data() + first;
  const double* const rest_length = rest_length_.data() + first;
  for (int k = 0; k < batch.count; ++k) {
    const double x = batch.n[0][k], y = batch.n[1][k], z = batch.n[2][k];
    const double inverse = batch.inverse[k];
    batch.pull[k] = dt * stiffness[k] * (batch.length[k] - rest_length[k]);
    const double along = dt * (damping_ + dt) * stiffness[k];
    const double stretched = dt * dt * stiffness[k] * std::max(0.0, 1.0 - rest_length[k] * inverse);
    const double across = inverse > 0.0 ? stretched : along;
    const double excess = along - across;
    batch.block[0][k] = across + excess * x * x;
    batch.block[1][k] = across + excess * y * y;
    batch.block[2][k] = across + excess * z * z;
    batch.block[3][k] = excess * x * y;
    batch.block[4][k] = excess * x * z;
    batch.block[5][k] = excess * y * z;
  }
}

void SpringRows::add_linearised(Range rows, double dt, const double* x, BlockMatrix& A,
                                double* b) const
{
  const int last = row_start_[rows.last_vertex];
  Batch batch;
  for (int first = row_start_[rows.first_vertex]; first < last; first += batch.count) {
    batch.count = std::min(Batch::capacity, last - first);
    measure(batch, first, x);
    linearise(batch, first, dt);
    for (int k = 0; k < batch.count;) {
      const int row = a_[first + k];
      const int row_end = std::min(batch.count, row_start_[row + 1] - first);
      Symmetric diagonal{};
      std::array<double, 3> push{};
      for (; k < row_end; ++k) {
        Symmetric B;
        for (int i = 0; i < 6; ++i) B[i] = batch.block[i][k];
        add(-1.0, B, A.blocks[slot_[first + k]]);
        for (int i = 0; i < 6; ++i) diagonal[i] += B[i];
        for (int i = 0; i < 3; ++i) push[i] += batch.pull[k] * batch.n[i][k];
      }
      add(1.0, diagonal, A.blocks[diagonal_slot_[row]]);
      for (int i = 0; i < 3; ++i) b[3 * row + i] += push[i];
    }
  }
}

void SpringRows::add_forces(Range rows, const double* x, const double* v, double* f) const
{
  using Eigen::Map;
  const int last = row_start_[rows.last_vertex];
  Batch batch;
  for (int first = row_start_[rows.first_vertex]; first < last; first += batch.count) {
    batch.count = std::min(Batch::capacity, last - first);
    measure(batch, first, x);
    for (int k = 0; k < batch.count; ++k) {
      const int end = first + k, row = 3 * a_[end], column = 3 * b_[end];
      const Vector3d n(batch.n[0][k], batch.n[1][k], batch.n[2][k]);
      const Vector3d closing = Map<const Vector3d>(v + column) - Map<const Vector3d>(v + row);
      const double spring = stiffness_[end] * (batch.length[k] - rest_length_[end]);
      const Vector3d felt = batch.inverse[k] > 0.0 ? Vector3d(n.dot(closing) * n) : closing;
      Map<Vector3d>(f + row) += spring * n + (damping_ * stiffness_[end]) * felt;
    }
  }
}

}  // namespace tact
