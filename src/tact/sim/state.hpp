// Everything that changes while stepping: a plain value. Copy it to keep it.
#pragma once

#include <cstdint>
#include <string>

#include <tact/core/types.hpp>

namespace tact {

struct State {
  std::int64_t step = 0;  // steps taken since the start
  double t = 0.0;         // s
  VectorXd q;             // positions and poses of all bodies
  VectorXd v;             // velocities of all nodes, three each
};

// 16 hexadecimal digits of a hash over all bits of the state: equal exactly for equal bits.
std::string state_hash(const State& state);

}  // namespace tact
