#include <tact/collision/spatial_hash.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include <tact/collision/swept_box.hpp>

namespace tact {
namespace {

using Cell = std::array<std::int64_t, 3>;

constexpr double most_cells = 256;  // of a triangle; larger ones are compared with all

std::vector<SweptBox> vertex_boxes_of(std::span<const MovingVertex> vertices, double tolerance)
{
  std::vector<SweptBox> boxes;
  boxes.reserve(vertices.size());
  for (const MovingVertex& vertex : vertices) boxes.push_back(swept_box(vertex, tolerance));
  return boxes;
}

std::vector<int> surface_of_each_triangle(const SurfaceSet& surfaces)
{
  std::vector<int> owner;
  for (std::size_t s = 0; s < surfaces.surfaces().size(); ++s)
    owner.resize(surfaces.surfaces()[s].triangles.last, static_cast<int>(s));
  return owner;
}

// Cells are found by a subtraction, a division and a floor, each monotone even when rounded: a
// point between two others is in a cell between theirs.
struct Grid {
  std::array<double, 3> origin{};
  double cell_size = 1.0;

  double coordinate(double x, int k) const { return std::floor((x - origin[k]) / cell_size); }

  Cell cell(const std::array<double, 4>& point) const
  {
    Cell result;
    for (int k = 0; k < 3; ++k) result[k] = static_cast<std::int64_t>(coordinate(point[k], k));
    return result;
  }

  double cells_of(const SweptBox& box) const
  {
    double count = 1.0;
    for (int k = 0; k < 3; ++k)
      count *= coordinate(box.high[k], k) - coordinate(box.low[k], k) + 1.0;
    return count;
  }
};

Grid grid_for(std::span<const SweptBox> boxes)
{
  Grid grid;
  SweptBox whole = no_box();
  double sum = 0.0;
  for (const SweptBox& box : boxes) {
    whole = merged(whole, box);
    double extent = 0.0;
    for (int k = 0; k < 3; ++k) extent = std::max(extent, box.high[k] - box.low[k]);
    sum += extent;
  }
  double widest = 0.0;
  for (int k = 0; k < 3 && !boxes.empty(); ++k) {
    grid.origin[k] = whole.low[k];
    widest = std::max(widest, whole.high[k] - whole.low[k]);
  }
  // No more than 2^40 cells on a side, so that their numbers are exact.
  const double size = std::max(sum / static_cast<double>(boxes.size()), 0x1p-40 * widest);
  if (size > 0.0) grid.cell_size = size;
  return grid;
}

std::uint64_t hash_of(const Cell& cell)
{
  std::uint64_t h = 0;
  for (const std::int64_t c : cell) {
    h = (h ^ static_cast<std::uint64_t>(c)) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  return h;
}

class SpatialHash {
 public:
  explicit SpatialHash(std::span<const SweptBox> boxes) : boxes_(boxes), grid_(grid_for(boxes))
  {
    for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
      if (grid_.cells_of(boxes[i]) > most_cells)
        large_.push_back(i);
      else
        enter(i);
    }
    fill_table();
  }

  // Calls visit(i, j) once for each pair of boxes that overlap.
  template <class Visit>
  void for_each_overlap(const Visit& visit) const
  {
    for (std::size_t h = 0; h + 1 < start_.size(); ++h)
      for (int p = start_[h]; p < start_[h + 1]; ++p)
        for (int q = p + 1; q < start_[h + 1]; ++q)
          if (meet(table_[p], table_[q])) visit(table_[p].item, table_[q].item);
    std::vector<bool> done(boxes_.size(), false);
    for (const int i : large_) {
      done[i] = true;
      for (int j = 0; j < static_cast<int>(boxes_.size()); ++j)
        if (!done[j] && overlap(boxes_[i], boxes_[j])) visit(i, j);
    }
  }

 private:
  struct Entry {
    Cell cell;
    int item;
  };

  void enter(int item)
  {
    const Cell low = grid_.cell(boxes_[item].low), high = grid_.cell(boxes_[item].high);
    Cell cell;
    for (cell[0] = low[0]; cell[0] <= high[0]; ++cell[0])
      for (cell[1] = low[1]; cell[1] <= high[1]; ++cell[1])
        for (cell[2] = low[2]; cell[2] <= high[2]; ++cell[2]) entries_.push_back({cell, item});
  }

  // Entries of one bucket side by side.
  void fill_table()
  {
    const std::uint64_t mask = std::bit_ceil(2 * entries_.size() + 1) - 1;
    start_.assign(mask + 3, 0);
    for (const Entry& entry : entries_) ++start_[(hash_of(entry.cell) & mask) + 2];
    for (std::size_t h = 2; h < start_.size(); ++h) start_[h] += start_[h - 1];
    table_.resize(entries_.size());
    for (const Entry& entry : entries_) table_[start_[(hash_of(entry.cell) & mask) + 1]++] = entry;
    start_.pop_back();
  }

  // Two boxes that overlap share many cells: they meet in that of the lowest corner they share.
  bool meet(const Entry& p, const Entry& q) const
  {
    const SweptBox& a = boxes_[p.item];
    const SweptBox& b = boxes_[q.item];
    if (p.cell != q.cell || !overlap(a, b)) return false;
    std::array<double, 4> corner{};
    for (int k = 0; k < 3; ++k) corner[k] = std::max(a.low[k], b.low[k]);
    return grid_.cell(corner) == p.cell;
  }

  std::span<const SweptBox> boxes_;
  Grid grid_;
  std::vector<int> large_;
  std::vector<Entry> entries_, table_;
  std::vector<int> start_;
};

bool share_a_vertex(const VertexQuad& quad, CcdKind kind)
{
  const auto& [a, b, c, d] = quad;
  if (kind == CcdKind::vertex_face) return a == b || a == c || a == d;
  return a == c || a == d || b == c || b == d;
}

SweptBox merged(std::span<const SweptBox> boxes, std::span<const int> vertices)
{
  SweptBox box = no_box();
  for (const int v : vertices) box = merged(box, boxes[v]);
  return box;
}

}  // namespace

FeaturePairs find_pairs_by_hash(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                                double tolerance)
{
  const std::vector<SweptBox> vertex_boxes = vertex_boxes_of(vertices, tolerance);
  const std::vector<int> surface_of = surface_of_each_triangle(surfaces);
  std::vector<SweptBox> boxes;
  boxes.reserve(surfaces.triangles().size());
  for (const Triangle& t : surfaces.triangles()) boxes.push_back(merged(vertex_boxes, t));

  FeaturePairs found, sorted;
  TriangleFeatures a, b;
  SpatialHash(boxes).for_each_overlap([&](int t, int u) {
    if (!surfaces.tested(surface_of[t], surface_of[u])) return;
    load_features(surfaces, vertex_boxes, t, a);
    load_features(surfaces, vertex_boxes, u, b);
    add_pairs(surfaces, vertex_boxes, a, b, found);
  });
  const FeaturePairs* const parts[] = {&found};
  PairSorter().sort(parts, surfaces, sorted);
  return sorted;
}

FeaturePairs find_pairs_by_brute_force(const SurfaceSet& surfaces,
                                       std::span<const MovingVertex> vertices, double tolerance)
{
  const std::vector<SweptBox> boxes = vertex_boxes_of(vertices, tolerance);
  std::vector<bool> has_triangle(surfaces.vertex_count(), false);
  for (const Triangle& t : surfaces.triangles())
    for (const int corner : t) has_triangle[corner] = true;
  FeaturePairs pairs;
  for (std::size_t a = 0; a < surfaces.surfaces().size(); ++a) {
    for (std::size_t b = 0; b < surfaces.surfaces().size(); ++b) {
      if (!surfaces.tested(static_cast<int>(a), static_cast<int>(b))) continue;
      const Surface& one = surfaces.surfaces()[a];
      const Surface& other = surfaces.surfaces()[b];
      for (int v = one.vertices.first; v < one.vertices.last; ++v)
        for (int t = other.triangles.first; t < other.triangles.last; ++t) {
          const VertexQuad quad = vertices_of(surfaces, VertexFacePair{v, t});
          if (has_triangle[v] && !share_a_vertex(quad, CcdKind::vertex_face) &&
              overlap(boxes[v], merged(boxes, std::span(quad).subspan(1))))
            pairs.vertex_face.push_back({v, t});
        }
      for (int e = one.edges.first; e < one.edges.last; ++e)
        for (int f = std::max(e + 1, other.edges.first); f < other.edges.last; ++f) {
          const VertexQuad quad = vertices_of(surfaces, EdgeEdgePair{e, f});
          if (!share_a_vertex(quad, CcdKind::edge_edge) &&
              overlap(merged(boxes, std::span(quad).first(2)),
                      merged(boxes, std::span(quad).subspan(2))))
            pairs.edge_edge.push_back({e, f});
        }
    }
  }
  std::sort(pairs.vertex_face.begin(), pairs.vertex_face.end());
  std::sort(pairs.edge_edge.begin(), pairs.edge_edge.end());
  return pairs;
}

}  // namespace tact
