// How passes over A are made, and what is tried next where they do not get on.
#pragma once

#include <algorithm>
#include <cmath>

#include <tact/solvers/nested/nested.hpp>

namespace tact {

// The factor of Nesterov's extrapolation y = x + beta (x - x_old), pass by pass.
struct Extrapolation {
  double theta = 1.0;
  double beta = 0.0;

  void restart() { *this = {}; }
  void advance()
  {
    const double next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * theta * theta));
    beta = (theta - 1.0) / next;
    theta = next;
  }
};

struct PassManner {
  static constexpr int usual_sweeps = 4;
  static constexpr int first_patience = 30;  // passes without a better answer
  static constexpr int last_patience = 150;  // of what is tried last; more where many may be made
  static constexpr int held_sweeps = 16;     // a pass, accelerated, before bounds are held
  static constexpr int most_sweeps = 64;     // a pass, without friction

  NestedScheme scheme;
  int max_passes;
  bool friction;
  bool wholes = false;        // components move as a whole, too
  int sweeps = usual_sweeps;  // a pass
  bool held = false;          // bounds of friction are held

  int patience() const
  {
    const bool hurried = scheme == NestedScheme::accelerated && !held;
    return hurried ? first_patience : std::max(last_patience, max_passes / 20);
  }

  // False: nothing is left to try. Wholes come first, where they are not on already. Sweeps that
  // leave too much undone hold the accelerated scheme up: then more of them are made. Where
  // friction goes in circles, bounds that follow slowly end it. The last are plain passes.
  bool try_next()
  {
    const bool accelerated = scheme == NestedScheme::accelerated;
    if (accelerated && !wholes) return wholes = true;
    if (accelerated && sweeps < (friction ? held_sweeps : most_sweeps)) {
      sweeps *= 2;
      return true;
    }
    if (friction && !held) return held = true;
    if (!accelerated) return false;
    held = false;
    scheme = NestedScheme::gauss_seidel;
    return true;
  }
};

}  // namespace tact
