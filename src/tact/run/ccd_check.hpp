// Answers stored motion queries and compares with their ground truth and exact contact times.
#pragma once

#include <array>
#include <span>

#include <tact/collision/ccd.hpp>
#include <tact/files/ccd_io.hpp>
#include <tact/files/ccd_times.hpp>

namespace tact {

struct CcdReport {
  int queries = 0;
  int collisions = 0;  // answered yes
  int false_positives = 0;
  int false_negatives = 0;

  int times_compared = 0;
  int times_late = 0;          // after the exact contact time
  double earliest_time = 0.0;  // the most that an answer was before the exact contact time

  // Each query is answered in several passes. What a busy machine adds to one of them does not
  // count.
  double seconds = 0.0;          // the fastest pass over all queries
  double longest_seconds = 0.0;  // over the queries, the largest of each one's shortest time

  std::array<int, ccd_stage_count> decided_by{};  // queries by the stage that decided

  // Verdicts and times as promised: no late time, none more than 1e-9 early.
  bool agrees() const;

  CcdReport& operator+=(const CcdReport& other);  // of both together
};

// `times` may be empty or speak of some queries only, but of none that is not there.
CcdReport check_ccd_queries(std::span<const LabelledQuery> queries,
                            std::span<const ReferenceTime> times);

}  // namespace tact
