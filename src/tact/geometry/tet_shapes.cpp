#include <tact/geometry/tet_shapes.hpp>

#include <algorithm>
#include <map>
#include <numbers>

#include <tact/geometry/shape_arguments.hpp>
#include <tact/geometry/shapes.hpp>

namespace tact {
namespace {

constexpr int max_tet_count = 200;

void add_positive(TetMesh& mesh, Tetrahedron t)
{
  mesh.tetrahedra.push_back(t);
  if (volume(mesh.corners(mesh.tetrahedron_count() - 1)) < 0.0)
    std::swap(mesh.tetrahedra.back()[0], mesh.tetrahedra.back()[1]);
}

// A point of the division of one of the icosahedron's tetrahedra: its distances from the four
// faces, in layers. They add up to the number of layers; the first belongs to the centre.
using LayerPoint = std::array<int, 4>;

LayerPoint sum(LayerPoint p, const LayerPoint& q)
{
  for (int k = 0; k < 4; ++k) p[k] += q[k];
  return p;
}

LayerPoint unit(int k)
{
  LayerPoint p{};
  p[k] = 1;
  return p;
}

template <class Visit>
void for_each_point(int total, Visit visit)
{
  for (int a = 0; a <= total; ++a)
    for (int b = 0; a + b <= total; ++b)
      for (int c = 0; a + b + c <= total; ++c) visit(LayerPoint{a, b, c, total - a - b - c});
}

class BallBuilder {
 public:
  BallBuilder(double radius, int layers)
      : radius_(radius), layers_(layers), icosahedron_(make_icosphere(1.0, 0))
  {
  }

  // A tetrahedron cut by planes in equal distances falls into upright tetrahedra, octahedra and
  // upside-down tetrahedra.
  TetMesh build() &&
  {
    for (const Triangle& face : icosahedron_.triangles) {
      for_each_point(layers_ - 1, [&](const LayerPoint& p) {
        add_positive(mesh_, {vertex(face, sum(p, unit(0))), vertex(face, sum(p, unit(1))),
                             vertex(face, sum(p, unit(2))), vertex(face, sum(p, unit(3)))});
      });
      for_each_point(layers_ - 2, [&](const LayerPoint& p) { add_octahedron(face, p); });
      for_each_point(layers_ - 3, [&](const LayerPoint& p) {
        const LayerPoint q = sum(sum(p, unit(0)), sum(unit(1), unit(2)));  // without the fourth
        const auto but = [&](int k) {
          LayerPoint r = sum(q, unit(3));
          --r[k];
          return vertex(face, r);
        };
        add_positive(mesh_, {but(0), but(1), but(2), but(3)});
      });
    }
    return std::move(mesh_);
  }

 private:
  // Points of a face belong to two tetrahedra or more, so a point is known by its shares of the
  // vertices of the icosahedron.
  int vertex(const Triangle& face, const LayerPoint& p)
  {
    std::array<std::array<int, 2>, 3> shares{};  // {vertex of the icosahedron, layers}, or {0, 0}
    for (int k = 0; k < 3; ++k)
      if (p[k + 1] > 0) shares[k] = {face[k], p[k + 1]};
    std::sort(shares.begin(), shares.end());
    const auto [it, fresh] = numbers_.try_emplace(shares, mesh_.vertex_count());
    if (fresh) {
      Vector3d direction = Vector3d::Zero();
      for (const auto& [corner, count] : shares)
        direction += double(count) * icosahedron_.positions[corner];
      const double length = direction.norm();
      const double layer = double(layers_ - p[0]) / layers_;
      mesh_.positions.push_back(length > 0.0 ? Vector3d(radius_ * layer / length * direction)
                                             : Vector3d::Zero());
    }
    return it->second;
  }

  // Four tetrahedra around the shortest of the three diagonals.
  void add_octahedron(const Triangle& face, const LayerPoint& p)
  {
    const auto middle = [&](int i, int j) { return vertex(face, sum(p, sum(unit(i), unit(j)))); };
    const std::array<std::array<int, 2>, 3> diagonals{
        {{middle(0, 1), middle(2, 3)}, {middle(0, 2), middle(1, 3)}, {middle(0, 3), middle(1, 2)}}};
    const auto length = [&](const std::array<int, 2>& d) {
      return (mesh_.positions[d[0]] - mesh_.positions[d[1]]).squaredNorm();
    };
    int axis = 0;
    for (int k = 1; k < 3; ++k)  // the margin keeps rounding from choosing among equals
      if (length(diagonals[k]) < (1.0 - 1e-9) * length(diagonals[axis])) axis = k;
    const auto& [low, high] = diagonals[axis];
    const auto& [a, c] = diagonals[(axis + 1) % 3];
    const auto& [b, d] = diagonals[(axis + 2) % 3];
    for (const auto& [from, to] : {std::array{a, b}, {b, c}, {c, d}, {d, a}})
      add_positive(mesh_, {low, high, from, to});
  }

  double radius_;
  int layers_;
  TriMesh icosahedron_;
  std::map<std::array<std::array<int, 2>, 3>, int> numbers_;
  TetMesh mesh_;
};

// A disk of six sectors around vertex 0; ring k has 6 k vertices.
int disk_vertex(int sector, int ring, int along)
{
  if (ring == 0) return 0;
  return 1 + 3 * ring * (ring - 1) + (sector * ring + along) % (6 * ring);
}

std::vector<Triangle> disk_triangles(int rings)
{
  std::vector<Triangle> triangles;
  for (int sector = 0; sector < 6; ++sector) {
    for (int ring = 0; ring < rings; ++ring) {
      for (int k = 0; k <= ring; ++k) {
        const int inner = disk_vertex(sector, ring, k), outer = disk_vertex(sector, ring + 1, k);
        const int next_outer = disk_vertex(sector, ring + 1, k + 1);
        triangles.push_back({inner, outer, next_outer});
        if (k < ring) triangles.push_back({inner, next_outer, disk_vertex(sector, ring, k + 1)});
      }
    }
  }
  return triangles;
}

void add_disk(TetMesh& mesh, double radius, int rings, double y)
{
  mesh.positions.emplace_back(0.0, y, 0.0);
  for (int ring = 1; ring <= rings; ++ring) {
    for (int k = 0; k < 6 * ring; ++k) {
      const double angle = std::numbers::pi * k / (3 * ring);
      const double r = radius * ring / rings;
      mesh.positions.emplace_back(r * std::sin(angle), y, r * std::cos(angle));
    }
  }
}

// The five tetrahedra of a brick, by its corners: bit k of a corner is its step along axis k. In a
// brick whose mirror image this is, corners are counted from its opposite end along x.
constexpr std::array<Tetrahedron, 5> brick_parts = {
    {{0, 3, 5, 6}, {1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}}};

}  // namespace

TetMesh make_tet_ball(double radius, int layers)
{
  require_length("make_tet_ball", "radius", radius);
  require_count("make_tet_ball", "layers", layers, 1, max_tet_count);
  return BallBuilder(radius, layers).build();
}

TetMesh make_tet_cylinder(double radius, double height, int rings, int layers)
{
  require_length("make_tet_cylinder", "radius", radius);
  require_length("make_tet_cylinder", "height", height);
  require_count("make_tet_cylinder", "rings", rings, 1, max_tet_count);
  require_count("make_tet_cylinder", "layers", layers, 1, max_tet_count);
  TetMesh mesh;
  for (int layer = 0; layer <= layers; ++layer)
    add_disk(mesh, radius, rings, height * (double(layer) / layers - 0.5));
  const int disk_size = 1 + 3 * rings * (rings + 1);
  const std::vector<Triangle> disk = disk_triangles(rings);
  for (int layer = 0; layer < layers; ++layer) {
    // Diagonals of a prism's sides rise from the smaller number to the larger in even layers and
    // fall in odd ones: neighbours agree, and the solid does not twist when it is pulled.
    const int low = (layer + layer % 2) * disk_size;
    const int high = (layer + 1 - layer % 2) * disk_size;
    for (Triangle t : disk) {
      std::sort(t.begin(), t.end());
      const auto [a, b, c] = t;
      add_positive(mesh, {low + a, low + b, low + c, high + c});
      add_positive(mesh, {low + a, low + b, high + b, high + c});
      add_positive(mesh, {low + a, high + a, high + b, high + c});
    }
  }
  return mesh;
}

TetMesh make_five_tet_box(const Vector3d& size, const std::array<int, 3>& cells)
{
  for (int k = 0; k < 3; ++k) {
    require_length("make_five_tet_box", "a side", size[k]);
    require_count("make_five_tet_box", "cells", cells[k], 1, max_tet_count);
  }
  TetMesh mesh;
  mesh.positions = make_tet_box(size, cells).positions;  // x counts fastest, then y
  const std::array<int, 3> stride{1, cells[0] + 1, (cells[0] + 1) * (cells[1] + 1)};
  for (int z = 0; z < cells[2]; ++z)
    for (int y = 0; y < cells[1]; ++y)
      for (int x = 0; x < cells[0]; ++x) {
        const int low = x + y * stride[1] + z * stride[2], mirrored = (x + y + z) % 2;
        for (Tetrahedron t : brick_parts) {
          for (int& corner : t) {
            const int c = corner ^ mirrored;
            corner = low + (c & 1) + (c >> 1 & 1) * stride[1] + (c >> 2) * stride[2];
          }
          add_positive(mesh, t);
        }
      }
  return mesh;
}

}  // namespace tact
