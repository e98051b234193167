#include <tact/geometry/isosurface.hpp>

#include <array>
#include <cmath>
#include <vector>

#include <tact/core/error.hpp>

namespace tact {
namespace {

constexpr int relaxations = 5;

using Cell = std::array<int, 3>;

class SurfaceNet {
 public:
  SurfaceNet(const ScalarField& field, const Aabb& box, double cell)
      : field_(field), origin_(box.low), cell_(cell)
  {
    for (int a = 0; a < 3; ++a)
      points_[a] = 2 + static_cast<int>(std::ceil(box.extent()[a] / cell));
    values_.resize(count());
    for_each_point([&](const Cell& at) { values_[index(at)] = field_(place(at)); });
    vertex_of_cell_.assign(count(), -1);
  }

  TriMesh mesh()
  {
    for_each_point([&](const Cell& at) {
      if (at[0] + 1 < points_[0] && at[1] + 1 < points_[1] && at[2] + 1 < points_[2])
        add_vertex(at);
    });
    for_each_point([&](const Cell& at) {
      for (int axis = 0; axis < 3; ++axis) add_quad(at, axis);
    });
    if (mesh_.triangles.empty()) throw Error("isosurface: the function is nowhere negative");
    for (int round = 0; round < relaxations; ++round) relax();
    return std::move(mesh_);
  }

 private:
  std::size_t count() const
  {
    return static_cast<std::size_t>(points_[0]) * static_cast<std::size_t>(points_[1]) *
           static_cast<std::size_t>(points_[2]);
  }
  std::size_t index(const Cell& at) const
  {
    return static_cast<std::size_t>((at[2] * points_[1] + at[1]) * points_[0] + at[0]);
  }
  Vector3d place(const Cell& at) const { return origin_ + cell_ * Vector3d(at[0], at[1], at[2]); }
  static Cell step(Cell at, int axis, int by = 1)
  {
    at[axis] += by;
    return at;
  }
  bool inside(const Cell& at) const { return values_[index(at)] < 0.0; }

  template <class Visit>
  void for_each_point(Visit visit) const
  {
    for (int k = 0; k < points_[2]; ++k)
      for (int j = 0; j < points_[1]; ++j)
        for (int i = 0; i < points_[0]; ++i) visit(Cell{i, j, k});
  }

  // In the middle of where the edges of the cell cross the surface, then onto it.
  void add_vertex(const Cell& at)
  {
    Vector3d sum = Vector3d::Zero();
    int crossings = 0;
    for (int axis = 0; axis < 3; ++axis)
      for (int corner = 0; corner < 4; ++corner) {
        Cell a = at;
        a[(axis + 1) % 3] += corner % 2;
        a[(axis + 2) % 3] += corner / 2;
        const Cell b = step(a, axis);
        if (inside(a) == inside(b)) continue;
        const double f = values_[index(a)], g = values_[index(b)];
        sum += place(a) + f / (f - g) * (place(b) - place(a));
        ++crossings;
      }
    if (crossings == 0) return;
    vertex_of_cell_[index(at)] = static_cast<int>(mesh_.positions.size());
    mesh_.positions.push_back(onto_surface(sum / crossings));
  }

  // Every vertex to the middle of its neighbours, and back onto the surface: cells that it only
  // just passes through leave slivers otherwise.
  void relax()
  {
    std::vector<Vector3d> sums(mesh_.positions.size(), Vector3d::Zero());
    std::vector<int> counts(mesh_.positions.size(), 0);
    for (const Triangle& t : mesh_.triangles)
      for (int i = 0; i < 3; ++i) {
        sums[t[i]] += mesh_.positions[t[(i + 1) % 3]] + mesh_.positions[t[(i + 2) % 3]];
        counts[t[i]] += 2;
      }
    for (std::size_t i = 0; i < sums.size(); ++i)
      mesh_.positions[i] = onto_surface(sums[i] / counts[i]);
  }

  // Newton's method along the gradient, no further than half a cell: triangles keep their order.
  Vector3d onto_surface(const Vector3d& start) const
  {
    const double h = 1e-4 * cell_;
    Vector3d x = start;
    for (int iteration = 0; iteration < 4; ++iteration) {
      Vector3d gradient;
      for (int a = 0; a < 3; ++a)
        gradient[a] =
            (field_(x + h * Vector3d::Unit(a)) - field_(x - h * Vector3d::Unit(a))) / (2 * h);
      const double squared = gradient.squaredNorm();
      if (!(squared > 0.0)) break;
      x -= field_(x) / squared * gradient;
      const double length = (x - start).norm();
      if (length > 0.5 * cell_) x = start + 0.5 * cell_ / length * (x - start);
    }
    return x;
  }

  // The four cells around an edge of the grid that crosses the surface.
  void add_quad(const Cell& at, int axis)
  {
    if (at[axis] + 1 >= points_[axis]) return;
    const bool here = inside(at);
    if (here == inside(step(at, axis))) return;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    if (at[u] == 0 || at[v] == 0 || at[u] + 1 >= points_[u] || at[v] + 1 >= points_[v])
      throw Error("isosurface: the inside reaches the border of the box");
    std::array<int, 4> quad{};
    const Cell low = step(step(at, u, -1), v, -1);
    const std::array<Cell, 4> cells{low, step(low, u), step(step(low, u), v), step(low, v)};
    for (int i = 0; i < 4; ++i) quad[i] = vertex_of_cell_[index(cells[here ? i : 3 - i])];
    const auto& p = mesh_.positions;
    const bool even =
        (p[quad[0]] - p[quad[2]]).squaredNorm() <= (p[quad[1]] - p[quad[3]]).squaredNorm();
    const int first = even ? 0 : 1;
    for (const int turn : {0, 2})
      mesh_.triangles.push_back(
          {quad[(first + turn) % 4], quad[(first + turn + 1) % 4], quad[(first + turn + 2) % 4]});
  }

  const ScalarField& field_;
  Vector3d origin_;
  double cell_;
  Cell points_{};
  std::vector<double> values_;
  std::vector<int> vertex_of_cell_;
  TriMesh mesh_;
};

}  // namespace

TriMesh make_isosurface(const ScalarField& field, const Aabb& box, double cell)
{
  if (!(cell > 0.0) || !(box.extent().minCoeff() > 0.0))
    throw Error("isosurface: found an empty box or cell, expected sizes > 0");
  return SurfaceNet(field, box, cell).mesh();
}

}  // namespace tact
