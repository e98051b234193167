// Kernels of soft_elements.hpp.
#include <tact/bodies/soft_elements.hpp>

#include <algorithm>
#include <utility>

#include <tact/linalg/lane_tuple.hpp>
#include <tact/linalg/parallel.hpp>
#include <tact/linalg/rotation_lanes.hpp>

namespace tact {
namespace {

constexpr std::array<std::array<int, 2>, 6> pairs{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

using Vector3Lanes = LaneTuple<3>;

Vector3Lanes gather(const double* x, const int (&node)[lane_width])
{
  Vector3Lanes gathered;
  for (int lane = 0; lane < lane_width; ++lane)
    for (int i = 0; i < 3; ++i) gathered[i][lane] = x[3 * node[lane] + i];
  return gathered;
}

// x_a - x_0 for the corners a = 1, 2, 3.
std::array<Vector3Lanes, 3> gather_edges(const double* x, const int (&node)[4][lane_width])
{
  const Vector3Lanes origin = gather(x, node[0]);
  std::array<Vector3Lanes, 3> edges;
  for (int a = 0; a < 3; ++a) {
    edges[a] = gather(x, node[a + 1]);
    for (int i = 0; i < 3; ++i) edges[a][i] -= origin[i];
  }
  return edges;
}

// Of a symmetric matrix: xx, yy, zz, yz, zx, xy.
using SymmetricLanes = LaneTuple<6>;

// The symmetric part of sum_a d_a h_a'.
SymmetricLanes symmetric_sum(const std::array<Vector3Lanes, 3>& d,
                             const std::array<Vector3Lanes, 4>& h)
{
  SymmetricLanes sum;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int a = 0; a < 3; ++a) {
      sum[i] += d[a][i] * h[a + 1][i];
      sum[3 + i] += 0.5 * (d[a][j] * h[a + 1][k] + d[a][k] * h[a + 1][j]);
    }
  }
  return sum;
}

Vector3Lanes product(const SymmetricLanes& S, const Vector3Lanes& x)
{
  return {{S[0] * x[0] + S[5] * x[1] + S[4] * x[2],  //
           S[5] * x[0] + S[1] * x[1] + S[3] * x[2],  //
           S[4] * x[0] + S[3] * x[1] + S[2] * x[2]}};
}

using BlockLanes = LaneTuple<9>;  // column by column

// Blocks of A lie wherever they do. (Clang heeds an attribute that lowers an alignment only before
// the "=".)
using UnalignedLanes [[gnu::aligned(8)]] = Lanes;

// A block of one element, column by column: eight numbers in registers, one left over.
struct EightAndOne {
  LaneTuple<lanes_per_8> eight;
  double one = 0.0;

  void add_to(Matrix3d& block) const
  {
    for (int part = 0; part < lanes_per_8; ++part)
      *reinterpret_cast<UnalignedLanes*>(block.data() + part * lane_width) += eight[part];
    block(2, 2) += one;
  }

  EightAndOne transposed() const
  {
    EightAndOne result{{}, one};
    result.eight[0] = transposed_part<0>(std::make_integer_sequence<int, lane_width>());
    result.eight[lanes_per_8 - 1] =
        transposed_part<lanes_per_8 - 1>(std::make_integer_sequence<int, lane_width>());
    return result;
  }

  // Number k of the transposed block is number 3 (k mod 3) + k / 3 of this one; the ninth stays.
  template <int part, int... lane>
  Lanes transposed_part(std::integer_sequence<int, lane...>) const
  {
    return __builtin_shufflevector(
        eight[0], eight[lanes_per_8 - 1],
        (3 * ((part * lane_width + lane) % 3) + (part * lane_width + lane) / 3)...);
  }
};

// From one number of all elements in a register to the numbers of one element: visit(lane, block).
template <class Visit>
inline void for_each_element(const BlockLanes& K, const Visit& visit)
{
  EightAndOne blocks[lane_width];
  for (int part = 0; part < lanes_per_8; ++part) {
    LaneTuple<lane_width> rows;
    for (int k = 0; k < lane_width; ++k) rows[k] = K[part * lane_width + k];
    transpose(rows);
    for (int lane = 0; lane < lane_width; ++lane) blocks[lane].eight[part] = rows[lane];
  }
  for (int lane = 0; lane < lane_width; ++lane) {
    blocks[lane].one = K[8][lane];
    visit(lane, blocks[lane]);
  }
}

// Takes blocks straight to both triangles of the matrix; for a body of one chunk.
struct MatrixSink {
  Matrix3d* blocks;
  const int* node_slot;
  const std::array<int, 2>* edge_slots;

  void add_node(const BlockLanes& K, const int (&node)[lane_width]) const
  {
    for_each_element(K, [&](int lane, const EightAndOne& block) {
      block.add_to(blocks[node_slot[node[lane]]]);
    });
  }
  void add_edge(const BlockLanes& K, const int (&edge)[lane_width]) const
  {
    for_each_element(K, [&](int lane, const EightAndOne& block) {
      const auto& [upper, lower] = edge_slots[edge[lane]];
      block.add_to(blocks[upper]);
      block.transposed().add_to(blocks[lower]);
    });
  }
};

// Takes blocks to the sums of a chunk, edges in one direction only.
struct SumSink {
  double* eights;
  double* ninths;
  std::size_t first_edge;

  void add_node(const BlockLanes& K, const int (&node)[lane_width]) const { add(K, node, 0); }
  void add_edge(const BlockLanes& K, const int (&edge)[lane_width]) const
  {
    add(K, edge, first_edge);
  }
  void add(const BlockLanes& K, const int (&number)[lane_width], std::size_t first) const
  {
    for_each_element(K, [&](int lane, const EightAndOne& block) {
      const std::size_t place = first + static_cast<std::size_t>(number[lane]);
      for (int part = 0; part < lanes_per_8; ++part)
        *as_lanes(eights + 8 * place + part * lane_width) += block.eight[part];
      ninths[place] += block.one;
    });
  }
};

EightAndOne sum_of(const double* eights, const double* ninths, std::span<const int> places)
{
  EightAndOne sum;
  for (const int place : places) {
    for (int part = 0; part < lanes_per_8; ++part)
      sum.eight[part] += *as_lanes(eights + 8 * place + part * lane_width);
    sum.one += ninths[place];
  }
  return sum;
}

// Calls work(i) for 0 to count, many at a time on several threads.
template <class Work>
void for_many(int count, const Work& work)
{
  constexpr int per_chunk = 4096;  // some tens of microseconds
  for_chunks(count, per_chunk, [&](int, int first, int last) {
    for (int i = first; i < last; ++i) work(i);
  });
}

}  // namespace

// A group in its present shape.
struct SoftElements::Strained {
  std::array<Vector3Lanes, 4> h;
  SymmetricLanes E;
};

SoftElements::Strained SoftElements::strain_at(const Group& group, const double* q)
{
  const std::array<Vector3Lanes, 3> d = gather_edges(q, group.node);
  Matrix3Lanes F;
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) F[i][j] += d[a][i] * group.gradient[a][j];
  const Matrix3Lanes R = nearest_rotation(F);
  Strained state;
  for (int i = 0; i < 3; ++i) {
    for (int a = 0; a < 3; ++a)
      state.h[a + 1][i] = R[i][0] * group.gradient[a][0] + R[i][1] * group.gradient[a][1] +
                          R[i][2] * group.gradient[a][2];
    state.h[0][i] = -(state.h[1][i] + state.h[2][i] + state.h[3][i]);
  }
  state.E = symmetric_sum(d, state.h);
  for (int i = 0; i < 3; ++i) state.E[i] -= 1.0;
  return state;
}

void SoftElements::scatter_forces(const Group& group, const Strained& state, double factor,
                                  double* forces)
{
  const Lanes pressure = group.lambda * (state.E[0] + state.E[1] + state.E[2]);
  SymmetricLanes S;
  for (int k = 0; k < 6; ++k) S[k] = 2.0 * group.mu * state.E[k];
  for (int k = 0; k < 3; ++k) S[k] += pressure;
  std::array<Vector3Lanes, 4> pull;
  for (int a = 1; a < 4; ++a) pull[a] = product(S, state.h[a]);
  for (int i = 0; i < 3; ++i) pull[0][i] = -(pull[1][i] + pull[2][i] + pull[3][i]);
  for (int a = 0; a < 4; ++a) {
    for (int i = 0; i < 3; ++i) pull[a][i] *= factor;
    for (int lane = 0; lane < lane_width; ++lane)
      for (int i = 0; i < 3; ++i) forces[3 * group.node_sum[a][lane] + i] -= pull[a][i][lane];
  }
}

template <class Sink>
void SoftElements::scatter_blocks(const Group& group, const Strained& state, double factor,
                                  const Sink& sink)
{
  const auto& h = state.h;
  const Lanes lambda = factor * group.lambda, mu = factor * group.mu;
  std::array<Vector3Lanes, 4> lambda_h, mu_h;
  for (int a = 0; a < 4; ++a)
    for (int i = 0; i < 3; ++i) {
      lambda_h[a][i] = lambda * h[a][i];
      mu_h[a][i] = mu * h[a][i];
    }
  const auto shear = [&](int a, int b) {
    return mu_h[a][0] * h[b][0] + mu_h[a][1] * h[b][1] + mu_h[a][2] * h[b][2];
  };
  for (int a = 0; a < 4; ++a) {  // symmetric to the last bit
    BlockLanes K;
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j)
        K[i + 3 * j] = K[j + 3 * i] = (lambda_h[a][i] + mu_h[a][i]) * h[a][j];
    for (int i = 0; i < 3; ++i) K[4 * i] += shear(a, a);
    sink.add_node(K, group.node_sum[a]);
  }
  for (int p = 0; p < 6; ++p) {
    const auto& [a, b] = pairs[p];
    BlockLanes K;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) K[i + 3 * j] = lambda_h[a][i] * h[b][j] + mu_h[b][i] * h[a][j];
    const Lanes diagonal = shear(a, b);
    for (int i = 0; i < 3; ++i) K[4 * i] += diagonal;
    sink.add_edge(K, group.edge_sum[p]);
  }
}

template <class Work>
void SoftElements::for_each_chunk(const Work& work) const
{
  for_pieces(chunks_, work);
}

void SoftElements::clear_forces(const Chunk& chunk, Sums& sums) const
{
  std::fill(sums.forces_.data() + 3 * chunk.node_sums.first,
            sums.forces_.data() + 3 * chunk.node_sums.last, 0.0);
}

void SoftElements::clear(const Chunk& chunk, Sums& sums) const
{
  const auto clear_blocks = [&](std::size_t offset, Range range) {
    const std::size_t first = offset + range.first, last = offset + range.last;
    std::fill(sums.eights_.data() + 8 * first, sums.eights_.data() + 8 * last, 0.0);
    std::fill(sums.ninths_.data() + first, sums.ninths_.data() + last, 0.0);
  };
  clear_blocks(0, chunk.node_sums);
  clear_blocks(summed_node_.size(), chunk.edge_sums);
  clear_forces(chunk, sums);
}

void SoftElements::gather_forces(const Sums& sums, double* f) const
{
  for_many(node_count(), [&](int i) {
    for (const int place : node_sources_[i])
      for (int k = 0; k < 3; ++k) f[3 * i + k] += sums.forces_[3 * place + k];
  });
}

void SoftElements::gather_blocks(const Sums& sums, BlockMatrix& A) const
{
  const double* eights = sums.eights_.data();
  const double* ninths = sums.ninths_.data();
  for_many(node_count(), [&](int i) {
    sum_of(eights, ninths, node_sources_[i]).add_to(A.blocks[node_slot_[i]]);
  });
  for_many(static_cast<int>(edges_.size()), [&](int e) {
    const EightAndOne block = sum_of(eights, ninths, edge_sources_[e]);
    block.add_to(A.blocks[edge_slots_[e][0]]);
    block.transposed().add_to(A.blocks[edge_slots_[e][1]]);
  });
}

void SoftElements::add_linearised(const double* q, const Factors& factors, Sums& sums,
                                  BlockMatrix& A, double* b) const
{
  const auto scatter = [&](const Chunk& chunk, const auto& sink, double* forces) {
    for (int g = chunk.groups.first; g < chunk.groups.last; ++g) {
      const Strained state = strain_at(groups_[g], q);
      scatter_forces(groups_[g], state, factors.force, forces);
      scatter_blocks(groups_[g], state, factors.stiffness, sink);
    }
  };
  if (chunks_.size() == 1) {
    const MatrixSink sink{A.blocks.data(), node_slot_.data(), edge_slots_.data()};
    return scatter(chunks_[0], sink, b);
  }
  const SumSink sink{sums.eights_.data(), sums.ninths_.data(), summed_node_.size()};
  for_each_chunk([&](const Chunk& chunk) {
    clear(chunk, sums);
    scatter(chunk, sink, sums.forces_.data());
  });
  gather_forces(sums, b);
  gather_blocks(sums, A);
}

// K v has the form of the forces, with the rate of strain in place of the strain.
void SoftElements::add_forces(const double* q, const double* v, double damping, Sums& sums,
                              double* f) const
{
  for_each_chunk([&](const Chunk& chunk) {
    clear_forces(chunk, sums);
    for (int g = chunk.groups.first; g < chunk.groups.last; ++g) {
      Strained state = strain_at(groups_[g], q);
      const SymmetricLanes rate = symmetric_sum(gather_edges(v, groups_[g].node), state.h);
      for (int k = 0; k < 6; ++k) state.E[k] += damping * rate[k];
      scatter_forces(groups_[g], state, 1.0, sums.forces_.data());
    }
  });
  gather_forces(sums, f);
}

double SoftElements::energy(const double* q) const
{
  Lanes sum{};
  for (const Group& group : groups_) {
    const SymmetricLanes E = strain_at(group, q).E;
    const Lanes trace = E[0] + E[1] + E[2];
    const Lanes square =
        E[0] * E[0] + E[1] * E[1] + E[2] * E[2] + 2.0 * (E[3] * E[3] + E[4] * E[4] + E[5] * E[5]);
    sum += group.mu * square + 0.5 * group.lambda * trace * trace;
  }
  return horizontal_sum(sum);
}

}  // namespace tact
