// The contact forces on the bodies that a scene asks about ("record": {"forces": [...]}): what
// report.json tells of them.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include <tact/recording/wrench.hpp>

namespace tact {

// Of one body with one partner, or with all of them.
struct ForceSummary {
  std::string body = {};  // the partner's name; empty: all of them
  Wrench mean = {};       // over the last second, or all steps where there are fewer
  Wrench last = {};       // of the last step
};

// Torques are about the body's centre of mass where it then was; of an obstacle, about the mean of
// its vertices.
struct BodyForces {
  std::string body;
  double seconds = 0.0;  // that the means are over
  ForceSummary total = {};
  std::vector<ForceSummary> partners = {};  // in the order of the bodies
};

class ForceMeter {
 public:
  explicit ForceMeter(std::vector<int> bodies) : bodies_(std::move(bodies)) {}

  bool idle() const { return bodies_.empty(); }
  void add(const RecordingHeader& header, const Frame& frame);  // of every step, in order
  std::vector<BodyForces> summary(const RecordingHeader& header) const;

  // For checkpoints, to the last bit.
  std::vector<double> save() const;
  void restore(std::span<const double> saved);

 private:
  struct Pair {
    int body = 0, partner = -1;
    Wrench wrench = {};
  };
  using Step = std::vector<Pair>;

  std::vector<int> bodies_;
  std::deque<Step> steps_;  // the last second
};

}  // namespace tact
