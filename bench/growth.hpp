// `tact bench growth`: processor time and memory as scenes grow, at the same dt and over the same
// simulated time, on one thread. What costs in proportion has the exponent 1.
#pragma once

#include <string>
#include <vector>

#include <bench/bench.hpp>
#include <bench/claims.hpp>
#include <tact/sim/step_report.hpp>

namespace tact {

// Scenes of one kind in several sizes.
struct GrowthFamily {
  const char* name;
  const char* unit;      // what is counted
  double time_exponent;  // claimed
  std::vector<int> sizes, quick_sizes;
  int steps = 0, quick_steps = 0;
};
const std::vector<GrowthFamily>& growth_families();

struct GrowthRow {
  std::string family;
  int size = 0;
  int steps = 0;
  double simulated = 0.0;  // s
  double seconds = 0.0;    // of processor, one thread
  PhaseSeconds phases;
  double megabytes = 0.0;  // that world, stepper and state hold at the end
  int contacts_max = 0;
  int unconverged = 0, cut_steps = 0;
  double residual_max = 0.0;  // m/s

  double per_second() const { return seconds / simulated; }
};

GrowthRow measure_growth(const GrowthFamily& family, int size, int steps);
std::vector<Claim> growth_claims(const std::vector<GrowthRow>& rows);
std::string growth_table(const std::vector<GrowthRow>& rows);
std::string growth_json(const std::vector<GrowthRow>& rows);
std::string growth_plot(const std::vector<GrowthRow>& rows);

// Exit code 0 when what was claimed holds, else 3.
int run_growth_bench(const BenchOptions& options);

}  // namespace tact
