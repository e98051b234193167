// `tact bench pcg-pgs`: how often a solve of a region stops at its limit of iterations, by method,
// and what the friction cone costs against the 4-sided pyramid. [Lazarevych10] Sec. 4 and 5.
#pragma once

#include <string>
#include <vector>

#include <bench/bench.hpp>
#include <bench/claims.hpp>

namespace tact {

struct PcgPgsRow {
  std::string scene;  // bowling, bucket
  // pcg-pgs, pcg-pgs-fr (Fletcher-Reeves), printed (no sweep before), pgs, nncg, apgd
  std::string method;
  std::string friction;  // cone, pyramid
  int problems = 0;
  int solves = 0;       // of regions
  int unconverged = 0;  // of those: stopped by the limit
  double mean_iterations = 0.0;
  double largest_iterations = 0.0;  // of a region
  double solve_ms = 0.0;            // of all problems, processor time of one thread

  double share() const { return solves > 0 ? static_cast<double>(unconverged) / solves : 0.0; }
};

std::vector<PcgPgsRow> measure_pcg_pgs(const BenchOptions& options);
std::vector<Claim> pcg_pgs_claims(const std::vector<PcgPgsRow>& rows);

std::string pcg_pgs_table(const std::vector<PcgPgsRow>& rows, bool quick = false);
std::string pcg_pgs_json(const std::vector<PcgPgsRow>& rows);
std::string pcg_pgs_plot(const std::vector<PcgPgsRow>& rows);

int run_pcg_pgs_bench(const BenchOptions& options);

}  // namespace tact
