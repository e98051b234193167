#include <tact/collision/listed_motion.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <tbb/parallel_for.h>
#include <Eigen/Geometry>

#include <tact/geometry/rigid_fit.hpp>

namespace tact {
namespace {

// A little less than the slack, for the rounding of squares and sums; and that of coordinates.
constexpr double usable_slack = 1.0 - 0x1p-40;
constexpr double coordinate_rounding = 0x1p-46;

// Below this share of the slack a surface counts as not moved at all: no need to fit its motion.
constexpr double unmoved_share = 0.1;
// Above this share a surface starts anew when one of its pairs does: what is listed with little
// slack left would not last.
constexpr double worn_share = 0.25;

Vector3d vector_of(const std::array<double, 4>& x)
{
  return {x[0], x[1], x[2]};
}

const std::array<double, 4>& at(const MovingVertex& vertex, int end)
{
  return end == 0 ? vertex.start : vertex.end;
}

const Box& at(const MovingBox& box, int end)
{
  return end == 0 ? box.start : box.end;
}

// Squared, so that no root is needed. No slack is no reason to fail where nothing has moved.
double squared_share(double squared_distance, double slack)
{
  return squared_distance > 0.0 ? squared_distance / (slack * slack) : 0.0;
}

std::array<Vector3d, 2> centres_of(std::span<const MovingVertex> vertices)
{
  std::array<Vector3d, 2> sum = {Vector3d::Zero(), Vector3d::Zero()};
  for (const MovingVertex& vertex : vertices)
    for (const int end : {0, 1}) sum[end] += vector_of(at(vertex, end));
  if (!vertices.empty())
    for (Vector3d& x : sum) x /= static_cast<double>(vertices.size());
  return sum;
}

Matrix3d turn_between(std::span<const MovingVertex> from, const Vector3d& from_centre,
                      std::span<const MovingVertex> to, const Vector3d& to_centre)
{
  Matrix3d S = Matrix3d::Zero();
  for (std::size_t i = 0; i < from.size(); ++i)
    S +=
        (vector_of(from[i].start) - from_centre) * (vector_of(to[i].start) - to_centre).transpose();
  return S.squaredNorm() > 0.0 ? best_rotation(S).toRotationMatrix() : Matrix3d::Identity();
}

MovingBox box_of(std::span<const MovingVertex> vertices)
{
  MovingBox box = no_moving_box();
  for (const MovingVertex& vertex : vertices) box = merged(box, moving_box(vertex, 0.0));
  return box;
}

Box grown(const Box& box, double by)
{
  return merged(box_around(box.low, 2.0 * by), box_around(box.high, 2.0 * by));
}

double largest_coordinate(const Box& box)
{
  double largest = 0.0;
  for (int k = 0; k < 3; ++k)
    largest = std::max({largest, std::abs(box.low[k]), std::abs(box.high[k])});
  return largest;
}

}  // namespace

void ListedMotion::clear()
{
  reference_.clear();
  listed_.clear();
  fresh_.clear();
  kept_.clear();
}

void ListedMotion::set_reference(const Surface& surface, int s,
                                 std::span<const MovingVertex> vertices,
                                 std::span<const double> slack)
{
  const auto [first, last] = surface.vertices;
  std::copy(vertices.begin() + first, vertices.begin() + last, reference_.begin() + first);
  std::copy(slack.begin() + first, slack.begin() + last, slack_.begin() + first);
  const auto own = vertices.subspan(first, last - first);
  centres_[s] = centres_of(own);
  least_slack_[s] = std::numeric_limits<double>::infinity();
  most_slack_[s] = 0.0;
  for (int i = first; i < last; ++i) {
    least_slack_[s] = std::min(least_slack_[s], slack[i]);
    most_slack_[s] = std::max(most_slack_[s], slack[i]);
  }
  now_[s] = Place{.centre = centres_[s]};
  if (surface.triangles.size() > 0) now_[s].box = box_of(own);
}

void ListedMotion::start(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                         double tolerance, std::span<const double> slack,
                         std::span<const SurfacePair> pairs)
{
  const std::size_t count = surfaces.surfaces().size();
  tolerance_ = tolerance;
  reference_.resize(vertices.size());
  slack_.resize(vertices.size());
  centres_.resize(count);
  least_slack_.resize(count);
  most_slack_.resize(count);
  now_.resize(count);
  tbb::parallel_for(0, static_cast<int>(count),
                    [&](int s) { set_reference(surfaces.surfaces()[s], s, vertices, slack); });
  listed_.clear();
  for (const SurfacePair& pair : pairs) listed_.push_back({pair, {now_[pair[0]], now_[pair[1]]}});
  last_look_ = now_;
}

double ListedMotion::used_slack(const Surface& surface, std::span<const MovingVertex> vertices,
                                int s, const Place& place) const
{
  double largest = 0.0;
  for (int i = surface.vertices.first; i < surface.vertices.last; ++i)
    for (const int end : {0, 1}) {
      const Vector3d X = vector_of(at(reference_[i], end)), x = vector_of(at(vertices[i], end));
      const Vector3d e = x - (place.turn * (X - centres_[s][end]) + place.centre[end]);
      largest = std::max(largest, squared_share(e.squaredNorm(), slack_[i]));
    }
  return std::sqrt(largest);
}

ListedMotion::Place ListedMotion::place_of(const Surface& surface, int s,
                                           std::span<const MovingVertex> vertices) const
{
  const auto [first, last] = surface.vertices;
  Place place{.centre = centres_[s]};
  if (surface.triangles.size() == 0) return place;
  const auto own = vertices.subspan(first, last - first);
  place.box = box_of(own);
  double largest = 0.0;
  for (int i = first; i < last && largest <= 1.0; ++i)
    for (const int end : {0, 1}) {
      const Vector3d e = vector_of(at(vertices[i], end)) - vector_of(at(reference_[i], end));
      largest = std::max(largest, squared_share(e.squaredNorm(), slack_[i]));
    }
  place.used = place.used_unmoved = std::sqrt(largest);
  if (place.used <= unmoved_share) return place;

  place.moved = true;
  place.centre = centres_of(own);
  place.used = used_slack(surface, vertices, s, place);
  if (place.used <= unmoved_share) return place;
  place.turn = turn_between(std::span(reference_).subspan(first, last - first), centres_[s][0], own,
                            place.centre[0]);
  place.used = used_slack(surface, vertices, s, place);
  return place;
}

void ListedMotion::measure(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices)
{
  tbb::parallel_for(0, static_cast<int>(now_.size()),
                    [&](int s) { now_[s] = place_of(surfaces.surfaces()[s], s, vertices); });
}

// D of the two surfaces over the box that surface `of` had when they were listed.
double ListedMotion::drift(const Listed& listed, int of) const
{
  std::array<Matrix3d, 2> turn;
  for (const int i : {0, 1})
    turn[i] = now_[listed.surfaces[i]].turn * listed.places[i].turn.transpose();
  double largest = 0.0, coordinate = 0.0;
  for (const int end : {0, 1}) {
    const Box& box = at(listed.places[of].box, end);
    for (int corner = 0; corner < 8; ++corner) {
      Vector3d x;
      for (int k = 0; k < 3; ++k) x[k] = (corner >> k & 1) != 0 ? box.high[k] : box.low[k];
      std::array<Vector3d, 2> carried;
      for (const int i : {0, 1})
        carried[i] =
            turn[i] * (x - listed.places[i].centre[end]) + now_[listed.surfaces[i]].centre[end];
      largest = std::max(largest, (carried[0] - carried[1]).squaredNorm());
    }
    for (const int i : {0, 1})
      coordinate = std::max({coordinate, largest_coordinate(at(listed.places[i].box, end)),
                             largest_coordinate(at(now_[listed.surfaces[i]].box, end))});
  }
  return std::sqrt(largest) + coordinate_rounding * coordinate;
}

bool ListedMotion::holds(const Listed& listed) const
{
  const auto [a, b] = listed.surfaces;
  const auto is_where_listed = [&](int i) {
    const Place& then = listed.places[i];
    return !then.moved && now_[listed.surfaces[i]].used_unmoved + then.used <= usable_slack;
  };
  if (is_where_listed(0) && is_where_listed(1)) return true;
  const double left_a = usable_slack - now_[a].used - listed.places[0].used;
  const double left_b = usable_slack - now_[b].used - listed.places[1].used;
  if (!(left_a >= 0.0 && left_b >= 0.0)) return false;
  if (a == b) return true;
  const double room = left_a * least_slack_[a] + left_b * least_slack_[b];
  return drift(listed, 0) <= room || drift(listed, 1) <= room;
}

bool ListedMotion::holds(const SurfacePair& surfaces) const
{
  const auto [a, b] = surfaces;
  const Listed* listed = find(surfaces);
  return holds(listed != nullptr ? *listed : Listed{surfaces, {last_look_[a], last_look_[b]}});
}

// Pairs that are tested and near now: themselves, and those whose boxes meet when they are larger
// by half the tolerance and by these margins, one a surface or none at all.
std::vector<ListedMotion::SurfacePair> ListedMotion::near_pairs(const SurfaceSet& surfaces,
                                                                std::span<const double> margins)
{
  std::vector<SurfacePair> pairs;
  boxes_.resize(now_.size());
  for (int s = 0; s < static_cast<int>(now_.size()); ++s) {
    boxes_[s] = no_moving_box();
    if (surfaces.surfaces()[s].triangles.size() == 0) continue;
    const double by = 0.5 * tolerance_ + (margins.empty() ? 0.0 : margins[s]);
    boxes_[s] = {grown(now_[s].box.start, by), grown(now_[s].box.end, by)};
    if (surfaces.tested(s, s)) pairs.push_back({s, s});
  }
  const auto self_count = static_cast<std::ptrdiff_t>(pairs.size());
  for (const auto& [a, b] : sweep_.find_meetings(boxes_))
    if (surfaces.tested(a, b)) pairs.push_back({a, b});
  std::inplace_merge(pairs.begin(), pairs.begin() + self_count, pairs.end());
  return pairs;
}

const ListedMotion::Listed* ListedMotion::find(const SurfacePair& surfaces) const
{
  const auto place = std::lower_bound(
      listed_.begin(), listed_.end(), surfaces,
      [](const Listed& listed, const SurfacePair& pair) { return listed.surfaces < pair; });
  return place != listed_.end() && place->surfaces == surfaces ? &*place : nullptr;
}

bool ListedMotion::holds_for(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices)
{
  if (vertices.size() != reference_.size() || empty()) return false;
  measure(surfaces, vertices);
  const std::vector<SurfacePair> near = near_pairs(surfaces, {});
  return std::all_of(near.begin(), near.end(),
                     [&](const SurfacePair& pair) { return holds(pair); });
}

void ListedMotion::renew(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                         std::span<const double> slack)
{
  measure(surfaces, vertices);
  std::vector<double> margins = most_slack_;  // before or after, whichever is more
  for (std::size_t s = 0; s < margins.size(); ++s) {
    const auto [first, last] = surfaces.surfaces()[s].vertices;
    for (int i = first; i < last; ++i) margins[s] = std::max(margins[s], slack[i]);
  }
  const std::vector<SurfacePair> near = near_pairs(surfaces, margins);
  std::vector<const Listed*> old;
  for (const SurfacePair& pair : near) {
    const Listed* listed = find(pair);
    old.push_back(listed != nullptr && holds(*listed) ? listed : nullptr);
  }
  // A surface that starts anew takes all its pairs along, and these their other surfaces if worn.
  std::vector<std::uint8_t> anew(now_.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t p = 0; p < near.size(); ++p) {
      if (anew[near[p][0]] != 0 || anew[near[p][1]] != 0) old[p] = nullptr;
      if (old[p] != nullptr) continue;
      for (const int s : near[p]) {
        if (anew[s] != 0 || now_[s].used <= worn_share) continue;
        anew[s] = 1;
        changed = true;
      }
    }
  }
  for (int s = 0; s < static_cast<int>(now_.size()); ++s)
    if (anew[s] != 0) set_reference(surfaces.surfaces()[s], s, vertices, slack);
  fresh_.clear();
  kept_.clear();
  std::vector<Listed> listed;
  for (std::size_t p = 0; p < near.size(); ++p) {
    const bool keep = old[p] != nullptr;
    (keep ? kept_ : fresh_).push_back(near[p]);
    listed.push_back(keep ? *old[p] : Listed{near[p], {now_[near[p][0]], now_[near[p][1]]}});
  }
  listed_ = std::move(listed);
  last_look_ = now_;
}

}  // namespace tact
