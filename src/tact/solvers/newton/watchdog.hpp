// The choice of a step's length in semismooth Newton methods. Full steps that raise |F| are let
// pass, up to four in a row (a watchdog); if that leads nowhere the method goes back and searches
// along the first of their directions. Line search alone takes two to seven times the
// factorisations.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tact {

// A Point has its |F| as `residual`. Keeps its memory between solves.
template <class Point, class Direction = Point>
class Watchdog {
 public:
  void reset() { passed_ = pause_ = 0; }

  // Moves `at` along `direction`. `reference`: the |F| that a step has to fall below; `best`: the
  // least so far. try_step(from, along, length, trial) puts from + length along into `trial`;
  // false: that is not finite. False: there is nowhere to go.
  template <class TryStep>
  bool choose_step(Point& at, const Direction& direction, double reference, double best,
                   const TryStep& try_step)
  {
    const bool finite = try_step(at, direction, 1.0, trial_);
    const bool falls = finite && trial_.residual <= reference * (1.0 - sufficient);
    const bool tame = finite && trial_.residual < wildest_growth * best;
    if (!falls && tame && pause_ == 0 && passed_ < watched_steps) {
      if (passed_++ == 0) {
        checkpoint_ = at;
        checkpoint_direction_ = direction;
        checkpoint_reference_ = reference;
      }
      std::swap(at, trial_);
      return true;
    }
    if (!falls) search_line(at, direction, 1.0, reference, try_step);
    if (passed_ > 0 && trial_.residual <= checkpoint_reference_) {
      passed_ = 0;
    } else if (passed_ >= watched_steps) {
      search_line(checkpoint_, checkpoint_direction_, 0.5, checkpoint_reference_, try_step);
      passed_ = 0;
      pause_ = pause_after_failure + 1;
    }
    pause_ = std::max(0, pause_ - 1);
    std::swap(at, trial_);
    return std::isfinite(at.residual);
  }

 private:
  static constexpr int watched_steps = 4;
  static constexpr int pause_after_failure = 3;  // steps
  static constexpr int max_halvings = 13;
  static constexpr double sufficient = 1e-4;  // share of the step by which |F| has to fall
  // Of |F| that is let pass: near the answer of a redundant pile it may have to rise from 1e-8 to
  // 1e-1.
  static constexpr double wildest_growth = 1e8;

  // Halves the step until |F| falls enough; else the best of those tried. The answer is in trial_.
  template <class TryStep>
  void search_line(const Point& from, const Direction& along, double longest, double reference,
                   const TryStep& try_step)
  {
    double best_length = longest, length = longest;
    double best = std::numeric_limits<double>::infinity();
    for (int halving = 0; halving <= max_halvings; ++halving, length *= 0.5) {
      if (!try_step(from, along, length, trial_)) continue;
      if (trial_.residual <= reference * (1.0 - sufficient * length)) return;
      if (trial_.residual < best) {
        best = trial_.residual;
        best_length = length;
      }
    }
    try_step(from, along, best_length, trial_);
  }

  Point trial_, checkpoint_;
  Direction checkpoint_direction_;
  double checkpoint_reference_ = 0.0;
  int passed_ = 0;  // steps
  int pause_ = 0;   // steps until it may watch again
};

}  // namespace tact
