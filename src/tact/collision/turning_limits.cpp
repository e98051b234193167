#include <tact/collision/turning_limits.hpp>

#include <algorithm>
#include <set>
#include <tuple>

#include <tact/geometry/rigid_fit.hpp>

namespace tact {
namespace {

constexpr double as_good = 0.25;  // of the distance: by which lines may differ from arcs
constexpr double least_piece = 1.0 / 4096.0;  // of the way

// m: by which a piece of an arc is off its line at most.
double off_line(double radius, double angle)
{
  return 0.125 * radius * angle * angle;
}

// A surface at the start, and the displacement to the end.
struct Placed {
  Vector3d centre;
  double radius = 0.0;  // m
  Eigen::Isometry3d motion = Eigen::Isometry3d::Identity();
  double rounding = 0.0;  // m
};

Placed placed(const IndexRange& range, std::span<const Vector3d> x0, std::span<const Vector3d> x1)
{
  const auto start = x0.subspan(range.first, range.size());
  const auto end = x1.subspan(range.first, range.size());
  Placed surface{.centre = centroid(start)};
  std::vector<Vector3d> arms(start.begin(), start.end());
  for (Vector3d& x : arms) {
    x -= surface.centre;
    surface.radius = std::max(surface.radius, x.norm());
  }
  if (std::equal(start.begin(), start.end(), end.begin())) return surface;
  const RigidFit fit = fit_rigid(arms, end);
  surface.motion.linear() = fit.rotation.toRotationMatrix();
  surface.motion.translation() = fit.place - surface.motion.linear() * surface.centre;
  surface.rounding = fit.error;
  return surface;
}

// Looks for limits in pieces of the way, in the order of time. Cheap proofs for lists of pairs come
// first; what they leave is asked pair by pair where lines are as good as arcs.
class ArcSearch {
 public:
  // x: vertices at the start, of the surface that moves first.
  ArcSearch(const SurfaceTurn& turn, const SurfaceSet& set, std::span<const Vector3d> x,
            double distance)
      : turn_(&turn), set_(&set), x_(x), distance_(distance)
  {
    for (const Vector3d& at : x) vertices_.emplace_back(at, at);
    for (int i = 0; i < turn.vertices.size(); ++i) radius_.push_back(turn.way.radius(x[i]));
  }

  // All pairs that may come as near as that.
  const FeaturePairs& near(BroadPhase& broad_phase)
  {
    std::vector<double> slack(x_.size(), 0.0);
    for (std::size_t i = 0; i < radius_.size(); ++i)
      slack[i] = turn_->rounding + off_line(radius_[i], turn_->way.angle);
    place(0.0, 1.0);
    return broad_phase.find_pairs(vertices_, distance_, slack);
  }

  void look(double from, double to, const FeaturePairs& pairs)
  {
    const double off = off_lines(pairs, (to - from) * turn_->way.angle);
    const double apart = distance_ + 2.0 * turn_->rounding + off;
    place(from, to);
    const FeaturePairs left = pairs_within(*set_, vertices_, pairs, apart);
    if (left.size() == 0) return;
    if (off > as_good * distance_ && to - from > least_piece) {
      const double middle = 0.5 * (from + to);
      look(from, middle, left);
      look(middle, to, left);
      return;
    }
    for (const VertexFacePair& p : left.vertex_face)
      ask(CcdKind::vertex_face, p.vertex, p.triangle, vertices_of(*set_, p), {from, to, apart});
    for (const EdgeEdgePair& p : left.edge_edge)
      ask(CcdKind::edge_edge, p.edge_a, p.edge_b, vertices_of(*set_, p), {from, to, apart});
  }

  std::vector<Limit> found;  // the first of each pair

 private:
  struct Piece {
    double from, to, apart;
  };

  void place(double from, double to)
  {
    const Eigen::Isometry3d start = turn_->way.part(from), end = turn_->way.part(to);
    for (std::size_t i = 0; i < radius_.size(); ++i)
      vertices_[i] = MovingVertex(start * x_[i], end * x_[i]);
  }

  // m: by which vertices of these pairs are off their lines at most.
  double off_lines(const FeaturePairs& pairs, double angle) const
  {
    const auto moving = static_cast<int>(radius_.size());
    double radius = 0.0;
    const auto see = [&](const VertexQuad& quad) {
      for (const int v : quad)
        if (v < moving) radius = std::max(radius, radius_[v]);
    };
    for (const VertexFacePair& p : pairs.vertex_face) see(vertices_of(*set_, p));
    for (const EdgeEdgePair& p : pairs.edge_edge) see(vertices_of(*set_, p));
    return off_line(radius, angle);
  }

  void ask(CcdKind kind, int a, int b, const VertexQuad& quad, const Piece& piece)
  {
    const std::array<VertexQuad, 1> one{quad};
    const SeparationTime safe = separation(CcdBatch{kind, vertices_, one}.query(0), piece.apart);
    if (safe.free || !met_.insert({kind == CcdKind::edge_edge, a, b}).second) return;
    Limit limit;
    limit.kind = kind;
    limit.a = a;
    limit.b = b;
    limit.vertices = quad;
    limit.safe = {.time = piece.from + safe.time * (piece.to - piece.from),
                  .separation = distance_,
                  .touching_at_start = false,
                  .decided = safe.decided};
    limit.on_arc = true;
    found.push_back(limit);
  }

  const SurfaceTurn* turn_;
  const SurfaceSet* set_;
  std::span<const Vector3d> x_;
  double distance_;
  std::vector<MovingVertex> vertices_;
  std::vector<double> radius_;  // m: from the axis, of what moves
  std::set<std::tuple<bool, int, int>> met_;
};

}  // namespace

std::optional<SurfaceTurn> TurningLimits::turn(const std::array<int, 2>& surfaces,
                                               std::span<const Vector3d> x0,
                                               std::span<const Vector3d> x1, double distance) const
{
  std::array<Placed, 2> both;
  for (int k = 0; k < 2; ++k) both[k] = placed(surfaces_->surfaces()[surfaces[k]].vertices, x0, x1);
  const int smaller = both[0].radius <= both[1].radius ? 0 : 1;
  const Placed &a = both[smaller], &b = both[1 - smaller];
  SurfaceTurn turn;
  turn.moving = surfaces[smaller];
  turn.other = surfaces[1 - smaller];
  turn.vertices = surfaces_->surfaces()[turn.moving].vertices;
  turn.way = screw_of(b.motion.inverse() * a.motion, a.centre);
  const double from_axis = turn.way.radius(a.centre);
  if (from_axis > a.radius) return std::nullopt;
  if (off_line(from_axis + a.radius, turn.way.angle) <= as_good * distance) return std::nullopt;
  const Eigen::AngleAxisd other(Eigen::Quaterniond(b.motion.linear()));
  turn.other_turn = other.angle() * other.axis();
  turn.rounding = a.rounding + b.rounding;
  return turn;
}

TurningLimits::Two& TurningLimits::two(const SurfaceTurn& turn)
{
  Two& both = known_[{turn.moving, turn.other}];
  if (both.broad_phase) return both;
  for (const int s : {turn.moving, turn.other}) {
    const Surface& surface = surfaces_->surfaces()[s];
    const auto all =
        surfaces_->triangles().subspan(surface.triangles.first, surface.triangles.size());
    std::vector<Triangle> triangles(all.begin(), all.end());
    for (Triangle& corners : triangles)
      for (int& corner : corners) corner -= surface.vertices.first;
    both.set.add(triangles, surface.vertices.size());
  }
  both.broad_phase = std::make_unique<BroadPhase>(both.set);
  return both;
}

std::vector<Limit> TurningLimits::find(const SurfaceTurn& turn, std::span<const Vector3d> x0,
                                       double distance)
{
  Two& both = two(turn);
  const Surface& moving = surfaces_->surfaces()[turn.moving];
  const Surface& other = surfaces_->surfaces()[turn.other];
  std::vector<Vector3d> x;
  for (const Surface* surface : {&moving, &other})
    x.insert(x.end(), x0.begin() + surface->vertices.first, x0.begin() + surface->vertices.last);
  ArcSearch search(turn, both.set, x, distance);
  search.look(0.0, 1.0, search.near(*both.broad_phase));
  const auto in_all = [](int number, const IndexRange& a, const IndexRange& b) {
    return number < a.size() ? a.first + number : b.first + number - a.size();
  };
  for (Limit& limit : search.found) {
    const bool edges = limit.kind == CcdKind::edge_edge;
    limit.a = edges ? in_all(limit.a, moving.edges, other.edges)
                    : in_all(limit.a, moving.vertices, other.vertices);
    limit.b = edges ? in_all(limit.b, moving.edges, other.edges)
                    : in_all(limit.b, moving.triangles, other.triangles);
    for (int& v : limit.vertices) v = in_all(v, moving.vertices, other.vertices);
  }
  return std::move(search.found);
}

}  // namespace tact
