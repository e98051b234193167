// `tact bench regions`: detached contact regions solved apart against all contacts as one problem,
// [Lazarevych10] Sec. 5 and fig. 1. The problems are those of the scenes `bowling` and `bucket` as
// they run. The same contacts, the same method (pcg-pgs), the same accuracy: the worst contact is
// below the same bound.
#pragma once

#include <string>
#include <vector>

#include <bench/bench.hpp>
#include <bench/claims.hpp>

namespace tact {

// Problems of a scene with about as many contacts.
struct RegionsRow {
  std::string scene;  // bowling, bucket
  int problems = 0;   // all else are means over these
  double contacts = 0.0;
  double regions = 0.0;
  // separated, one: velocities of nodes; separated dense, one dense: W as a matrix, as in the paper
  std::string method;
  double solve_ms = 0.0;     // median of three, processor time
  double assembly_ms = 0.0;  // of that, to form W
  double updates = 0.0;      // of contacts, in all iterations: what does not depend on the machine
  double residual = 0.0;     // m/s: of the worst contact of all
  double difference = 0.0;   // m/s: largest of a node's velocity from that of `separated`
  int solves = 0;            // of regions, or of all contacts as one, in all problems
  int unconverged = 0;       // of those: stopped by the limit of sweeps
};

std::vector<RegionsRow> measure_regions(const BenchOptions& options);
// Of the time in the contacts of the bucket, on one thread.
double regions_exponent(const std::vector<RegionsRow>& rows, const std::string& method);
// Time as one problem over time of its regions, of all problems of a scene together. form: "" or
// " dense".
double regions_gain(const std::vector<RegionsRow>& rows, const std::string& scene,
                    const std::string& form);
std::vector<Claim> regions_claims(const std::vector<RegionsRow>& rows);

std::string regions_table(const std::vector<RegionsRow>& rows, bool quick = false);
std::string regions_json(const std::vector<RegionsRow>& rows);
std::string regions_plot(const std::vector<RegionsRow>& rows);

int run_regions_bench(const BenchOptions& options);

}  // namespace tact
