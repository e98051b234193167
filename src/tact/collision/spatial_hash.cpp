#include <tact/collision/spatial_hash.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include <tact/collision/moving_box.hpp>

namespace tact {
namespace {

using Cell = std::array<std::int64_t, 3>;

constexpr double most_cells = 256;  // of a triangle; larger ones are compared with all

VertexBoxes vertex_boxes_of(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                            double tolerance)
{
  VertexBoxes boxes(surfaces);
  for (int s = 0; s < static_cast<int>(surfaces.surfaces().size()); ++s)
    boxes.set(surfaces, s, vertices, tolerance, {});
  return boxes;
}

// One a vertex; what stands still ends where it starts.
std::vector<MovingBox> moving_boxes_of(const SurfaceSet& surfaces, const VertexBoxes& boxes)
{
  std::vector<MovingBox> moving;
  for (int s = 0; s < static_cast<int>(surfaces.surfaces().size()); ++s) {
    const auto [first, last] = surfaces.surfaces()[s].vertices;
    for (int i = first; i < last; ++i)
      moving.push_back({boxes.starts()[i], boxes.still(s) ? boxes.starts()[i] : boxes.ends()[i]});
  }
  return moving;
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

  double cells_of(const Box& box) const
  {
    double count = 1.0;
    for (int k = 0; k < 3; ++k)
      count *= coordinate(box.high[k], k) - coordinate(box.low[k], k) + 1.0;
    return count;
  }
};

Grid grid_for(std::span<const Box> boxes)
{
  Grid grid;
  Box whole = no_box();
  double sum = 0.0;
  for (const Box& box : boxes) {
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
  explicit SpatialHash(std::span<const MovingBox> boxes) : boxes_(boxes)
  {
    for (const MovingBox& box : boxes) swept_.push_back(swept(box));
    grid_ = grid_for(swept_);
    for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
      if (grid_.cells_of(swept_[i]) > most_cells)
        large_.push_back(i);
      else
        enter(i);
    }
    fill_table();
  }

  // Calls visit(i, j) once for each pair of boxes that meet.
  template <class Visit>
  void for_each_meeting(const Visit& visit) const
  {
    for (std::size_t h = 0; h + 1 < start_.size(); ++h)
      for (int p = start_[h]; p < start_[h + 1]; ++p)
        for (int q = p + 1; q < start_[h + 1]; ++q)
          if (meet_here(table_[p], table_[q])) visit(table_[p].item, table_[q].item);
    std::vector<bool> done(boxes_.size(), false);
    for (const int i : large_) {
      done[i] = true;
      for (int j = 0; j < static_cast<int>(boxes_.size()); ++j)
        if (!done[j] && meet(boxes_[i], boxes_[j])) visit(i, j);
    }
  }

 private:
  struct Entry {
    Cell cell;
    int item;
  };

  void enter(int item)
  {
    const Cell low = grid_.cell(swept_[item].low), high = grid_.cell(swept_[item].high);
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

  // Two boxes that meet share many cells of all they pass: that of the lowest corner counts.
  bool meet_here(const Entry& p, const Entry& q) const
  {
    if (p.cell != q.cell || !meet(boxes_[p.item], boxes_[q.item])) return false;
    const Box &a = swept_[p.item], &b = swept_[q.item];
    std::array<double, 4> corner{};
    for (int k = 0; k < 3; ++k) corner[k] = std::max(a.low[k], b.low[k]);
    return grid_.cell(corner) == p.cell;
  }

  std::span<const MovingBox> boxes_;
  std::vector<Box> swept_;
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

MovingBox merged(std::span<const MovingBox> boxes, std::span<const int> vertices)
{
  MovingBox box = no_moving_box();
  for (const int v : vertices) box = merged(box, boxes[v]);
  return box;
}

}  // namespace

FeaturePairs find_pairs_by_hash(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                                double tolerance)
{
  const VertexBoxes vertex_boxes = vertex_boxes_of(surfaces, vertices, tolerance);
  const std::vector<MovingBox> moving = moving_boxes_of(surfaces, vertex_boxes);
  const std::vector<int> surface_of = surface_of_each_triangle(surfaces);
  std::vector<MovingBox> boxes;
  boxes.reserve(surfaces.triangles().size());
  for (const Triangle& t : surfaces.triangles()) boxes.push_back(merged(moving, t));

  FeaturePairs found, sorted;
  std::array<TriangleFeatures, 2> features;
  std::array<FeatureBoxes, 2> ends;
  const auto load = [&](int t, int i) -> MovingFeatures {
    const bool still = vertex_boxes.still(surface_of[t]);
    load_features(surfaces, vertex_boxes, t, still, features[i], ends[i]);
    return {features[i], still ? features[i].start : ends[i]};
  };
  SpatialHash(boxes).for_each_meeting([&](int t, int u) {
    if (surfaces.tested(surface_of[t], surface_of[u]))
      add_pairs(surfaces, vertex_boxes, load(t, 0), load(u, 1), found);
  });
  const FeaturePairs* const parts[] = {&found};
  PairSorter().sort(parts, surfaces, sorted);
  return sorted;
}

FeaturePairs find_pairs_by_brute_force(const SurfaceSet& surfaces,
                                       std::span<const MovingVertex> vertices, double tolerance)
{
  const std::vector<MovingBox> boxes =
      moving_boxes_of(surfaces, vertex_boxes_of(surfaces, vertices, tolerance));
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
              meet(boxes[v], merged(boxes, std::span(quad).subspan(1))))
            pairs.vertex_face.push_back({v, t});
        }
      for (int e = one.edges.first; e < one.edges.last; ++e)
        for (int f = std::max(e + 1, other.edges.first); f < other.edges.last; ++f) {
          const VertexQuad quad = vertices_of(surfaces, EdgeEdgePair{e, f});
          if (!share_a_vertex(quad, CcdKind::edge_edge) &&
              meet(merged(boxes, std::span(quad).first(2)),
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
