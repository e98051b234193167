#include <tact/geometry/lattice_cells.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <tact/geometry/kuhn.hpp>
#include <tact/geometry/predicates.hpp>

namespace tact {
namespace {

// Lines parallel to z, per_cell^2 through each column of cells.
struct LineGrid {
  const CellGrid& grid;
  int per_cell;

  int count(int axis) const { return per_cell * grid.count[axis]; }
  double share(int line) const { return (line % per_cell + 0.5) / per_cell; }  // within its cell
  double coordinate(int line, int axis) const
  {
    const int cell = line / per_cell;
    return grid.low[axis] + grid.size * (cell + share(line));
  }
  // The first line at or above x, and one past the last line of all that could be below.
  int first_from(double x, int axis) const
  {
    const double line = std::ceil(per_cell * grid.place(x, axis) - 0.5 - 1e-6);
    return static_cast<int>(std::clamp(line, 0.0, double(count(axis))));
  }
  int end_of(double x, int axis) const
  {
    const double line = std::floor(per_cell * grid.place(x, axis) - 0.5 + 1e-6) + 1.0;
    return static_cast<int>(std::clamp(line, 0.0, double(count(axis))));
  }
};

struct Crossing {
  int line;
  double z;     // m
  int winding;  // +1 where the line enters, -1 where it leaves
};

// Is p to the left of the edge from a to b? A point on the edge is moved by (e, e^2) with e > 0
// infinitely small, so that of two triangles that share an edge exactly one has it, and a line
// through an edge or a vertex crosses a closed surface as often as its neighbours do.
bool left_of(const Vector2d& a, const Vector2d& b, const Vector2d& p)
{
  const int side = orient2d(a, b, p);
  if (side != 0) return side > 0;
  return b[1] < a[1] || (b[1] == a[1] && b[0] > a[0]);
}

void add_crossings(const std::array<Vector3d, 3>& corners, const LineGrid& lines,
                   std::vector<Crossing>& crossings)
{
  Vector2d a = corners[0].head<2>(), b = corners[1].head<2>(), c = corners[2].head<2>();
  const int facing = orient2d(a, b, c);  // +1: faces up, so that a line going up leaves here
  if (facing == 0) return;               // seen edge-on; its neighbours are crossed instead
  const Vector3d normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  if (facing < 0) std::swap(b, c);
  const Aabb box = box_of(corners[0], corners[1], corners[2]);
  const int end_x = lines.end_of(box.high[0], 0), end_y = lines.end_of(box.high[1], 1);
  for (int j = lines.first_from(box.low[1], 1); j < end_y; ++j) {
    for (int i = lines.first_from(box.low[0], 0); i < end_x; ++i) {
      const Vector2d p(lines.coordinate(i, 0), lines.coordinate(j, 1));
      if (!left_of(a, b, p) || !left_of(b, c, p) || !left_of(c, a, p)) continue;
      // On the triangle's plane; kept within its box where that is steep.
      const double rise = -normal.head<2>().dot(p - corners[0].head<2>()) / normal[2];
      const double z = std::clamp(corners[0][2] + rise, box.low[2], box.high[2]);
      crossings.push_back({i + lines.count(0) * j, z, -facing});
    }
  }
}

// The lengths that the unit cell's six tetrahedra have of the line through (x, y) from z = from to
// z = to: up to min(x, y) the line is in the tetrahedron that takes z last, and so on. Lines in the
// diagonal plane x = y belong half to either side.
void add_lengths(double x, double y, double from, double to, std::array<double, 6>& lengths)
{
  const std::array<double, 4> bounds{0.0, std::min(x, y), std::max(x, y), 1.0};
  std::array<double, 3> parts;
  for (int k = 0; k < 3; ++k)
    parts[k] = std::max(0.0, std::min(to, bounds[k + 1]) - std::max(from, bounds[k]));
  for (const int major : {0, 1}) {
    if (major == 0 ? x < y : y < x) continue;
    const double share = x == y ? 0.5 : 1.0;
    lengths[kuhn_number(major, 1 - major)] += share * parts[0];
    lengths[kuhn_number(major, 2)] += share * parts[1];
    lengths[kuhn_number(2, major)] += share * parts[2];
  }
}

// The part of a line that is inside, from z = from to z = to in cells.
void add_inside(const LineGrid& lines, int line, double from, double to,
                std::vector<std::array<double, 6>>& lengths)
{
  const int i = line % lines.count(0), j = line / lines.count(0);
  const int last = std::min(static_cast<int>(to), lines.grid.count[2] - 1);
  for (int z = std::max(0, static_cast<int>(from)); z <= last; ++z) {
    const Cell cell{i / lines.per_cell, j / lines.per_cell, z};
    add_lengths(lines.share(i), lines.share(j), std::max(0.0, from - z), std::min(1.0, to - z),
                lengths[lines.grid.number(cell)]);
  }
}

// Separating axes of a triangle and the open cube of this half side around the origin (Akenine-
// Moeller 2001): the axes of the cube, the normal, and cross products of edges with axes.
bool reaches_cube(const std::array<Vector3d, 3>& corners, double half)
{
  const auto separates = [&](const Vector3d& axis) {
    const double reach = half * axis.cwiseAbs().sum();
    const double x = axis.dot(corners[0]), y = axis.dot(corners[1]), z = axis.dot(corners[2]);
    return std::min({x, y, z}) >= reach || std::max({x, y, z}) <= -reach;
  };
  for (int k = 0; k < 3; ++k)
    if (separates(Vector3d::Unit(k))) return false;
  const std::array<Vector3d, 3> edges{corners[1] - corners[0], corners[2] - corners[1],
                                      corners[0] - corners[2]};
  const Vector3d normal = edges[0].cross(edges[1]);
  if (!normal.isZero(0.0) && separates(normal)) return false;
  for (const Vector3d& edge : edges)
    for (int k = 0; k < 3; ++k) {
      const Vector3d axis = edge.cross(Vector3d::Unit(k));
      if (!axis.isZero(0.0) && separates(axis)) return false;
    }
  return true;
}

}  // namespace

std::vector<std::array<double, 6>> fill_of_cells(const TriMesh& closed, const CellGrid& grid,
                                                 int lines_per_cell)
{
  const double columns = double(grid.count[0]) * grid.count[1];
  const int affordable = std::max(1, static_cast<int>(std::sqrt(4e6 / columns)));
  const LineGrid lines{grid, std::min(lines_per_cell, affordable)};
  std::vector<Crossing> crossings;
  for (int t = 0; t < closed.triangle_count(); ++t)
    add_crossings(closed.corners(t), lines, crossings);
  std::sort(crossings.begin(), crossings.end(), [](const Crossing& x, const Crossing& y) {
    if (x.line != y.line) return x.line < y.line;
    return x.z != y.z ? x.z < y.z : x.winding > y.winding;
  });

  std::vector<std::array<double, 6>> fill(grid.cells());
  int winding = 0;
  for (std::size_t k = 0; k + 1 < crossings.size(); ++k) {
    const bool same_line = crossings[k].line == crossings[k + 1].line;
    winding = same_line ? winding + crossings[k].winding : 0;
    if (winding > 0)
      add_inside(lines, crossings[k].line, grid.place(crossings[k].z, 2),
                 grid.place(crossings[k + 1].z, 2), fill);
  }

  std::array<double, 6> whole{};  // what a cell deep inside gets
  for (int j = 0; j < lines.per_cell; ++j)
    for (int i = 0; i < lines.per_cell; ++i)
      add_lengths(lines.share(i), lines.share(j), 0.0, 1.0, whole);
  for (std::array<double, 6>& shares : fill)
    for (int k = 0; k < 6; ++k) {
      shares[k] /= whole[k];
      if (shares[k] > 1.0 - 1e-9) shares[k] = 1.0;
    }
  return fill;
}

std::vector<bool> touched_cells(const TriMesh& surface, const CellGrid& grid)
{
  std::vector<bool> touched(grid.cells(), false);
  for (int t = 0; t < surface.triangle_count(); ++t) {
    const std::array<Vector3d, 3> corners = surface.corners(t);
    const Aabb box = box_of(corners[0], corners[1], corners[2]);
    Cell first, last;
    for (int k = 0; k < 3; ++k) {
      first[k] = std::clamp(static_cast<int>(grid.place(box.low[k], k)), 0, grid.count[k] - 1);
      last[k] = std::clamp(static_cast<int>(grid.place(box.high[k], k)), 0, grid.count[k] - 1);
    }
    for (int z = first[2]; z <= last[2]; ++z)
      for (int y = first[1]; y <= last[1]; ++y)
        for (int x = first[0]; x <= last[0]; ++x) {
          const Vector3d middle = grid.low + grid.size * Vector3d(x + 0.5, y + 0.5, z + 0.5);
          if (reaches_cube({corners[0] - middle, corners[1] - middle, corners[2] - middle},
                           (0.5 - 1e-9) * grid.size))
            touched[grid.number({x, y, z})] = true;
        }
  }
  return touched;
}

}  // namespace tact
