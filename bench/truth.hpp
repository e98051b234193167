// `tact bench truth`: six situations whose answer is known, one contact problem each, by every
// solver: how far its answer is from the law, how fast what should rest creeps, and what it took.
#pragma once

#include <string>
#include <vector>

#include <bench/bench.hpp>
#include <tact/contact/contact_problem.hpp>

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
  double allowed_creep = 0.0;  // m/s, of `auto`

  bool taken() const { return status != "unsupported"; }
};

// How far an answer may creep that keeps to the law up to r = 1e-6 m/s, the tolerance of the table.
// Two answers of one problem differ by an energy
//   dv' A dv = dlambda . du,
// and where the law holds up to r the right side is of the order of r times the impulses exchanged.
// A contact that stops a mass m which would approach at u* exchanges m u*, so that m du^2 <= r m
// u*, or
//   du <= sqrt(r u*),
// u* being g dt for what rests: 3e-4 m/s in steps of 0.01 s. It is a root of the residual that
// bounds the motion, not the residual: near its critical thickness an arch uses it, stiff piles do
// not. What carries more than its own mass or comes in faster than g dt might creep further; that
// is not granted.
double allowed_creep(const ContactProblem& problem, const ContactSolution& truth);

std::vector<TruthRow> measure_truth(const BenchOptions& options);

std::string truth_table(const std::vector<TruthRow>& rows);
std::string truth_json(const std::vector<TruthRow>& rows);
std::string truth_plot(const std::vector<TruthRow>& rows);

// Exit code 0 when `auto` keeps to the law and to the truth everywhere, else 3.
int run_truth_bench(const BenchOptions& options);

}  // namespace tact
