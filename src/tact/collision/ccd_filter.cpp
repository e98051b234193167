#include <tact/collision/ccd_filter.hpp>

#include <tact/geometry/aabb.hpp>

namespace tact {
namespace {

bool swept_boxes_overlap(const CcdQuery& query)
{
  const auto& [s0, s1, s2, s3] = query.start;
  const auto& [e0, e1, e2, e3] = query.end;
  if (query.kind == CcdKind::vertex_face)
    return overlap(box_of(s0, e0), box_of(s1, s2, s3, e1, e2, e3));
  return overlap(box_of(s0, s1, e0, e1), box_of(s2, s3, e2, e3));
}

struct TimeInterval {
  double lo, hi;
};

// The search for the first root of f at which the features meet: an ordered subdivision of [0, 1].
// Each interval is dropped with a proof, accepted with a proof, halved, or ends the search unsure.
class Subdivision {
 public:
  Subdivision(const RelativeMotion& motion, const QuadraticVector& n, const Cubic& f,
              const FilterBounds& bounds)
      : kind_(motion.kind),
        n_(n),
        U_(cross(motion.R, motion.Q)),
        T_(cross(motion.P, motion.R)),
        f_(f)
  {
    const Vector3d& L = motion.extent;
    f_error_ = bounds.cubic * L.prod() + bounds.blossom * std::max(f.largest(), -f.smallest());
    n_error_ = bounds.quadratic * Vector3d(L[1] * L[2], L[2] * L[0], L[0] * L[1]);
  }

  FilterAnswer run() const;

 private:
  enum class Inside { never, unknown, always };

  FilterAnswer settle_root(TimeInterval around, double sign_at_lo) const;
  TimeInterval bracket(TimeInterval around, double sign_at_lo) const;
  Inside inside(TimeInterval interval) const;
  Inside inside(TimeInterval interval, int axis) const;

  CcdKind kind_;
  QuadraticVector n_, U_, T_;
  Cubic f_;
  double f_error_;    // of a blossom of f
  Vector3d n_error_;  // of a blossom of n_k, U_k, T_k
};

// Deeper than this, halving has met a tangency or a touching end that no margin can prove.
constexpr int max_depth = 6;

// The contract on the time is 1e-9; half of it is left for the width of a bracket.
constexpr double max_bracket_width = 5e-10;

FilterAnswer Subdivision::run() const
{
  struct Task {
    TimeInterval interval;
    int depth;
  };
  std::array<Task, max_depth + 2> stack;
  int count = 0;
  stack[count++] = {{0.0, 1.0}, 0};
  while (count > 0) {
    const auto [interval, depth] = stack[--count];
    const auto [lo, hi] = interval;
    const Cubic f = depth == 0 ? f_ : f_.on(lo, hi);
    if (f.smallest() > f_error_ || f.largest() < -f_error_) continue;
    if (inside(interval) == Inside::never) continue;

    // A certain sign change with a third certain sign between leaves one change in the four.
    const double s = f.b0 > f_error_ && f.b3 < -f_error_   ? 1.0
                     : f.b0 < -f_error_ && f.b3 > f_error_ ? -1.0
                                                           : 0.0;
    if (s != 0.0 && (s * f.b1 > f_error_ || s * f.b2 < -f_error_)) {
      const FilterAnswer answer = settle_root(interval, s);
      if (answer.verdict == Verdict::no) continue;
      return answer;
    }
    if (depth == max_depth) return {Verdict::unsure};
    const double middle = 0.5 * (lo + hi);
    stack[count++] = {{middle, hi}, depth + 1};
    stack[count++] = {{lo, middle}, depth + 1};
  }
  return {Verdict::no};
}

// `around` holds exactly one root of f.
FilterAnswer Subdivision::settle_root(TimeInterval around, double sign_at_lo) const
{
  const TimeInterval root = bracket(around, sign_at_lo);
  const Inside there = inside(root);
  if (there == Inside::never) return {Verdict::no};
  if (there == Inside::unknown || root.hi - root.lo > max_bracket_width) return {Verdict::unsure};
  return {Verdict::yes, CcdStage::subdivision, root.lo};
}

// A narrow interval around the only root in `around`, with certified signs at its ends. Newton in
// plain double finds the place; what follows steps out until the signs are certain.
TimeInterval Subdivision::bracket(TimeInterval around, double sign_at_lo) const
{
  auto [lo, hi] = around;
  const auto value = [&](double t) { return sign_at_lo * f_.at(t); };
  const double f_lo = value(lo), f_hi = value(hi);
  double t = lo + (hi - lo) * (f_lo / (f_lo - f_hi));
  if (!(t > lo && t < hi)) t = 0.5 * (lo + hi);
  double slope = 1.0;
  for (int iteration = 0; iteration < 30; ++iteration) {
    const double f = value(t);
    slope = sign_at_lo * f_.slope_at(t);
    if (f > f_error_)
      lo = t;
    else if (f < -f_error_)
      hi = t;
    else
      break;
    const double next = t - f / slope;
    t = next > lo && next < hi ? next : 0.5 * (lo + hi);
    if (hi - lo < 1e-15) break;
  }
  double reach = std::max(2.5 * f_error_ / std::max(std::abs(slope), 1e-300), 4e-16);
  for (int widening = 0; widening < 8; ++widening, reach *= 8.0) {
    const double left = std::max(t - reach, lo), right = std::min(t + reach, hi);
    const bool left_certain = left == lo || value(left) > f_error_;
    const bool right_certain = right == hi || value(right) < -f_error_;
    if (left_certain && right_certain) return {left, right};
  }
  return {lo, hi};
}

// Whether, at every coplanar time of the interval, the features meet (always) or not (never). Any
// axis with a certain sign of n_k may decide.
Subdivision::Inside Subdivision::inside(TimeInterval interval) const
{
  for (int axis = 0; axis < 3; ++axis) {
    const Inside answer = inside(interval, axis);
    if (answer != Inside::unknown) return answer;
  }
  return Inside::unknown;
}

Subdivision::Inside Subdivision::inside(TimeInterval interval, int axis) const
{
  const auto [lo, hi] = interval;
  const double e = n_error_[axis];
  const Quadratic n = component(n_, axis).on(lo, hi);
  const double s = n.above(e) ? 1.0 : n.below(-e) ? -1.0 : 0.0;
  if (s == 0.0) return Inside::unknown;

  const Quadratic weight_n = s * n;
  const Quadratic first = s * component(U_, axis).on(lo, hi);
  if (first.below(-e)) return Inside::never;
  const bool edges = kind_ == CcdKind::edge_edge;
  const Quadratic second = (edges ? -s : s) * component(T_, axis).on(lo, hi);
  if (second.below(-e)) return Inside::never;
  const bool both_positive = first.above(e) && second.above(e);

  // Two errors and one rounding of up to 4 u Li Lj; three errors and roundings of 10 u Li Lj.
  const double e2 = 2.25 * e, e3 = 3.5 * e;
  if (edges) {
    const Quadratic rest_a = weight_n - first, rest_b = weight_n - second;
    if (rest_a.below(-e2) || rest_b.below(-e2)) return Inside::never;
    return both_positive && rest_a.above(e2) && rest_b.above(e2) ? Inside::always : Inside::unknown;
  }
  const Quadratic rest = weight_n - first - second;
  if (rest.below(-e3)) return Inside::never;
  return both_positive && rest.above(e3) ? Inside::always : Inside::unknown;
}

}  // namespace

FilterAnswer filter_contact(const CcdQuery& query, const FilterBounds& bounds)
{
  if (!swept_boxes_overlap(query)) return {Verdict::no, CcdStage::box};
  const RelativeMotion motion(query);
  if (!motion.bounds_hold()) return {Verdict::unsure, CcdStage::box};
  const QuadraticVector n = cross(motion.P, motion.Q);
  const Cubic f = coplanarity(n, motion.R);
  const double error = bounds.cubic * motion.extent.prod();
  if (f.smallest() > error || f.largest() < -error) return {Verdict::no, CcdStage::cubic};
  return Subdivision(motion, n, f, bounds).run();
}

}  // namespace tact
