#include <tact/geometry/tet_mesh.hpp>

#include <algorithm>

#include <fmt/core.h>
#include <Eigen/Geometry>

#include <tact/core/error.hpp>
#include <tact/geometry/predicates.hpp>

namespace tact {
namespace {

// Corners of the four faces, counter-clockwise when seen from outside.
constexpr std::array<std::array<int, 3>, 4> face_corners{
    {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};

struct Face {
  Triangle sorted;  // the same for both tetrahedra that share it
  int place;        // 4 * tetrahedron + face
};

Triangle face_at(const TetMesh& mesh, int place)
{
  const Tetrahedron& t = mesh.tetrahedra[place / 4];
  const auto& [i, j, k] = face_corners[place % 4];
  return {t[i], t[j], t[k]};
}

// All faces, equal ones side by side.
std::vector<Face> sorted_faces(const TetMesh& mesh)
{
  std::vector<Face> faces;
  faces.reserve(4 * mesh.tetrahedra.size());
  for (int place = 0; place < 4 * mesh.tetrahedron_count(); ++place) {
    Triangle corners = face_at(mesh, place);
    std::sort(corners.begin(), corners.end());
    faces.push_back({corners, place});
  }
  std::sort(faces.begin(), faces.end(), [](const Face& x, const Face& y) {
    return x.sorted != y.sorted ? x.sorted < y.sorted : x.place < y.place;
  });
  return faces;
}

// Calls visit(first, count) for each run of equal faces.
template <class Visit>
void for_each_run(const std::vector<Face>& faces, Visit visit)
{
  for (std::size_t first = 0, next = 0; first < faces.size(); first = next) {
    while (next < faces.size() && faces[next].sorted == faces[first].sorted) ++next;
    visit(faces[first], next - first);
  }
}

}  // namespace

void validate(const TetMesh& mesh)
{
  for (int i = 0; i < mesh.vertex_count(); ++i)
    if (!mesh.positions[i].allFinite())
      throw Error(
          fmt::format("tetrahedral mesh: vertex {} has a coordinate that is not finite", i));
  for (int t = 0; t < mesh.tetrahedron_count(); ++t)
    for (const int corner : mesh.tetrahedra[t])
      if (corner < 0 || corner >= mesh.vertex_count())
        throw Error(
            fmt::format("tetrahedral mesh: tetrahedron {}: found vertex {}, expected 0 to {}", t,
                        corner, mesh.vertex_count() - 1));
}

double volume(const std::array<Vector3d, 4>& corners)
{
  const auto& [a, b, c, d] = corners;
  return (b - a).cross(c - a).dot(d - a) / 6.0;
}

double volume(const TetMesh& mesh)
{
  double sum = 0.0;
  for (int t = 0; t < mesh.tetrahedron_count(); ++t) sum += volume(mesh.corners(t));
  return sum;
}

std::vector<int> inverted_tetrahedra(const TetMesh& mesh)
{
  std::vector<int> inverted;
  for (int t = 0; t < mesh.tetrahedron_count(); ++t) {
    const auto [a, b, c, d] = mesh.corners(t);
    if (orient3d(a, b, c, d) <= 0) inverted.push_back(t);
  }
  return inverted;
}

std::vector<Triangle> boundary_faces(const TetMesh& mesh)
{
  std::vector<int> places;
  for_each_run(sorted_faces(mesh), [&](const Face& face, std::size_t count) {
    if (count == 1) places.push_back(face.place);
  });
  std::sort(places.begin(), places.end());
  std::vector<Triangle> faces;
  faces.reserve(places.size());
  for (const int place : places) faces.push_back(face_at(mesh, place));
  return faces;
}

std::vector<Triangle> overfull_faces(const TetMesh& mesh)
{
  std::vector<Triangle> overfull;
  for_each_run(sorted_faces(mesh), [&](const Face& face, std::size_t count) {
    if (count > 2) overfull.push_back(face.sorted);
  });
  return overfull;
}

}  // namespace tact
