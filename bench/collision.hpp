// `tact bench collision`: what detection costs as the scene grows and as it flies and turns as a
// whole, and whether it may be trusted.
#pragma once

#include <string>
#include <vector>

#include <bench/bench.hpp>
#include <bench/claims.hpp>

namespace tact {

// One scene at one size. Times and pairs are medians over frames, of one step each: processor time
// of one thread, wall time of several. Contacts and crossings are those of the last.
struct CollisionRow {
  std::string scene;   // long pile, cube pile, wide cloth, square cloth
  std::string method;  // of the broad phase: trees, full (trees, no patch left out), hash
  int threads = 1;
  int triangles = 0;
  long pairs = 0;      // of features, from the broad phase
  long contacts = 0;   // within the tolerance at the start
  long crossings = 0;  // during the step
  double broad_ms = 0.0;
  double proximity_ms = 0.0;
  double ccd_ms = 0.0;
  double first_ms = 0.0;  // of the first broad phase, which builds the trees

  double total_ms() const { return broad_ms + proximity_ms + ccd_ms; }
};

// One family of motion queries, each answered by all stages and by the exact one alone.
struct QueryTally {
  std::string family;
  long queries = 0;
  long contacts = 0;
  long missed = 0;    // contacts that a fast stage or the filter in lanes denies
  long late = 0;      // times after the exact one
  long invented = 0;  // contacts that are none
  long early = 0;     // times more than 1e-9 before the exact one
  double mean_us = 0.0;
};

// One scene that moves as a whole, in steps of 5 ms. Processor time of one thread.
struct TogetherRow {
  std::string scene;   // spheres, over ground, square cloth
  double speed = 0.0;  // m/s, of all that is not fixed
  double spin = 0.0;   // rad/s
  int triangles = 0;
  long pairs = 0;                // of features, from one look: the median
  long pairs_at_rest = 0;        // the same in the same poses, without the common motion
  double look_ms = 0.0;          // for all pairs, without slack: the median
  double look_at_rest_ms = 0.0;  // the same in the same poses
  double step_ms = 0.0;          // of what a stepper does, with lists that last: the mean
  int looks = 0;                 // of these, be it for two surfaces only
};

struct CollisionResults {
  std::vector<CollisionRow> rows;
  std::vector<TogetherRow> together;
  std::vector<QueryTally> queries;
};

CollisionResults measure_collision(const BenchOptions& options);
std::vector<QueryTally> tally_queries(long count);
std::vector<TogetherRow> measure_together(const BenchOptions& options);

// Exponents of the time of one thread.
struct CollisionGrowth {
  double in_triangles = 0.0;
  double in_pairs = 0.0;
};
CollisionGrowth collision_growth(const CollisionResults& results, const std::string& scene,
                                 const std::string& method);
std::vector<Claim> collision_claims(const CollisionResults& results);

std::string collision_table(const CollisionResults& results);
std::string collision_json(const CollisionResults& results);
std::string collision_plot(const CollisionResults& results);

// Exit code 0 when no query is answered unsafely and, in a full run, time grows as claimed; else 3.
int run_collision_bench(const BenchOptions& options);

}  // namespace tact
