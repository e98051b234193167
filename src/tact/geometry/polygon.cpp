#include <tact/geometry/polygon.hpp>

#include <Eigen/Geometry>

#include <tact/geometry/predicates.hpp>

namespace tact {
namespace {

constexpr std::size_t most_in_fan = 256;  // corners

struct Corner {
  Vector2d at;
  int vertex;
};

// Newell's normal tells the axis to look along and from which end, so that the polygon runs
// counter-clockwise in the picture.
std::vector<Corner> seen_flat(std::span<const Vector3d> positions, std::span<const int> polygon)
{
  const Vector3d& origin = positions[polygon[0]];
  Vector3d normal = Vector3d::Zero();
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vector3d& next = positions[polygon[(k + 1) % polygon.size()]];
    normal += (positions[polygon[k]] - origin).cross(next - origin);
  }
  int axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  int i = (axis + 1) % 3, j = (axis + 2) % 3;
  if (normal[axis] < 0.0) std::swap(i, j);
  std::vector<Corner> corners;
  corners.reserve(polygon.size());
  for (const int v : polygon) corners.push_back({{positions[v][i], positions[v][j]}, v});
  return corners;
}

bool turns_left_everywhere(const std::vector<Corner>& corners)
{
  const std::size_t n = corners.size();
  for (std::size_t k = 0; k < n; ++k)
    if (orient2d(corners[k].at, corners[(k + 1) % n].at, corners[(k + 2) % n].at) <= 0)
      return false;
  return true;
}

// Corner k is an ear when it turns left and no other corner lies in the triangle that it makes with
// its neighbours.
bool is_ear(const std::vector<Corner>& corners, std::size_t k)
{
  const std::size_t n = corners.size();
  const Vector2d& a = corners[(k + n - 1) % n].at;
  const Vector2d& b = corners[k].at;
  const Vector2d& c = corners[(k + 1) % n].at;
  if (orient2d(a, b, c) <= 0) return false;
  for (std::size_t m = 2; m + 1 < n; ++m) {
    const Vector2d& p = corners[(k + m) % n].at;
    if (orient2d(a, b, p) >= 0 && orient2d(b, c, p) >= 0 && orient2d(c, a, p) >= 0) return false;
  }
  return true;
}

void add_fan(const std::vector<Corner>& corners, std::vector<Triangle>& triangles)
{
  for (std::size_t k = 1; k + 1 < corners.size(); ++k)
    triangles.push_back({corners[0].vertex, corners[k].vertex, corners[k + 1].vertex});
}

// Halves of halves. In a fan every triangle is long and lies over most of the others: of 30,000
// that is a hundred million pairs to be told apart, here it is a few for each.
void add_halves(std::span<const Corner> corners, std::vector<Triangle>& triangles)
{
  if (corners.size() < 3) return;
  const std::size_t middle = corners.size() / 2;
  triangles.push_back({corners.front().vertex, corners[middle].vertex, corners.back().vertex});
  add_halves(corners.first(middle + 1), triangles);
  add_halves(corners.subspan(middle), triangles);
}

}  // namespace

bool is_convex(std::span<const Vector3d> positions, std::span<const int> polygon)
{
  return turns_left_everywhere(seen_flat(positions, polygon));
}

void triangulate(std::span<const Vector3d> positions, std::span<const int> polygon,
                 std::vector<Triangle>& triangles)
{
  if (polygon.size() == 3) {
    triangles.push_back({polygon[0], polygon[1], polygon[2]});
    return;
  }
  std::vector<Corner> corners = seen_flat(positions, polygon);
  if (turns_left_everywhere(corners))
    return corners.size() <= most_in_fan ? add_fan(corners, triangles)
                                         : add_halves(corners, triangles);
  for (std::size_t k = 0, tried = 0; corners.size() > 3 && tried < corners.size();) {
    const std::size_t n = corners.size();
    k %= n;
    if (!is_ear(corners, k)) {
      ++k;
      ++tried;
      continue;
    }
    triangles.push_back(
        {corners[(k + n - 1) % n].vertex, corners[k].vertex, corners[(k + 1) % n].vertex});
    corners.erase(corners.begin() + static_cast<std::ptrdiff_t>(k));
    tried = 0;
  }
  add_fan(corners, triangles);  // the last triangle, or what has no ears: a polygon crossing itself
}

}  // namespace tact
