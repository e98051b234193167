// `tact bench solvers`: performance profiles of the solvers of the exact Coulomb cone, over stacks
// of blocks and, where $TACT_DATA/fclib holds HDF5 files, over those. Solvers of Siconos run on the
// same problems where the build has found that library. `--problems DIR` takes the problems of a
// folder instead, such as those of `tact run --record-problems`; with `--limit S` the smallest come
// first, and a solver that took longer than S seconds counts as failing on all larger ones.
#pragma once

#include <string>
#include <vector>

#include <bench/bench.hpp>

namespace tact {

// One solver on one problem.
struct SolverRow {
  std::string problem;
  int contacts = 0;
  double tolerance = 0.0;   // on rel_q
  std::string solver = {};  // ours by their names, others as siconos-NAME
  std::string status = {};  // that of a report, or "skipped"
  double residual = 0.0;    // rel_q, by our judge
  int iterations = 0;
  double seconds = 0.0;  // processor time, the best of some runs; reading the problem left out

  bool solved() const { return residual <= tolerance; }
};

std::vector<SolverRow> measure_solvers(const BenchOptions& options);

// Share of problems that a solver solves within tau times the best time of all solvers.
struct Profile {
  std::string solver;
  std::vector<double> ratios;  // ascending, one a problem solved
  int problems = 0;
  double seconds = 0.0;  // in all

  double share(double tau) const;
};

std::vector<Profile> performance_profiles(const std::vector<SolverRow>& rows, double tolerance);

std::string solvers_table(const std::vector<SolverRow>& rows);
std::string solvers_json(const std::vector<SolverRow>& rows);
std::string solvers_plot(const std::vector<SolverRow>& rows);

// Exit code 0 when `auto` solves every problem, else 3.
int run_solvers_bench(const BenchOptions& options);

}  // namespace tact
