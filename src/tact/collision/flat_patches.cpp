#include <tact/collision/flat_patches.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <Eigen/Geometry>

namespace tact {
namespace {

constexpr int patches_per_task = 4;

// Of differences, products of three and sums of a few hundred in double, with much to spare.
constexpr double rounding = 0x1p-40;
constexpr double angle_rounding = 1e-7;  // the root of double's, since angles come from cosines

// Beyond these edges, in metres, products of two lengths leave the range of double.
constexpr double shortest_edge = 1e-120, longest_edge = 1e120;

Vector3d position(const std::array<double, 4>& x)
{
  return {x[0], x[1], x[2]};
}

// The control vectors of n(t) = (1 - t)^2 c0 + 2 t (1 - t) c1 + t^2 c2 = A(t) x B(t).
struct NormalCurve {
  std::array<Vector3d, 3> control;
  double longest_edge = 0.0;
};

NormalCurve normal_curve(const MovingVertex& a, const MovingVertex& b, const MovingVertex& c)
{
  const Vector3d A0 = position(b.start) - position(a.start);
  const Vector3d B0 = position(c.start) - position(a.start);
  const Vector3d A1 = position(b.end) - position(a.end);
  const Vector3d B1 = position(c.end) - position(a.end);
  NormalCurve curve;
  curve.control = {A0.cross(B0), 0.5 * (A0.cross(B1) + A1.cross(B0)), A1.cross(B1)};
  curve.longest_edge =
      std::sqrt(std::max({A0.squaredNorm(), B0.squaredNorm(), (B0 - A0).squaredNorm(),
                          A1.squaredNorm(), B1.squaredNorm(), (B1 - A1).squaredNorm()}));
  return curve;
}

// A vertex of the outline in the picture, at the start and at the end.
struct SeenVertex {
  Vector2d start, end;
};

// An edge of the outline in the picture, from its first vertex to its second. What is linear in t
// is longest at an end, and its square has the Bernstein coefficients s0.s0, s0.s1, s1.s1.
struct SeenEdge {
  Vector2d start, end;
  double shortest = 0.0, longest = 0.0;  // at any time
};

SeenEdge seen_edge(const SeenVertex& from, const SeenVertex& to, double error)
{
  SeenEdge edge{to.start - from.start, to.end - from.end};
  const double start = edge.start.squaredNorm(), end = edge.end.squaredNorm();
  const double least = std::min({start, edge.start.dot(edge.end), end});
  edge.shortest = std::sqrt(std::max(least, 0.0)) - 2.0 * error;
  edge.longest = std::sqrt(std::max(start, end)) + 2.0 * error;
  return edge;
}

double cross(const Vector2d& a, const Vector2d& b)
{
  return a[0] * b[1] - a[1] * b[0];
}

// The cosine, at most and at any time, of the angle between two edges that follow one another; 1 if
// unknown, 0 where the corner points outwards, since then its angle does not matter.
double corner_cosine(const SeenEdge& in, const SeenEdge& out, double error)
{
  const double product_error = 2.0 * error * (in.longest + out.longest);
  const double least_turn = std::min({cross(in.start, out.start), cross(in.end, out.end),
                                      0.5 * (cross(in.start, out.end) + cross(in.end, out.start))});
  if (least_turn > product_error) return 0.0;
  if (!(in.shortest > 0.0 && out.shortest > 0.0)) return 1.0;
  const double least_dot = std::min({in.start.dot(out.start), in.end.dot(out.end),
                                     0.5 * (in.start.dot(out.end) + in.end.dot(out.start))});
  return std::max(product_error - least_dot, 0.0) / (in.shortest * out.shortest) + rounding;
}

// What an edge of the outline covers along three directions 60 degrees apart.
Box seen_box(const Vector2d& a, const Vector2d& b, double larger)
{
  constexpr double half_root_3 = 0.5 * std::numbers::sqrt3;
  Box box = no_box();
  for (const Vector2d& p : {a, b}) {
    const double x = 0.5 * p[0], y = half_root_3 * p[1];
    const std::array<double, 3> along = {p[0], x + y, y - x};
    for (int k = 0; k < 3; ++k) {
      box.low[k] = std::min(box.low[k], along[k] - larger);
      box.high[k] = std::max(box.high[k], along[k] + larger);
    }
  }
  return box;
}

// Whether boxes of a loop meet that are no neighbours in it. `wide` has all that they pass: most do
// not even overlap. Places beyond the last box are empty.
bool strangers_meet(std::span<const MovingBox> boxes, std::span<const WideBox> wide)
{
  const auto count = static_cast<int>(boxes.size());
  for (int i = 0; i + 2 < count; ++i) {
    const int first = i + 2;  // the box after the next
    const Box passed = swept(boxes[i]);
    for (int w = first / 8; w < static_cast<int>(wide.size()); ++w) {
      unsigned bits = overlaps(wide[w], passed);
      if (w == first / 8) bits &= 255u << (first % 8);
      if (i == 0 && w == (count - 1) / 8) bits &= ~(1u << ((count - 1) % 8));
      for (; bits != 0; bits &= bits - 1)
        if (meet(boxes[i], boxes[8 * w + std::countr_zero(bits)])) return true;
    }
  }
  return false;
}

}  // namespace

// Kept from patch to patch.
struct FlatPatches::Scratch {
  std::vector<NormalCurve> curves;
  std::vector<SeenVertex> seen;
  std::vector<SeenEdge> edges;
  std::vector<MovingBox> boxes;
  std::vector<WideBox> wide;
};

FlatPatches::FlatPatches(DiscPatches discs) : discs_(std::move(discs))
{
  const std::size_t count = discs_.patches.size();
  shapes_.resize(count);
  patch_flat_.resize(count);
  union_flat_.resize(discs_.unions.size());
  neighbours_start_.assign(count + 2, 0);
  for (const DiscUnion& both : discs_.unions) {
    ++neighbours_start_[both.a + 2];
    ++neighbours_start_[both.b + 2];
  }
  for (std::size_t p = 2; p < count + 2; ++p) neighbours_start_[p] += neighbours_start_[p - 1];
  neighbours_.resize(2 * discs_.unions.size());
  for (int u = 0; u < static_cast<int>(discs_.unions.size()); ++u) {
    const DiscUnion& both = discs_.unions[u];
    neighbours_[neighbours_start_[both.a + 1]++] = {both.b, u};
    neighbours_[neighbours_start_[both.b + 1]++] = {both.a, u};
  }
}

FlatPatches::Shape FlatPatches::shape_of(const SurfaceSet& surfaces,
                                         std::span<const MovingVertex> vertices,
                                         std::span<const double> slack, const DiscPatch& patch,
                                         Scratch& scratch) const
{
  Shape shape;
  double longest = 0.0;
  scratch.curves.clear();
  for (const int t : patch.triangles) {
    const auto& [a, b, c] = surfaces.triangles()[t];
    scratch.curves.push_back(normal_curve(vertices[a], vertices[b], vertices[c]));
    const NormalCurve& curve = scratch.curves.back();
    shape.axis += curve.control[0] + curve.control[2];
    longest = std::max(longest, curve.longest_edge);
    if (curve.longest_edge < shortest_edge) return {};
    if (!slack.empty()) shape.error = std::max({shape.error, slack[a], slack[b], slack[c]});
  }
  if (!(longest < longest_edge)) return {};
  shape.axis.normalize();
  shape.error += rounding * longest;
  shape.cosine = 1.0;
  shape.height = longest;
  for (const NormalCurve& curve : scratch.curves) {
    for (const Vector3d& n : curve.control) {
      const double length = n.norm();
      const double cosine = shape.axis.dot(n) / length;
      if (!(cosine > 0.0)) return {};
      shape.cosine = std::min(shape.cosine, cosine);
      shape.height = std::min(shape.height, length / (curve.longest_edge + 2.0 * shape.error));
    }
  }
  return shape;
}

// The least height of the triangles in the picture along `direction`, 0 or less if unknown. With an
// angle of a between normals and axis at most, and b between axis and direction,
// n . d >= |control| cos(a + b) - 4 error (edge + error); that over (edge + 2 error).
double FlatPatches::seen_height(const Shape& shape, const Vector3d& direction)
{
  const double cos_a = std::min(shape.cosine, 1.0);
  const double cos_b = std::min(shape.axis.dot(direction), 1.0);
  if (!(cos_a > 0.0 && cos_b > 0.0)) return 0.0;
  const double sines = std::sqrt((1.0 - cos_a * cos_a) * (1.0 - cos_b * cos_b));
  return shape.height * (cos_a * cos_b - sines - angle_rounding) - 4.0 * shape.error;
}

// Takes the picture of an outline along `direction`, by one who moves with its first vertex.
// Returns the error of positions in it.
double FlatPatches::see(std::span<const int> outline, std::span<const MovingVertex> vertices,
                        const Vector3d& direction, double error, Scratch& scratch)
{
  const Vector3d u = direction.unitOrthogonal(), v = direction.cross(u);
  const MovingVertex& origin = vertices[outline[0]];
  double extent = 0.0;
  const auto seen = [&](const std::array<double, 4>& x, const std::array<double, 4>& from) {
    const Vector3d from_origin = position(x) - position(from);
    extent = std::max(extent, from_origin.squaredNorm());
    return Vector2d(u.dot(from_origin), v.dot(from_origin));
  };
  scratch.seen.clear();
  for (const int i : outline)
    scratch.seen.push_back(
        {seen(vertices[i].start, origin.start), seen(vertices[i].end, origin.end)});
  return error + rounding * std::sqrt(extent);
}

// Conditions (2) to (4) for the outline that was seen, given the least height of the triangles.
bool FlatPatches::is_simple(double error, double tolerance, double height, Scratch& scratch)
{
  const std::size_t count = scratch.seen.size();
  const auto next = [&](std::size_t i) { return i + 1 == count ? 0 : i + 1; };
  scratch.edges.clear();
  for (std::size_t i = 0; i < count; ++i)
    scratch.edges.push_back(seen_edge(scratch.seen[i], scratch.seen[next(i)], error));
  double sharpest = 0.0;  // cosine of a corner
  for (std::size_t i = 0; i < count; ++i)
    sharpest = std::max(sharpest, corner_cosine(scratch.edges[i], scratch.edges[next(i)], error));
  const double detour = std::sqrt(2.0 / (1.0 - sharpest));
  if (!(sharpest < 1.0 && height > detour * tolerance)) return false;

  scratch.boxes.resize(count);
  scratch.wide.resize((count + 7) / 8);
  const double larger = error + 0.5 * tolerance;
  for (std::size_t i = 0; i < 8 * scratch.wide.size(); ++i) {
    if (i < count) {
      const SeenVertex &a = scratch.seen[i], &b = scratch.seen[next(i)];
      scratch.boxes[i] = {seen_box(a.start, b.start, larger), seen_box(a.end, b.end, larger)};
    }
    scratch.wide[i / 8].set(static_cast<int>(i % 8),
                            i < count ? swept(scratch.boxes[i]) : no_box());
  }
  return !strangers_meet(scratch.boxes, scratch.wide);
}

void FlatPatches::update(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                         double tolerance, std::span<const double> slack)
{
  const auto in_parallel = [](std::size_t count, const auto& work) {
    const tbb::blocked_range<int> all(0, static_cast<int>(count), patches_per_task);
    tbb::parallel_for(all, [&](const tbb::blocked_range<int>& run) {
      Scratch scratch;
      for (int i = run.begin(); i != run.end(); ++i) work(i, scratch);
    });
  };
  in_parallel(discs_.patches.size(), [&](int p, Scratch& scratch) {
    shapes_[p] = shape_of(surfaces, vertices, slack, discs_.patches[p], scratch);
  });
  const auto is_flat = [&](std::span<const int> outline, const Vector3d& direction, double error,
                           double height, Scratch& scratch) {
    if (!(height > tolerance)) return false;
    const double seen_error = see(outline, vertices, direction, error, scratch);
    return is_simple(seen_error, tolerance, height, scratch);
  };
  in_parallel(discs_.unions.size(), [&](int i, Scratch& scratch) {
    const DiscUnion& both = discs_.unions[i];
    const Shape &a = shapes_[both.a], &b = shapes_[both.b];
    const Vector3d direction = (a.axis + b.axis).normalized();
    const double height = std::min(seen_height(a, direction), seen_height(b, direction));
    union_flat_[i] = is_flat(both.outline, direction, std::max(a.error, b.error), height, scratch);
  });
  in_parallel(discs_.patches.size(), [&](int p, Scratch& scratch) {
    const Shape& shape = shapes_[p];
    const bool part_of_flat = std::any_of(
        neighbours_.begin() + neighbours_start_[p], neighbours_.begin() + neighbours_start_[p + 1],
        [&](const Neighbour& n) { return union_flat_[n.joint] != 0; });
    patch_flat_[p] = part_of_flat || is_flat(discs_.patches[p].outline, shape.axis, shape.error,
                                             seen_height(shape, shape.axis), scratch);
  });
}

}  // namespace tact
