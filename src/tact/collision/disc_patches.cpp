#include <tact/collision/disc_patches.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace tact {
namespace {

constexpr int none = DiscPatches::none;
constexpr int rounds_of_recentring = 2;  // after which patches hardly get rounder

// Who is whose neighbour across an edge. Triangles are numbered from the first of the surface.
struct DualGraph {
  std::vector<std::array<int, 3>> neighbours;  // across edge k, or none
  std::vector<bool> regular;                   // fit for a disc; others have no neighbours

  int size() const { return static_cast<int>(neighbours.size()); }
};

DualGraph dual_graph(const SurfaceSet& surfaces, const Surface& surface)
{
  struct Sides {
    int count = 0;
    std::array<int, 2> triangle{none, none};
    std::array<int, 2> from{};  // the vertex where the edge starts, seen from that triangle
  };
  std::vector<Sides> sides(surface.edges.size());
  const auto side_of = [&](int t, int k) -> Sides& {
    return sides[surfaces.edges_of(surface.triangles.first + t)[k] - surface.edges.first];
  };
  const int count = surface.triangles.size();
  for (int t = 0; t < count; ++t) {
    for (int k = 0; k < 3; ++k) {
      Sides& side = side_of(t, k);
      if (side.count < 2) {
        side.triangle[side.count] = t;
        side.from[side.count] = surfaces.triangles()[surface.triangles.first + t][k];
      }
      ++side.count;
    }
  }
  DualGraph graph{std::vector<std::array<int, 3>>(count, {none, none, none}),
                  std::vector<bool>(count, true)};
  for (int t = 0; t < count; ++t)
    for (int k = 0; k < 3; ++k) {
      const Sides& side = side_of(t, k);
      if (side.count > 2 || (side.count == 2 && side.from[0] == side.from[1]))
        graph.regular[t] = false;
    }
  for (int t = 0; t < count; ++t)
    for (int k = 0; k < 3 && graph.regular[t]; ++k) {
      const Sides& side = side_of(t, k);
      const int other = side.triangle[0] == t ? side.triangle[1] : side.triangle[0];
      if (other != none && graph.regular[other]) graph.neighbours[t][k] = other;
    }
  return graph;
}

// Goes out from `queue` in breadth until there are `most` triangles in it; labels are handed on.
// Returns where it stopped: what stands in the queue before has been passed.
std::size_t spread(const DualGraph& graph, std::vector<int>& label, std::vector<int>& queue,
                   std::size_t most)
{
  std::size_t next = 0;
  for (; next < queue.size() && queue.size() < most; ++next) {
    for (const int n : graph.neighbours[queue[next]]) {
      if (n == none || label[n] != none) continue;
      label[n] = label[queue[next]];
      queue.push_back(n);
    }
  }
  return next;
}

// Each triangle gets the label of the nearest seed.
std::vector<int> label_by_seeds(const DualGraph& graph, std::span<const int> seeds)
{
  std::vector<int> label(graph.size(), none);
  std::vector<int> queue(seeds.begin(), seeds.end());
  for (std::size_t s = 0; s < seeds.size(); ++s) label[seeds[s]] = static_cast<int>(s);
  spread(graph, label, queue, graph.size());
  return label;
}

// Balls of `size` triangles, one beside the other; what is left between them starts none.
std::vector<int> first_seeds(const DualGraph& graph, int size)
{
  std::vector<int> seeds, ball;
  std::vector<int> label(graph.size(), none);
  for (int t = 0; t < graph.size(); ++t) {
    if (label[t] != none || !graph.regular[t]) continue;
    ball.assign(1, t);
    label[t] = t;
    spread(graph, label, ball, size);
    if (static_cast<int>(ball.size()) >= size / 2) seeds.push_back(t);
  }
  return seeds;
}

// For each label the triangle that is farthest from triangles of others.
std::vector<int> centres(const DualGraph& graph, std::span<const int> label, std::size_t count)
{
  std::vector<int> queue, centre(count, none);
  std::vector<bool> reached(graph.size(), false);
  const auto reach = [&](int t) {
    reached[t] = true;
    queue.push_back(t);
    centre[label[t]] = t;
  };
  for (int t = 0; t < graph.size(); ++t) {
    if (label[t] == none) continue;
    const auto& n = graph.neighbours[t];
    if (std::any_of(n.begin(), n.end(), [&](int o) { return o == none || label[o] != label[t]; }))
      reach(t);
  }
  std::size_t next = 0;
  while (next < queue.size())
    for (const int n : graph.neighbours[queue[next++]])
      if (n != none && !reached[n]) reach(n);
  std::erase(centre, none);
  return centre;
}

// Grows the discs of one surface.
class DiscGrower {
 public:
  DiscGrower(const SurfaceSet& surfaces, const Surface& surface, const DualGraph& graph,
             DiscPatches& out)
      : surfaces_(surfaces), surface_(surface), graph_(graph), out_(out)
  {
    inside_.assign(surface.vertices.size(), none);
    next_.resize(surface.vertices.size());
  }

  // A disc about `seed`, of triangles that are in no patch yet and have its label.
  void grow(int seed, std::span<const int> label)
  {
    const auto patch = static_cast<int>(out_.patches.size());
    DiscPatch disc;
    std::vector<int> waiting{seed};
    for (std::size_t next = 0; next < waiting.size(); ++next) {
      const int t = waiting[next];
      if (patch_of(t) != none || label[t] != label[seed] || !fits(t, patch)) continue;
      patch_of(t) = patch;
      for (const int v : corners(t)) inside_[v - surface_.vertices.first] = patch;
      disc.triangles.push_back(surface_.triangles.first + t);
      for (const int n : graph_.neighbours[t])
        if (n != none) waiting.push_back(n);
    }
    disc.outline = outline_of(disc, patch);
    out_.patches.push_back(std::move(disc));
  }

  bool in_a_patch(int t) const { return out_.patch_of[surface_.triangles.first + t] != none; }

 private:
  int& patch_of(int t) { return out_.patch_of[surface_.triangles.first + t]; }
  const Triangle& corners(int t) const
  {
    return surfaces_.triangles()[surface_.triangles.first + t];
  }

  bool fits(int t, int patch)
  {
    int shared = 0, third = 0;
    for (int k = 0; k < 3; ++k) {
      const int n = graph_.neighbours[t][k];
      if (n == none || patch_of(n) != patch) continue;
      ++shared;
      third = corners(t)[(k + 2) % 3];
    }
    if (shared == 1) return inside_[third - surface_.vertices.first] != patch;
    return shared < 3;  // 0: the first triangle
  }

  std::vector<int> outline_of(const DiscPatch& disc, int patch)
  {
    int first = none;
    for (const int triangle : disc.triangles) {
      const int t = triangle - surface_.triangles.first;
      for (int k = 0; k < 3; ++k) {
        const int n = graph_.neighbours[t][k];
        if (n != none && patch_of(n) == patch) continue;
        first = corners(t)[k];
        next_[first - surface_.vertices.first] = corners(t)[(k + 1) % 3];
      }
    }
    std::vector<int> outline;
    int v = first;
    do {
      outline.push_back(v);
      v = next_[v - surface_.vertices.first];
    } while (v != first);
    return outline;
  }

  const SurfaceSet& surfaces_;
  const Surface& surface_;
  const DualGraph& graph_;
  DiscPatches& out_;
  std::vector<int> inside_;  // the last patch that took in a vertex
  std::vector<int> next_;    // on an outline, from vertex to vertex
};

void divide_surface(const SurfaceSet& surfaces, const Surface& surface, int size, DiscPatches& out)
{
  const DualGraph graph = dual_graph(surfaces, surface);
  std::vector<int> seeds = first_seeds(graph, size);
  std::vector<int> label = label_by_seeds(graph, seeds);
  for (int round = 0; round < rounds_of_recentring; ++round) {
    seeds = centres(graph, label, seeds.size());
    label = label_by_seeds(graph, seeds);
  }
  DiscGrower grower(surfaces, surface, graph, out);
  for (const int seed : seeds) grower.grow(seed, label);
  for (int t = 0; t < graph.size(); ++t)  // what did not fit, and pieces too small for a seed
    if (graph.regular[t] && !grower.in_a_patch(t)) grower.grow(t, label);
}

// The outline of two discs together, if they have one path in common and no vertex beside it.
// `place` has for each vertex its place in b's outline, or none.
std::optional<std::vector<int>> joined(const std::vector<int>& a, const std::vector<int>& b,
                                       std::span<const int> place)
{
  const auto size_a = static_cast<int>(a.size()), size_b = static_cast<int>(b.size());
  const auto shared_edge = [&](int i) {  // from a[i] on; b passes it the other way
    const int from = place[a[i % size_a]], to = place[a[(i + 1) % size_a]];
    return from != none && to != none && from == (to + 1) % size_b;
  };
  int vertices = 0, edges = 0, paths = 0, path_end = 0;
  for (int i = 0; i < size_a; ++i) {
    vertices += place[a[i]] != none;
    if (!shared_edge(i)) continue;
    ++edges;
    if (shared_edge(i + 1)) continue;
    ++paths;
    path_end = (i + 1) % size_a;
  }
  if (paths != 1 || vertices != edges + 1) return std::nullopt;
  std::vector<int> outline;
  for (int i = 0; i < size_a - edges; ++i) outline.push_back(a[(path_end + i) % size_a]);
  const int path_start = place[a[(path_end + size_a - edges) % size_a]];
  for (int i = 0; i < size_b - edges; ++i) outline.push_back(b[(path_start + i) % size_b]);
  return outline;
}

void join_neighbours(const SurfaceSet& surfaces, DiscPatches& out)
{
  std::vector<std::vector<int>> patches_at(surfaces.vertex_count());
  for (int p = 0; p < static_cast<int>(out.patches.size()); ++p)
    for (const int v : out.patches[p].outline) patches_at[v].push_back(p);
  std::vector<int> place(surfaces.vertex_count(), none), neighbours;
  for (int b = 0; b < static_cast<int>(out.patches.size()); ++b) {
    const std::vector<int>& outline = out.patches[b].outline;
    neighbours.clear();
    for (std::size_t i = 0; i < outline.size(); ++i) {
      place[outline[i]] = static_cast<int>(i);
      for (const int a : patches_at[outline[i]])
        if (a < b) neighbours.push_back(a);
    }
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    for (const int a : neighbours)
      if (auto both = joined(out.patches[a].outline, outline, place))
        out.unions.push_back({a, b, std::move(*both)});
    for (const int v : outline) place[v] = none;
  }
}

}  // namespace

DiscPatches no_discs(const SurfaceSet& surfaces)
{
  DiscPatches out;
  out.patch_of.assign(surfaces.triangle_count(), none);
  return out;
}

DiscPatches divide_into_discs(const SurfaceSet& surfaces, int size)
{
  DiscPatches out = no_discs(surfaces);
  const int count = static_cast<int>(surfaces.surfaces().size());
  for (int s = 0; s < count; ++s)
    if (surfaces.tested(s, s)) divide_surface(surfaces, surfaces.surfaces()[s], size, out);
  join_neighbours(surfaces, out);
  return out;
}

}  // namespace tact
