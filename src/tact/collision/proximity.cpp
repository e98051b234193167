#include <tact/collision/proximity.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <Eigen/Geometry>

#include <tact/collision/broad_phase.hpp>
#include <tact/collision/pair_chunks.hpp>
#include <tact/geometry/distance.hpp>

namespace tact {
namespace {

constexpr double nearly_parallel = 1e-3;     // sine of the angle between two edges
constexpr double direction_is_noise = 1e-9;  // distance over size

using Corners = std::array<Vector3d, 4>;

Corners corners_of(std::span<const MovingVertex> vertices, const VertexQuad& quad)
{
  Corners x;
  for (int i = 0; i < 4; ++i) {
    const auto& start = vertices[quad[i]].start;
    x[i] = Vector3d(start[0], start[1], start[2]);
  }
  return x;
}

ClosestPoints closest(CcdKind kind, const Corners& x)
{
  return kind == CcdKind::vertex_face ? closest_vertex_face(x[0], x[1], x[2], x[3])
                                      : closest_edge_edge(x[0], x[1], x[2], x[3]);
}

Vector3d normal_of(CcdKind kind, const Corners& x, const ClosestPoints& points)
{
  const bool face = kind == CcdKind::vertex_face;
  const Vector3d p = face ? x[2] - x[1] : x[1] - x[0];
  const Vector3d q = face ? x[3] - x[1] : x[3] - x[2];
  const double distance = std::sqrt(points.squared_distance);
  const double size = std::max(p.norm(), q.norm());
  const Vector3d across = p.cross(q);
  const double across_norm = across.norm();
  if (distance > direction_is_noise * size || across_norm == 0.0)
    return distance > 0.0 ? Vector3d(points.difference / distance) : Vector3d::UnitX();
  return (points.difference.dot(across) >= 0.0 ? 1.0 : -1.0) / across_norm * across;
}

template <class Pair>
constexpr CcdKind kind_of =
    std::is_same_v<Pair, VertexFacePair> ? CcdKind::vertex_face : CcdKind::edge_edge;

Contact make_contact(CcdKind kind, const VertexQuad& quad, const Corners& x,
                     const ClosestPoints& points)
{
  Contact contact;
  contact.kind = kind;
  contact.vertices = quad;
  contact.weights = points.weights;
  contact.normal = normal_of(kind, x, points);
  contact.distance = std::sqrt(points.squared_distance);
  return contact;
}

void name_features(const VertexFacePair& pair, Contact& contact)
{
  contact.a = pair.vertex;
  contact.b = pair.triangle;
}

void name_features(const EdgeEdgePair& pair, Contact& contact)
{
  contact.a = pair.edge_a;
  contact.b = pair.edge_b;
}

template <class Pair>
Contact contact_of(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                   const Pair& pair)
{
  const VertexQuad quad = vertices_of(surfaces, pair);
  const Corners x = corners_of(vertices, quad);
  Contact contact = make_contact(kind_of<Pair>, quad, x, closest(kind_of<Pair>, x));
  name_features(pair, contact);
  return contact;
}

double distance_to_edge(const Vector3d& p, const Vector3d& e0, const Vector3d& e1)
{
  return std::sqrt(closest_edge_edge(p, p, e0, e1).squared_distance);
}

// Whether vertex-face contacts say what these edges have to say.
bool left_to_vertices(const Corners& x, const ClosestPoints& points, double tolerance)
{
  if (!points.interior) return true;
  const Vector3d a = x[1] - x[0], b = x[3] - x[2];
  if (a.cross(b).norm() > nearly_parallel * a.norm() * b.norm()) return false;
  return distance_to_edge(x[0], x[2], x[3]) <= tolerance ||
         distance_to_edge(x[1], x[2], x[3]) <= tolerance ||
         distance_to_edge(x[2], x[0], x[1]) <= tolerance ||
         distance_to_edge(x[3], x[0], x[1]) <= tolerance;
}

template <class Pair>
void find_close(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                std::span<const Pair> pairs, double tolerance, std::vector<Contact>& contacts)
{
  constexpr CcdKind kind = kind_of<Pair>;
  const auto answer = [&](std::span<const Pair> chunk, std::span<const VertexQuad> quads,
                          std::vector<Contact>& close) {
    std::array<int, pairs_per_chunk> survivors;
    const CcdBatch batch{kind, vertices, quads};
    const int kept = filter_separation_batch(batch, tolerance, survivors);
    for (int s = 0; s < kept; ++s) {
      const int i = survivors[s];
      const Corners x = corners_of(vertices, quads[i]);
      const ClosestPoints points = closest(kind, x);
      if (points.squared_distance > tolerance * tolerance) continue;
      if (kind == CcdKind::edge_edge && left_to_vertices(x, points, tolerance)) continue;
      close.push_back(make_contact(kind, quads[i], x, points));
      name_features(chunk[i], close.back());
    }
  };
  answer_in_chunks(surfaces, pairs, answer, contacts);
}

// Whether the closest point of `contact` is on a side or corner that the face of `other` has too.
bool other_face_has_closest_point(const Contact& contact, const Contact& other)
{
  const auto corner_of_other = [&](int vertex) {
    return std::find(other.vertices.begin() + 1, other.vertices.end(), vertex) !=
           other.vertices.end();
  };
  for (int k = 1; k < 4; ++k)
    if (contact.weights[k] != 0.0 && !corner_of_other(contact.vertices[k])) return false;
  return true;
}

// `contacts` are vertex-face, sorted by vertex. Each contact that goes is covered by one that is
// smaller in (distance, face); the smallest of these stays.
void leave_out_repeated_borders(std::vector<Contact>& contacts)
{
  const auto smaller = [](const Contact& x, const Contact& y) {
    return x.distance != y.distance ? x.distance < y.distance : x.b < y.b;
  };
  std::vector<bool> repeated(contacts.size(), false);
  for (std::size_t first = 0, last; first < contacts.size(); first = last) {
    for (last = first + 1; last < contacts.size() && contacts[last].a == contacts[first].a;) ++last;
    for (std::size_t i = first; i < last; ++i)
      for (std::size_t j = first; j < last && !repeated[i]; ++j)
        repeated[i] = smaller(contacts[j], contacts[i]) &&
                      other_face_has_closest_point(contacts[i], contacts[j]);
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (!repeated[i]) contacts[kept++] = contacts[i];
  contacts.resize(kept);
}

}  // namespace

Contact contact_at_start(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                         const VertexFacePair& pair)
{
  return contact_of(surfaces, vertices, pair);
}

Contact contact_at_start(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                         const EdgeEdgePair& pair)
{
  return contact_of(surfaces, vertices, pair);
}

Contact contact_of_corners(CcdKind kind, const std::array<Vector3d, 4>& corners)
{
  return make_contact(kind, {}, corners, closest(kind, corners));
}

std::vector<Contact> find_close_pairs(const SurfaceSet& surfaces,
                                      std::span<const MovingVertex> vertices,
                                      const FeaturePairs& pairs, double tolerance)
{
  std::vector<Contact> contacts;
  find_close(surfaces, vertices, std::span(pairs.vertex_face), tolerance, contacts);
  leave_out_repeated_borders(contacts);
  find_close(surfaces, vertices, std::span(pairs.edge_edge), tolerance, contacts);
  return contacts;
}

std::vector<Contact> find_close_pairs(const SurfaceSet& surfaces,
                                      std::span<const Vector3d> positions, double tolerance)
{
  BroadPhase broad_phase(surfaces);
  const std::vector<MovingVertex> vertices = vertices_at_rest(positions);
  return find_close_pairs(surfaces, vertices, broad_phase.find_pairs(vertices, tolerance),
                          tolerance);
}

}  // namespace tact
