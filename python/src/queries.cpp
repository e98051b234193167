// Exact tests and distances of many pairs at a time.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tact/collision/ccd_batch.hpp>
#include <tact/core/error.hpp>
#include <tact/geometry/distance.hpp>
#include <tact/geometry/surface_intersection.hpp>
#include <tact/geometry/triangle_intersection.hpp>
#include <tact/linalg/parallel.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interrupt.hpp"

namespace tact::python {
namespace {

using namespace pybind11::literals;

// So many that their vertices stay in the nearest cache.
constexpr int queries_a_chunk = 512;

CcdKind pair_kind(const std::string& text)
{
  for (const CcdKind kind : {CcdKind::vertex_face, CcdKind::edge_edge})
    if (text == name(kind)) return kind;
  throw Error(fmt::format("kind: found \"{}\", expected \"{}\" or \"{}\"", text,
                          name(CcdKind::vertex_face), name(CcdKind::edge_edge)));
}

// Looks at all first, and for the place only where there is one.
void require_finite(const Doubles& array, const char* name)
{
  const double* data = array.data();
  if (Eigen::Map<const VectorXd>(data, array.size()).allFinite()) return;
  const double* wrong =
      std::find_if_not(data, data + array.size(), [](double x) { return std::isfinite(x); });
  throw Error(
      fmt::format("{}: found {} at place {}, expected finite numbers", name, *wrong, wrong - data));
}

Eigen::Map<const Vector3d> point_at(const double* numbers, int index)
{
  return Eigen::Map<const Vector3d>(numbers + 3 * static_cast<std::ptrdiff_t>(index));
}

// Which four points a query is about: four of its own, or four by their numbers.
class Quads {
 public:
  // Throws Error for other shapes than points (n, 4, 3), or points (n, 3) and pairs (m, 4).
  Quads(const Doubles& points, const py::object& pairs, const char* name)
  {
    require_finite(points, name);
    if (pairs.is_none()) {
      require_shape(points, name, {-1, 4, 3});
      count_ = static_cast<int>(points.shape(0));
      return;
    }
    require_shape(points, name, {-1, 3});
    indices_ = py::cast<Integers>(pairs);
    require_shape(indices_, "pairs", {-1, 4});
    count_ = static_cast<int>(indices_.shape(0));
    quads_ = indices_.data();
    const auto last = static_cast<int>(points.shape(0)) - 1;
    for (py::ssize_t k = 0; k < indices_.size(); ++k)
      if (quads_[k] < 0 || quads_[k] > last)
        throw Error(fmt::format("pairs: found point {}, expected 0 to {}", quads_[k], last));
  }

  int size() const { return count_; }
  int point(int query, int corner) const
  {
    return quads_ ? quads_[4 * query + corner] : 4 * query + corner;
  }

 private:
  Integers indices_;
  const int* quads_ = nullptr;
  int count_ = 0;
};

struct TimesOfImpact {
  CcdKind kind;
  const Quads& quads;
  const double* start;
  const double* end;
  bool* contact;
  double* time;

  void answer(int first, int last) const
  {
    const std::size_t count = static_cast<std::size_t>(last) - static_cast<std::size_t>(first);
    std::vector<MovingVertex> vertices(4 * count);
    std::vector<VertexQuad> pairs(count);
    for (int query = first; query < last; ++query) {
      const int v = 4 * (query - first);
      pairs[query - first] = {v, v + 1, v + 2, v + 3};
      for (int corner = 0; corner < 4; ++corner) {
        const int point = quads.point(query, corner);
        vertices[v + corner] = MovingVertex(point_at(start, point), point_at(end, point));
      }
    }
    std::vector<BatchContact> found;
    contact_batch({kind, vertices, pairs}, found);
    std::fill(contact + first, contact + last, false);
    std::fill(time + first, time + last, std::numeric_limits<double>::infinity());
    for (const BatchContact& one : found) {
      contact[first + one.pair] = true;
      time[first + one.pair] = one.contact.time;
    }
  }
};

py::tuple ccd(const std::string& kind, const Doubles& start, const Doubles& end,
              const py::object& pairs)
{
  const CcdKind which = pair_kind(kind);
  const Quads quads(start, pairs, "start");
  require_finite(end, "end");
  require_shape(end, "end", {start.shape(), start.shape() + start.ndim()});
  py::array_t<bool> contact(quads.size());
  py::array_t<double> time(quads.size());
  const TimesOfImpact work{
      which, quads, start.data(), end.data(), contact.mutable_data(), time.mutable_data()};
  released([&] {
    for_chunks(quads.size(), queries_a_chunk,
               [&](int, int first, int last) { work.answer(first, last); });
  });
  return py::make_tuple(contact, time);
}

py::tuple distance(const std::string& kind, const Doubles& points, const py::object& pairs)
{
  const bool faces = pair_kind(kind) == CcdKind::vertex_face;
  const Quads quads(points, pairs, "points");
  py::array_t<double> distances(quads.size());
  py::array_t<double> weights({static_cast<py::ssize_t>(quads.size()), py::ssize_t{4}});
  const double* data = points.data();
  double* distance_of = distances.mutable_data();
  double* weights_of = weights.mutable_data();
  released([&] {
    for_chunks(quads.size(), queries_a_chunk, [&](int, int first, int last) {
      for (int query = first; query < last; ++query) {
        const auto x = [&](int corner) { return point_at(data, quads.point(query, corner)); };
        const ClosestPoints closest = faces ? closest_vertex_face(x(0), x(1), x(2), x(3))
                                            : closest_edge_edge(x(0), x(1), x(2), x(3));
        distance_of[query] = std::sqrt(closest.squared_distance);
        std::ranges::copy(closest.weights, weights_of + 4 * static_cast<std::ptrdiff_t>(query));
      }
    });
  });
  return py::make_tuple(distances, weights);
}

TriMesh surface_from(const py::handle& surface, std::size_t number)
{
  const std::string name = fmt::format("surface {}", number);
  const auto parts = py::cast<py::sequence>(surface);
  if (parts.size() != 2) throw Error(name + ": expected a pair of arrays, (vertices, triangles)");
  const Doubles vertices = py::cast<Doubles>(parts[0]);
  const Integers triangles = py::cast<Integers>(parts[1]);
  require_shape(vertices, name + ", vertices", {-1, 3});
  require_shape(triangles, name + ", triangles", {-1, 3});
  TriMesh mesh;
  for (int k = 0; k < vertices.shape(0); ++k)
    mesh.positions.emplace_back(point_at(vertices.data(), k));
  for (py::ssize_t k = 0; k < triangles.shape(0); ++k)
    mesh.triangles.push_back({triangles.at(k, 0), triangles.at(k, 1), triangles.at(k, 2)});
  try {
    validate(mesh);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", name, error.what()));
  }
  return mesh;
}

py::array_t<int> intersections(const py::args& surfaces)
{
  std::vector<TriMesh> meshes;
  for (const py::handle surface : surfaces) meshes.push_back(surface_from(surface, meshes.size()));
  const IntersectionReport found = released([&] { return intersecting_pairs(meshes); });
  py::array_t<int> pairs({static_cast<py::ssize_t>(found.pairs.size()), py::ssize_t{4}});
  int* next = pairs.mutable_data();
  for (const IntersectingPair& pair : found.pairs)
    for (const int number : {pair.a.surface, pair.a.triangle, pair.b.surface, pair.b.triangle})
      *next++ = number;
  return pairs;
}

py::array_t<bool> triangle_pairs_intersect(const Doubles& a, const Doubles& b)
{
  require_shape(a, "a", {-1, 3, 3});
  require_shape(b, "b", {a.shape(0), 3, 3});
  require_finite(a, "a");
  require_finite(b, "b");
  const auto count = static_cast<int>(a.shape(0));
  py::array_t<bool> answers(count);
  const double *first_of = a.data(), *second_of = b.data();
  bool* meet = answers.mutable_data();
  const auto corners = [](const double* data, int k) {
    return TrianglePoints{point_at(data, 3 * k), point_at(data, 3 * k + 1),
                          point_at(data, 3 * k + 2)};
  };
  released([&] {
    for_chunks(count, queries_a_chunk, [&](int, int first, int last) {
      for (int k = first; k < last; ++k)
        meet[k] = triangles_intersect(corners(first_of, k), corners(second_of, k));
    });
  });
  return answers;
}

constexpr const char* ccd_help =
    R"(Which pairs of moving features meet, and when: exact for the numbers as they are given.

kind   "vertex-face" (v, f0, f1, f2) or "edge-edge" (a0, a1, b0, b1)
start  (n, 4, 3): the four points of each query at t = 0, m; they move on straight lines
end    the same at t = 1
pairs  (m, 4): with it start and end are (n, 3), and each row names four of their points

Returns (contact, time): bool (n,), and the first time of contact, early by 1e-9 at most; inf
without contact. Touching counts. docs/ccd.md)";

constexpr const char* distance_help =
    R"(How far apart pairs of features are, m, to round-off.

kind    "vertex-face" (p, f0, f1, f2) or "edge-edge" (a0, a1, b0, b1)
points  (n, 4, 3); or (n, 3) with pairs
pairs   (m, 4): numbers of the four points of each query

Returns (distance, weights), (n,) and (n, 4): the closest points are sums of the feature's points
with these weights, which add up to 1 on either side.)";

constexpr const char* intersections_help =
    R"(All intersecting triangles within and between surfaces, exact: no tolerance, touching counts.

surfaces  pairs (vertices, triangles) of arrays (n, 3) and (m, 3)

Returns (k, 4): surface, triangle, surface, triangle. Neighbours that share vertices by number are
told only where they meet elsewhere, too.)";

}  // namespace

void bind_queries(py::module_& module)
{
  module.def("ccd", &ccd, "kind"_a, "start"_a, "end"_a, "pairs"_a = py::none(), ccd_help);
  module.def("distance", &distance, "kind"_a, "points"_a, "pairs"_a = py::none(), distance_help);
  module.def("intersections", &intersections, intersections_help);
  module.def("triangles_intersect", &triangle_pairs_intersect, "a"_a, "b"_a,
             "Which triangles a[k] and b[k], (n, 3, 3), intersect or touch: exact, bool (n,).\n"
             "They need area.");
}

}  // namespace tact::python
