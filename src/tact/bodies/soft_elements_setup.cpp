// How soft_elements.hpp divides a mesh into chunks and groups, once.
#include <algorithm>
#include <numeric>

#include <Eigen/LU>

#include <tact/bodies/soft_elements.hpp>

namespace tact {
namespace {

constexpr int largest_chunk = 2048;  // elements: about 0.3 ms of work

std::vector<Edge> edges_of(const TetMesh& mesh)
{
  std::vector<Edge> edges;
  edges.reserve(6 * mesh.tetrahedra.size());
  for (Tetrahedron t : mesh.tetrahedra) {
    std::sort(t.begin(), t.end());
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b) edges.push_back({t[a], t[b]});
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

// Halves a set of tetrahedra across the longest side of its box until chunks are small enough:
// neighbours stay together, so that few nodes and edges are summed in more than one chunk.
void split_into_chunks(const std::vector<Vector3d>& centres, std::span<int> tetrahedra,
                       std::vector<std::span<int>>& chunks)
{
  if (tetrahedra.size() <= largest_chunk) return chunks.push_back(tetrahedra);
  Aabb box;
  for (const int t : tetrahedra) box.add(centres[t]);
  int axis = 0;
  box.extent().maxCoeff(&axis);
  const std::size_t half = round_up_8(static_cast<int>(tetrahedra.size() / 2));
  std::nth_element(tetrahedra.begin(), tetrahedra.begin() + static_cast<std::ptrdiff_t>(half),
                   tetrahedra.end(), [&](int s, int t) {
                     const double x = centres[s][axis], y = centres[t][axis];
                     return x != y ? x < y : s < t;
                   });
  split_into_chunks(centres, tetrahedra.first(half), chunks);
  split_into_chunks(centres, tetrahedra.subspan(half), chunks);
}

// Gives numbers from `summed.size()` up to the things that a chunk uses, in their own order, and
// appends them to `summed`. A body of one chunk has all its nodes and edges in it: number and thing
// are the same there.
class Numbering {
 public:
  explicit Numbering(std::size_t things) : number_(things, -1) {}

  void use(int thing) { number_[thing] = 0; }
  void append_to(std::vector<int>& summed)
  {
    for (std::size_t thing = 0; thing < number_.size(); ++thing) {
      if (number_[thing] < 0) continue;
      number_[thing] = static_cast<int>(summed.size());
      summed.push_back(static_cast<int>(thing));
    }
  }
  int operator[](int thing) const { return number_[thing]; }

 private:
  std::vector<int> number_;
};

int edge_number(const std::vector<Edge>& edges, int a, int b)
{
  const auto edge = std::lower_bound(edges.begin(), edges.end(), Edge{a, b});
  return static_cast<int>(edge - edges.begin());
}

// For each thing the places where it stands in `summed`, moved by `offset`.
Incidence places_of(int things, const std::vector<int>& summed, int offset)
{
  Incidence places;
  places.start.assign(things + 1, 0);
  for (const int thing : summed) ++places.start[thing + 1];
  std::partial_sum(places.start.begin(), places.start.end(), places.start.begin());
  places.items.resize(summed.size());
  std::vector<int> next(places.start.begin(), places.start.end() - 1);
  for (std::size_t k = 0; k < summed.size(); ++k)
    places.items[next[summed[k]]++] = offset + static_cast<int>(k);
  return places;
}

}  // namespace

LameModuli lame_moduli(double young, double poisson)
{
  return {young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
          young / (2.0 * (1.0 + poisson))};
}

SoftElements::SoftElements(const TetMesh& mesh, const LameModuli& moduli,
                           std::span<const double> stiffening)
    : edges_(edges_of(mesh))
{
  std::vector<Vector3d> centres;
  for (int t = 0; t < mesh.tetrahedron_count(); ++t) {
    const auto [a, b, c, d] = mesh.corners(t);
    centres.push_back(0.25 * (a + b + c + d));
  }
  std::vector<int> tetrahedra(mesh.tetrahedra.size());
  std::iota(tetrahedra.begin(), tetrahedra.end(), 0);
  std::vector<std::span<int>> chunks;
  split_into_chunks(centres, tetrahedra, chunks);
  for (const std::span<int> chunk : chunks) {
    std::sort(chunk.begin(), chunk.end());
    add_chunk(mesh, chunk, moduli, stiffening);
  }
  node_sources_ = places_of(mesh.vertex_count(), summed_node_, 0);
  edge_sources_ = places_of(static_cast<int>(edges_.size()), summed_edge_,
                            static_cast<int>(summed_node_.size()));
}

void SoftElements::add_chunk(const TetMesh& mesh, std::span<const int> tetrahedra,
                             const LameModuli& moduli, std::span<const double> stiffening)
{
  Chunk chunk;
  chunk.groups.first = static_cast<int>(groups_.size());
  chunk.node_sums.first = static_cast<int>(summed_node_.size());
  chunk.edge_sums.first = static_cast<int>(summed_edge_.size());
  // With nodes in ascending order, block ab of an element is block (smaller, larger) of its edge.
  const auto sorted_nodes = [&](int t) {
    Tetrahedron nodes = mesh.tetrahedra[t];
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  };
  Numbering node_sum(mesh.positions.size()), edge_sum(edges_.size());
  for (const int t : tetrahedra) {
    const Tetrahedron nodes = sorted_nodes(t);
    for (int a = 0; a < 4; ++a) {
      node_sum.use(nodes[a]);
      for (int b = a + 1; b < 4; ++b) edge_sum.use(edge_number(edges_, nodes[a], nodes[b]));
    }
  }
  node_sum.append_to(summed_node_);
  edge_sum.append_to(summed_edge_);
  const int count = static_cast<int>(tetrahedra.size());
  const int group_count = (count + lane_width - 1) / lane_width;
  for (int k = 0; k < group_count * lane_width; ++k) {
    const int lane = k % lane_width;
    if (lane == 0) groups_.emplace_back();
    Group& group = groups_.back();
    // Neighbours go to the same lane of successive groups, not to one group: those would add to the
    // same blocks at once, each waiting for the one before. Lanes that are left over repeat the
    // last element without any stiffness: they add zeros.
    const int place = lane * group_count + k / lane_width;
    const int t = tetrahedra[std::min(place, count - 1)];
    const Tetrahedron nodes = sorted_nodes(t);
    const double size = fill_gradients(group, lane, nodes, mesh);
    const double stiffness =
        place < count ? size * (stiffening.empty() ? 1.0 : stiffening[t]) : 0.0;
    group.lambda[lane] = stiffness * moduli.lambda;
    group.mu[lane] = stiffness * moduli.mu;
    for (int a = 0, pair = 0; a < 4; ++a) {
      group.node[a][lane] = nodes[a];
      group.node_sum[a][lane] = node_sum[nodes[a]];
      for (int b = a + 1; b < 4; ++b, ++pair)
        group.edge_sum[pair][lane] = edge_sum[edge_number(edges_, nodes[a], nodes[b])];
    }
  }
  chunk.groups.last = static_cast<int>(groups_.size());
  chunk.node_sums.last = static_cast<int>(summed_node_.size());
  chunk.edge_sums.last = static_cast<int>(summed_edge_.size());
  chunks_.push_back(chunk);
}

// The rows of the inverse of (X_1 - X_0, X_2 - X_0, X_3 - X_0). Returns the volume.
double SoftElements::fill_gradients(Group& group, int lane, const Tetrahedron& nodes,
                                    const TetMesh& mesh)
{
  Matrix3d edges;
  for (int a = 0; a < 3; ++a)
    edges.col(a) = mesh.positions[nodes[a + 1]] - mesh.positions[nodes[0]];
  const Matrix3d inverse = edges.inverse();
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i) group.gradient[a][i][lane] = inverse(a, i);
  return std::abs(edges.determinant()) / 6.0;
}

void SoftElements::bind(const BlockPattern& pattern, int first_node)
{
  node_slot_.clear();
  edge_slots_.clear();
  for (int i = 0; i < node_count(); ++i)
    node_slot_.push_back(pattern.diagonal_slot(first_node + i));
  for (const Edge& edge : edges_) {
    const int i = first_node + edge[0], j = first_node + edge[1];
    edge_slots_.push_back({pattern.slot(i, j), pattern.slot(j, i)});
  }
}

SoftElements::Sums::Sums(const SoftElements& elements)
{
  forces_.resize(3 * elements.summed_node_.size());
  if (elements.chunks_.size() == 1) return;  // blocks go to the matrix at once
  ninths_.resize(elements.summed_node_.size() + elements.summed_edge_.size());
  eights_.resize(8 * ninths_.size());
}

}  // namespace tact
