// `tact bench truth`: six situations whose answer is known, one contact problem each, by every
// solver: how far its answer is from the law, how fast what should rest creeps, and what it took.
#pragma once

#include <string>
#include <vector>

#include <bench/bench.hpp>

namespace tact {

struct TruthRow {
  std::string situation;
  int contacts = 0;
  std::string solver;
  std::string friction;  // disc, or pyramid for solvers that know no other
  std::string status;
  double residual = 0.0;  // m/s, the shared one
  double creep = 0.0;     // m/s: the largest sliding velocity beyond the true one
  double seconds = 0.0;
};

std::vector<TruthRow> measure_truth(const BenchOptions& options);

std::string truth_table(const std::vector<TruthRow>& rows);
std::string truth_json(const std::vector<TruthRow>& rows);

// Exit code 0 when `auto` keeps to the law and to the truth everywhere, else 3.
int run_truth_bench(const BenchOptions& options);

}  // namespace tact
