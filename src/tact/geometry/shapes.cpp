#include <tact/geometry/shapes.hpp>

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <tact/geometry/kuhn.hpp>
#include <tact/geometry/shape_arguments.hpp>

namespace tact {
namespace {

using std::numbers::pi;

constexpr int max_shape_count = 10'000;  // along one direction; more is a slip of the pen

void add_quad(TriMesh& mesh, int a, int b, int c, int d)
{
  mesh.triangles.push_back({a, b, c});
  mesh.triangles.push_back({a, c, d});
}

// A body of revolution about y: poles at the bottom and the top, rings of vertices in between.
class Lathe {
 public:
  explicit Lathe(int segments) : segments_(segments) {}

  void add_pole(double y) { mesh_.positions.emplace_back(0.0, y, 0.0); }

  void add_ring(double radius, double y)
  {
    for (int k = 0; k < segments_; ++k) {
      const double angle = 2.0 * pi * k / segments_;
      mesh_.positions.emplace_back(radius * std::sin(angle), y, radius * std::cos(angle));
    }
  }

  // Vertices must be there: a pole, rings from the bottom up, a pole.
  TriMesh close() &&
  {
    const int top = mesh_.vertex_count() - 1;
    const int rings = (top - 1) / segments_;
    const auto at = [&](int ring, int k) { return 1 + ring * segments_ + k % segments_; };
    for (int k = 0; k < segments_; ++k) {
      mesh_.triangles.push_back({0, at(0, k + 1), at(0, k)});
      for (int ring = 0; ring + 1 < rings; ++ring)
        add_quad(mesh_, at(ring, k), at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k));
      mesh_.triangles.push_back({top, at(rings - 1, k), at(rings - 1, k + 1)});
    }
    return std::move(mesh_);
  }

 private:
  int segments_;
  TriMesh mesh_;
};

TriMesh icosahedron()
{
  const double g = std::numbers::phi;
  return {{{-1, g, 0},
           {1, g, 0},
           {-1, -g, 0},
           {1, -g, 0},
           {0, -1, g},
           {0, 1, g},
           {0, -1, -g},
           {0, 1, -g},
           {g, 0, -1},
           {g, 0, 1},
           {-g, 0, -1},
           {-g, 0, 1}},
          {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
           {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
           {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
}

}  // namespace

TriMesh make_box(const Vector3d& size, int n)
{
  for (int k = 0; k < 3; ++k) require_length("make_box", "a side", size[k]);
  require_count("make_box", "n", n, 1, 1000);
  TriMesh mesh;
  std::map<std::array<int, 3>, int> numbers;  // lattice point on the surface -> vertex
  const auto vertex = [&](const std::array<int, 3>& p) {
    const auto [it, fresh] = numbers.try_emplace(p, mesh.vertex_count());
    if (fresh)
      mesh.positions.push_back(
          size.cwiseProduct(Vector3d(p[0], p[1], p[2]) / n - Vector3d::Constant(0.5)));
    return it->second;
  };
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {0, n}) {
      // On the far side (i, j, axis) is right-handed; on the near one i and j change places.
      const int i = (axis + (side == 0 ? 2 : 1)) % 3, j = (axis + (side == 0 ? 1 : 2)) % 3;
      const auto at = [&](int at_i, int at_j) {
        std::array<int, 3> p;
        p[axis] = side;
        p[i] = at_i;
        p[j] = at_j;
        return vertex(p);
      };
      for (int a = 0; a < n; ++a) {
        for (int b = 0; b < n; ++b) {
          // One after the other, as `at` numbers new vertices.
          const int low = at(a, b), right = at(a + 1, b);
          const int high = at(a + 1, b + 1), left = at(a, b + 1);
          add_quad(mesh, low, right, high, left);
        }
      }
    }
  }
  return mesh;
}

TriMesh subdivided(const TriMesh& mesh)
{
  const SurfaceTopology topology = build_topology(mesh);
  TriMesh finer{mesh.positions, {}};
  for (const Edge& e : topology.edges)
    finer.positions.push_back(0.5 * (mesh.positions[e[0]] + mesh.positions[e[1]]));
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const auto [a, b, c] = mesh.triangles[t];
    const int ab = mesh.vertex_count() + topology.triangle_edges[t][0];
    const int bc = mesh.vertex_count() + topology.triangle_edges[t][1];
    const int ca = mesh.vertex_count() + topology.triangle_edges[t][2];
    for (const Triangle& part : {Triangle{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
      finer.triangles.push_back(part);
  }
  return finer;
}

TriMesh make_icosphere(double radius, int subdivisions)
{
  require_length("make_icosphere", "radius", radius);
  require_count("make_icosphere", "subdivisions", subdivisions, 0, 8);
  TriMesh mesh = icosahedron();
  for (int k = 0; k < subdivisions; ++k) mesh = subdivided(mesh);
  for (Vector3d& p : mesh.positions) p *= radius / p.norm();
  return mesh;
}

TriMesh make_cylinder(double radius, double height, int segments, int rings)
{
  require_length("make_cylinder", "radius", radius);
  require_length("make_cylinder", "height", height);
  require_count("make_cylinder", "segments", segments, 3, max_shape_count);
  require_count("make_cylinder", "rings", rings, 1, max_shape_count);
  Lathe lathe(segments);
  lathe.add_pole(-0.5 * height);
  for (int ring = 0; ring <= rings; ++ring)
    lathe.add_ring(radius, height * (double(ring) / rings - 0.5));
  lathe.add_pole(0.5 * height);
  return std::move(lathe).close();
}

TriMesh make_capsule(double radius, double height, int segments, int rings)
{
  require_length("make_capsule", "radius", radius);
  require_length("make_capsule", "height", height);
  require_count("make_capsule", "segments", segments, 3, max_shape_count);
  require_count("make_capsule", "rings", rings, 1, max_shape_count);
  const auto latitude = [&](int ring) { return 0.5 * pi * ring / rings; };
  Lathe lathe(segments);
  lathe.add_pole(-0.5 * height - radius);
  for (int ring = rings - 1; ring >= 0; --ring)
    lathe.add_ring(radius * std::cos(latitude(ring)),
                   -0.5 * height - radius * std::sin(latitude(ring)));
  for (int ring = 0; ring < rings; ++ring)
    lathe.add_ring(radius * std::cos(latitude(ring)),
                   0.5 * height + radius * std::sin(latitude(ring)));
  lathe.add_pole(0.5 * height + radius);
  return std::move(lathe).close();
}

TriMesh make_lathe(std::span<const Vector2d> profile, int segments)
{
  require_count("make_lathe", "segments", segments, 3, max_shape_count);
  require_count("make_lathe", "points of the profile", static_cast<int>(profile.size()), 3,
                max_shape_count);
  Lathe lathe(segments);
  lathe.add_pole(profile.front().y());
  for (const Vector2d& point : profile.subspan(1, profile.size() - 2)) {
    require_length("make_lathe", "radius", point.x());
    lathe.add_ring(point.x(), point.y());
  }
  lathe.add_pole(profile.back().y());
  return std::move(lathe).close();
}

TriMesh make_torus(double major, double minor, int around, int across)
{
  require_length("make_torus", "minor radius", minor);
  require_length("make_torus", "major radius less minor radius", major - minor);
  require_count("make_torus", "around", around, 3, max_shape_count);
  require_count("make_torus", "across", across, 3, max_shape_count);
  TriMesh mesh;
  for (int i = 0; i < around; ++i) {
    const double theta = 2.0 * pi * i / around;
    for (int j = 0; j < across; ++j) {
      const double phi = 2.0 * pi * j / across;
      const double radius = major + minor * std::cos(phi);
      mesh.positions.emplace_back(radius * std::sin(theta), minor * std::sin(phi),
                                  radius * std::cos(theta));
    }
  }
  const auto at = [&](int i, int j) { return (i % around) * across + j % across; };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j)
      add_quad(mesh, at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
  return mesh;
}

// Sides stand on the edges that have a triangle on their left only.
TriMesh make_extrusion(std::span<const Contour> contours, double depth, int layers)
{
  require_length("make_extrusion", "depth", depth);
  require_count("make_extrusion", "layers", layers, 1, max_shape_count);
  const std::vector<Triangle> face = triangulate_outline(contours);
  TriMesh mesh;
  for (int layer = 0; layer <= layers; ++layer)
    for (const Contour& contour : contours)
      for (const Vector2d& p : contour)
        mesh.positions.emplace_back(p[0], p[1], depth * (double(layer) / layers - 0.5));
  const int n = mesh.vertex_count() / (layers + 1);
  const int top = n * layers;
  std::set<Edge> directed;
  for (const Triangle& t : face) {
    mesh.triangles.push_back({t[0], t[2], t[1]});
    mesh.triangles.push_back({top + t[0], top + t[1], top + t[2]});
    for (int k = 0; k < 3; ++k) directed.insert({t[k], t[(k + 1) % 3]});
  }
  for (const Edge& edge : directed) {
    if (directed.contains({edge[1], edge[0]})) continue;
    for (int layer = 0; layer < layers; ++layer) {
      const int a = layer * n + edge[0], b = layer * n + edge[1], c = b + n, d = a + n;
      if ((edge[0] + layer) % 2 == 0)
        add_quad(mesh, a, b, c, d);
      else
        add_quad(mesh, b, c, d, a);
    }
  }
  return mesh;
}

TriMesh make_cloth(double width, double depth, int nx, int nz)
{
  require_length("make_cloth", "width", width);
  require_length("make_cloth", "depth", depth);
  require_count("make_cloth", "nx", nx, 2, max_shape_count);
  require_count("make_cloth", "nz", nz, 2, max_shape_count);
  TriMesh mesh;
  for (int k = 0; k < nz; ++k)
    for (int i = 0; i < nx; ++i)
      mesh.positions.emplace_back(width * (double(i) / (nx - 1) - 0.5), 0.0,
                                  depth * (double(k) / (nz - 1) - 0.5));
  for (int k = 0; k + 1 < nz; ++k) {
    for (int i = 0; i + 1 < nx; ++i) {
      const int a = k * nx + i, b = a + nx, c = b + 1, d = a + 1;  // counter-clockwise from above
      if ((i + k) % 2 == 0)
        add_quad(mesh, a, b, c, d);
      else
        add_quad(mesh, b, c, d, a);
    }
  }
  return mesh;
}

TetMesh make_tet_box(const Vector3d& size, const std::array<int, 3>& cells)
{
  for (int k = 0; k < 3; ++k) {
    require_length("make_tet_box", "a side", size[k]);
    require_count("make_tet_box", "cells", cells[k], 1, 1000);
  }
  TetMesh mesh;
  const std::array<int, 3> points{cells[0] + 1, cells[1] + 1, cells[2] + 1};
  const Vector3d counts(cells[0], cells[1], cells[2]);
  for (int z = 0; z < points[2]; ++z)
    for (int y = 0; y < points[1]; ++y)
      for (int x = 0; x < points[0]; ++x)
        mesh.positions.push_back(
            size.cwiseProduct(Vector3d(x, y, z).cwiseQuotient(counts) - Vector3d::Constant(0.5)));

  const std::array<int, 3> stride{1, points[0], points[0] * points[1]};
  for (int z = 0; z < cells[2]; ++z) {
    for (int y = 0; y < cells[1]; ++y) {
      for (int x = 0; x < cells[0]; ++x) {
        const int low = x + y * stride[1] + z * stride[2];
        for (int k = 0; k < 6; ++k)
          mesh.tetrahedra.push_back(kuhn_tetrahedron(k, [&](const std::array<int, 3>& corner) {
            return low + corner[0] * stride[0] + corner[1] * stride[1] + corner[2] * stride[2];
          }));
      }
    }
  }
  return mesh;
}

}  // namespace tact
