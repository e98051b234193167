#include <fmt/core.h>

#include <tact/bodies/cloth.hpp>
#include <tact/core/error.hpp>

namespace tact {
namespace {

class SpringList {
 public:
  explicit SpringList(const TriMesh& cloth) : positions_(cloth.positions) {}

  void add(int a, int b, double stiffness)
  {
    if (a == b || stiffness == 0.0) return;
    springs_.push_back({a, b, stiffness, (positions_[b] - positions_[a]).norm()});
  }

  std::vector<ClothSpring> take() { return std::move(springs_); }

 private:
  std::span<const Vector3d> positions_;
  std::vector<ClothSpring> springs_;
};

int corner_opposite(const Triangle& triangle, const Edge& edge)
{
  for (const int corner : triangle)
    if (corner != edge[0] && corner != edge[1]) return corner;
  return edge[0];
}

}  // namespace

std::vector<ClothSpring> grid_springs(const TriMesh& cloth, int nx, int nz,
                                      const ClothStiffness& stiffness)
{
  if (nx < 2 || nz < 2 || cloth.vertex_count() / nx != nz || cloth.vertex_count() % nx != 0)
    throw Error(fmt::format("grid_springs: found {} vertices, expected a grid of {} x {}",
                            cloth.vertex_count(), nx, nz));
  SpringList springs(cloth);
  const auto add = [&](int i, int k, int to_i, int to_k, double strength) {
    if (to_i >= 0 && to_i < nx && to_k < nz) springs.add(k * nx + i, to_k * nx + to_i, strength);
  };
  for (int k = 0; k < nz; ++k) {
    for (int i = 0; i < nx; ++i) {
      add(i, k, i + 1, k, stiffness.stretch);
      add(i, k, i, k + 1, stiffness.stretch);
      add(i, k, i + 1, k + 1, stiffness.shear);
      add(i, k, i - 1, k + 1, stiffness.shear);
      add(i, k, i + 2, k, stiffness.bend);
      add(i, k, i, k + 2, stiffness.bend);
    }
  }
  return springs.take();
}

std::vector<ClothSpring> surface_springs(const TriMesh& cloth, const ClothStiffness& stiffness)
{
  validate(cloth);
  const SurfaceTopology topology = build_topology(cloth);
  SpringList springs(cloth);
  for (std::size_t e = 0; e < topology.edges.size(); ++e) {
    const Edge& edge = topology.edges[e];
    springs.add(edge[0], edge[1], stiffness.stretch);
    const std::span<const int> sides = topology.edge_triangles[static_cast<int>(e)];
    if (sides.size() == 2)
      springs.add(corner_opposite(cloth.triangles[sides[0]], edge),
                  corner_opposite(cloth.triangles[sides[1]], edge), stiffness.bend);
  }
  return springs.take();
}

}  // namespace tact
