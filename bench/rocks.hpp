// `tact bench rocks`: piles of irregular rocks, 40 to 568 contacts of which most are redundant, to
// 1e-8 of rel_q by `auto`: how many are solved, at what cost.
#pragma once

#include <string>
#include <vector>

#include <bench/bench.hpp>

namespace tact {

struct RocksRow {
  int number = 0;  // of the pile
  int rocks = 0, contacts = 0;
  std::string status;     // of the report
  double residual = 0.0;  // rel_q, by the judge
  double eps_nat = 0.0;   // m/s, the same
  double seconds = 0.0;   // processor time
  std::string note;       // stages and counts of work

  bool solved() const { return residual <= 1e-8 && eps_nat <= 1e-8; }
};

RocksRow measure_pile(int number);
std::string rocks_table(const std::vector<RocksRow>& rows);
std::string rocks_json(const std::vector<RocksRow>& rows);

// Exit code 0 when every pile is solved, else 3.
int run_rocks_bench(const BenchOptions& options);

}  // namespace tact
