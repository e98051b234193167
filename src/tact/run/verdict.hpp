// What the figures of frames and runs mean, in words. `tact run`, `tact verify` and the viewer all
// say what is made here, so that they say the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tact/recording/recording.hpp>

namespace tact {

struct Sentence {
  std::string text;
  bool bad = false;  // something that was asked for does not hold
};

struct FrameVerdict {
  bool good = true;
  std::string summary = {};
  std::vector<Sentence> sentences = {};
};

// Tolerance: what was asked of solvers, m/s; none where it is not recorded.
FrameVerdict judge_frame(const Frame& frame, std::optional<double> tolerance);

// What steps missed and what that cost, in one sentence: empty where all that was asked for holds.
std::string miss_of(const StepAccount& account, std::optional<double> tolerance);

// That of a frame. Where none is recorded, what its certificate tells of its last step.
StepAccount account_of(const Frame& frame);

}  // namespace tact
