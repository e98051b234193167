// Where two recordings of the same bodies part, and by how much.                  docs/recording.md
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tact/recording/recording.hpp>

namespace tact {

// Of two frames of the same step.
struct FrameDifference {
  std::int64_t step = 0;
  double t = 0.0;         // s
  std::string body;       // with the vertex that is furthest apart; else with the velocity
  double distance = 0.0;  // m: between the two places of that vertex
  double velocity = 0.0;  // m/s or rad/s: the largest difference of an entry, of any body
};

struct RecordingDifference {
  std::vector<std::string> settings;     // what differs of what is recorded once, a line each
  int compared = 0;                      // frames of the same step
  int only_a = 0, only_b = 0;            // frames of steps that the other recording has not
  std::optional<FrameDifference> first;  // whose states differ, in a bit
  std::optional<FrameDifference> worst;  // by distance

  // Every step that both recorded has the same places, to `distance` (m); 0: the same bits.
  bool same(double distance) const;
};

// Throws Error where names, kinds or numbers of vertices of bodies differ, and where no step is in
// both: then there is nothing to compare.
RecordingDifference difference(const Recording& a, const Recording& b);

}  // namespace tact
