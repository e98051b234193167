// `tact bench dynamics`: what one implicit step of soft letters costs without contact, and how that
// grows with their number.
#pragma once

#include <string>
#include <vector>

#include <bench/bench.hpp>
#include <bench/claims.hpp>

namespace tact {

// One number of letters on so many threads. Times are medians over steps of free fall: processor
// time of one thread, wall time of several.
struct DynamicsRow {
  int letters = 0;
  int threads = 1;
  int tetrahedra = 0;
  int nodes = 0;
  double assembly_ms = 0.0;  // rotations, A and b
  double factor_ms = 0.0;
  double solve_ms = 0.0;
  double step_ms = 0.0;         // a whole step as the simulator takes it, places included
  double momentum_error = 0.0;  // |A v - b| / |b|, the worst

  double linear_ms() const { return assembly_ms + factor_ms + solve_ms; }
};

std::vector<DynamicsRow> measure_dynamics(const BenchOptions& options);
std::vector<Claim> dynamics_claims(const std::vector<DynamicsRow>& rows);

std::string dynamics_table(const std::vector<DynamicsRow>& rows);
std::string dynamics_json(const std::vector<DynamicsRow>& rows);
std::string dynamics_plot(const std::vector<DynamicsRow>& rows);

// Exit code 0 when every system is solved to round-off and, in a full run, the times are as
// claimed; else 3.
int run_dynamics_bench(const BenchOptions& options);

}  // namespace tact
