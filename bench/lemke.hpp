// `tact bench lemke`: the timings of [Lloyd05] figs. 4-9, and our cone-state method beside them.
#pragma once

#include <string>
#include <vector>

#include <bench/bench.hpp>
#include <bench/claims.hpp>

namespace tact {

// One method on one batch of problems.
struct LemkeRow {
  std::string family;   // peg-in-hole, single-body, block-stack, stress
  std::string problem;  // name of the batch
  int n = 0;            // contacts
  int m = 0;            // bodies
  int d = 0;            // directions
  bool in_paper = false;
  std::string method;  // standard, structural, reduced, cone
  int instances = 0;
  double median_us = 0.0;  // over instances; each is the best of some repetitions
  double p90_us = 0.0;
  double pivots = 0.0;  // median
  double solved = 0.0;  // share with a shared residual of 1e-9 or less
  double residual_max = 0.0;
  int restarts = 0;           // in all instances together
  double other_answer = 0.0;  // share whose velocity differs from that of `cone` by more than 1e-6
};

std::vector<LemkeRow> measure_lemke(const BenchOptions& options);

std::vector<Claim> lemke_claims(const std::vector<LemkeRow>& rows);

std::string lemke_table(const std::vector<LemkeRow>& rows, const std::vector<Claim>& claims,
                        bool quick = false);
std::string lemke_json(const std::vector<LemkeRow>& rows, const std::vector<Claim>& claims);
std::string lemke_plot(const std::vector<LemkeRow>& rows);

// Exit code 0 when all that `cone` was asked is solved and, in a full run, every ratio and exponent
// of the claims holds; else 3.
int run_lemke_bench(const BenchOptions& options);

}  // namespace tact
