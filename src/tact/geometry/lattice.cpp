// fit_lattice: choose cells, make them one piece, number their corners, embed the surface.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/core/union_find.hpp>
#include <tact/geometry/embedding.hpp>
#include <tact/geometry/kuhn.hpp>
#include <tact/geometry/lattice_cells.hpp>

namespace tact {
namespace {

constexpr double least_fill = 1e-3;
constexpr double max_cells = 1e7;

void require_closed(const TriMesh& surface)
{
  validate(surface);
  const SurfaceTopology topology = build_topology(surface);
  for (int e = 0; e < topology.edge_triangles.size(); ++e) {
    const int count = static_cast<int>(topology.edge_triangles[e].size());
    if (count % 2 != 0)
      throw Error(
          fmt::format("fit_lattice: the surface is open: the edge between the vertices {} "
                      "and {} has {} triangle{}, expected 2",
                      topology.edges[e][0], topology.edges[e][1], count, count == 1 ? "" : "s"));
  }
  for (int v = 0; v < surface.vertex_count(); ++v)
    if (topology.vertex_triangles[v].empty())
      throw Error(
          fmt::format("fit_lattice: vertex {} is of no triangle, expected a surface without "
                      "loose vertices",
                      v));
  const double inside = volume(surface);
  if (!(inside > 0.0))
    throw Error(
        fmt::format("fit_lattice: the volume inside of the surface is {:g} m^3, expected "
                    "one greater than 0 (a closed surface that faces outwards)",
                    inside));
}

CellGrid grid_around(const TriMesh& surface, double cell)
{
  if (!(cell > 0.0) || !std::isfinite(cell))
    throw Error(fmt::format("fit_lattice: the cell is {} m, expected a positive length", cell));
  const Aabb box = bounding_box(surface.positions);
  CellGrid grid{.low = box.centre(), .size = cell, .count = {}};
  double cells = 1.0;
  std::array<double, 3> counts;
  for (int k = 0; k < 3; ++k) {
    // A box whose sides are whole numbers of cells, but for rounding, gets no further layer.
    counts[k] = std::max(1.0, std::ceil(box.extent()[k] / cell - 1e-9));
    cells *= counts[k];
  }
  if (!(cells <= max_cells))
    throw Error(
        fmt::format("fit_lattice: cells of {:g} m make a lattice of {:g} cells, expected at "
                    "most {:g}; choose a larger cell",
                    cell, cells, max_cells));
  for (int k = 0; k < 3; ++k) {
    grid.count[k] = static_cast<int>(counts[k]);
    grid.low[k] -= 0.5 * cell * counts[k];
  }
  return grid;
}

class CellSet {
 public:
  CellSet(const CellGrid& grid, std::vector<bool> kept)
      : grid_(grid), kept_(std::move(kept)), pieces_(grid.cells())
  {
    for (int c = 0; c < grid_.cells(); ++c)
      if (kept_[c]) join_faces(c);
  }

  int size() const { return static_cast<int>(std::count(kept_.begin(), kept_.end(), true)); }
  bool has(const Cell& cell) const { return grid_.holds(cell) && kept_[grid_.number(cell)]; }

  // Cells that meet at an edge or a corner only, without being joined elsewhere, would be a hinge:
  // the cells between them are added.
  void bridge_hinges()
  {
    for (int c = 0; c < grid_.cells(); ++c) {
      if (!kept_[c]) continue;
      for (int direction = 0; direction < 27; ++direction) {
        const Cell step{direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1};
        bridge(c, step);
      }
    }
  }

 private:
  void join_faces(int c)
  {
    for (int k = 0; k < 3; ++k) {
      for (const int step : {-1, 1}) {
        Cell next = grid_.cell(c);
        next[k] += step;
        if (has(next)) pieces_.merge(c, grid_.number(next));
      }
    }
  }

  void bridge(int c, const Cell& step)
  {
    Cell at = grid_.cell(c);
    const Cell end{at[0] + step[0], at[1] + step[1], at[2] + step[2]};
    if (!has(end) || pieces_.root(c) == pieces_.root(grid_.number(end))) return;
    for (int k = 0; k < 3; ++k) {
      at[k] = end[k];
      kept_[grid_.number(at)] = true;
      join_faces(grid_.number(at));
    }
  }

  const CellGrid& grid_;
  std::vector<bool> kept_;
  UnionFind pieces_;
};

CellSet cells_with_matter(const TriMesh& closed, const CellGrid& grid,
                          const std::vector<std::array<double, 6>>& fill)
{
  std::vector<bool> kept = touched_cells(closed, grid);
  for (int c = 0; c < grid.cells(); ++c)
    if (std::any_of(fill[c].begin(), fill[c].end(), [](double f) { return f > 0.0; }))
      kept[c] = true;
  CellSet cells(grid, std::move(kept));
  cells.bridge_hinges();
  return cells;
}

// Numbers of lattice points, given on first sight.
class LatticePoints {
 public:
  explicit LatticePoints(const CellGrid& grid)
      : grid_(grid),
        numbers_(
            static_cast<std::size_t>(grid.count[0] + 1) * (grid.count[1] + 1) * (grid.count[2] + 1),
            -1)
  {
  }

  int number(const Cell& point, std::vector<Vector3d>& positions)
  {
    int& number = numbers_[index(point)];
    if (number < 0) {
      number = static_cast<int>(positions.size());
      positions.push_back(grid_.low + grid_.size * Vector3d(point[0], point[1], point[2]));
    }
    return number;
  }
  int number(const Cell& point) const { return numbers_[index(point)]; }

 private:
  std::size_t index(const Cell& p) const
  {
    const std::size_t nx = grid_.count[0] + 1, ny = grid_.count[1] + 1;
    return p[0] + nx * (p[1] + ny * p[2]);
  }

  const CellGrid& grid_;
  std::vector<int> numbers_;
};

// The kept cell that holds a point of the surface: the one it is in or, where rounding has put it
// across a wall, a neighbour.
Cell cell_of(const Vector3d& place, const CellGrid& grid, const CellSet& cells)
{
  Cell home;
  for (int k = 0; k < 3; ++k)
    home[k] = std::clamp(static_cast<int>(std::floor(place[k])), 0, grid.count[k] - 1);
  if (cells.has(home)) return home;
  Cell nearest = home;
  double least = 1e-6;  // cells
  for (int direction = 0; direction < 27; ++direction) {
    const Cell next{home[0] + direction % 3 - 1, home[1] + direction / 3 % 3 - 1,
                    home[2] + direction / 9 - 1};
    if (!cells.has(next)) continue;
    double outside = 0.0;
    for (int k = 0; k < 3; ++k)
      outside = std::max({outside, next[k] - place[k], place[k] - next[k] - 1.0});
    if (outside < least) {
      least = outside;
      nearest = next;
    }
  }
  return nearest;
}

// In the tetrahedron that takes the axes by falling coordinates f0 >= f1 >= f2 the weights are
// 1 - f0, f0 - f1, f1 - f2, f2.
Barycentric embed_in_cell(const Vector3d& place, const Cell& cell, const LatticePoints& points)
{
  std::array<double, 3> f;
  for (int k = 0; k < 3; ++k) f[k] = std::clamp(place[k] - cell[k], 0.0, 1.0);
  std::array<int, 3> axes{0, 1, 2};
  std::stable_sort(axes.begin(), axes.end(), [&](int i, int j) { return f[i] > f[j]; });
  Barycentric point;
  Cell corner = cell;
  double above = 1.0;
  for (int k = 0; k < 3; ++k) {
    point.nodes[k] = points.number(corner);
    point.weights[k] = above - f[axes[k]];
    above = f[axes[k]];
    ++corner[axes[k]];
  }
  point.nodes[3] = points.number(corner);
  point.weights[3] = above;
  return point;
}

}  // namespace

Lattice fit_lattice(const TriMesh& closed, double cell)
{
  require_closed(closed);
  const CellGrid grid = grid_around(closed, cell);
  const std::vector<std::array<double, 6>> fill = fill_of_cells(closed, grid);
  const CellSet cells = cells_with_matter(closed, grid, fill);

  Lattice lattice;
  LatticePoints points(grid);
  for (int c = 0; c < grid.cells(); ++c) {
    const Cell at = grid.cell(c);
    if (!cells.has(at)) continue;
    for (int k = 0; k < 6; ++k) {
      lattice.solid.tetrahedra.push_back(kuhn_tetrahedron(k, [&](const Cell& corner) {
        return points.number({at[0] + corner[0], at[1] + corner[1], at[2] + corner[2]},
                             lattice.solid.positions);
      }));
      lattice.fill.push_back(std::max(least_fill, fill[c][k]));
    }
  }
  lattice.surface.triangles = closed.triangles;
  lattice.surface.vertices.reserve(closed.positions.size());
  for (const Vector3d& p : closed.positions) {
    const Vector3d place = (p - grid.low) / grid.size;
    lattice.surface.vertices.push_back(embed_in_cell(place, cell_of(place, grid, cells), points));
  }
  return lattice;
}

double lattice_cell(const TriMesh& closed, int tetrahedra)
{
  require_closed(closed);
  if (tetrahedra < 6)
    throw Error(fmt::format("lattice_cell: {} tetrahedra, expected 6 or more", tetrahedra));
  double cell = bounding_box(closed.positions).extent().maxCoeff();
  double best = cell;
  // Numbers go up and down a little as cells shrink, so that all are tried.
  for (int count = 0, least = tetrahedra; count < 2 * tetrahedra; cell *= 0.97) {
    const CellGrid grid = grid_around(closed, cell);
    // Cells that no triangle touches are full or empty: one line tells.
    count = 6 * cells_with_matter(closed, grid, fill_of_cells(closed, grid, 1)).size();
    const int miss = std::abs(count - tetrahedra);
    if (miss >= least) continue;
    least = miss;
    best = cell;
  }
  return best;
}

}  // namespace tact
