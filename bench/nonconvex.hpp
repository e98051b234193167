// `tact bench nonconvex`: the claims of [Egan03] about unions of half-spaces. How many constraints
// the forms have, which region they accept, and what a solve costs as the number of groups grows.
#pragma once

#include <string>
#include <vector>

#include <bench/bench.hpp>
#include <bench/claims.hpp>

namespace tact {

// What a form accepts around a corner in the plane, on a grid of places at rest.
struct RegionRow {
  std::string form;    // max or sum
  std::string corner;  // its shape
  int sides = 0;
  double cap = 0.0;  // e = epsilon / h, m/s; a place is its gap over the time step
  int constraints_formula = 0;
  int constraints_built = 0;
  double max_error = 0.0;  // m/s: how deep in the forbidden region a place is accepted
  double area = 0.0;       // (m/s)^2: of places accepted wrongly
  int rejected = 0;        // places of the grid that are allowed but refused
};

// Bodies before corners, each with contacts in no group too, friction everywhere.
struct SolveRow {
  std::string form;  // stewart (no groups), max, sum or selection
  int groups = 0, sides = 0, convex = 0, directions = 0;
  int constraints_formula = 0;  // of selection: of the convex problem with one side a group
  int constraints_built = 0;
  double max_error = 0.0;  // m/s: how deep in a forbidden region an accepted answer lies
  int problems = 0;
  int solved = 0;
  double median_us = 0.0;  // processor time of one solve
};

struct NonconvexRows {
  std::vector<RegionRow> regions;
  std::vector<SolveRow> solves;
};

NonconvexRows measure_nonconvex(const BenchOptions& options);
std::vector<Claim> nonconvex_claims(const NonconvexRows& rows);

std::string nonconvex_table(const NonconvexRows& rows, bool quick = false);
std::string nonconvex_json(const NonconvexRows& rows);
std::string nonconvex_plot(const NonconvexRows& rows);

// Exit code 0 when every claim holds, else 3.
int run_nonconvex_bench(const BenchOptions& options);

}  // namespace tact
