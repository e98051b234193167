// `tact bench ica`: iterative constraint anticipation, [Otaduy09]. Whole steps of the scene
// `letters` in one pile that grows, averaged over windows of 600 ms as in fig. 6, with the solver
// that is named and nothing else; how ICA converges on meshes; how many sweeps its inner loops take
// (Sec. 5.3); and what a local response does to the energy (fig. 2).
#pragma once

#include <string>
#include <vector>

#include <bench/bench.hpp>
#include <bench/claims.hpp>

namespace tact {

// A window of a run.
struct IcaRow {
  int letters = 0;     // of the pile
  int tetrahedra = 0;  // of a letter, on average
  bool friction = false;
  std::string method;     // ica, full, anticipation, auto
  double until = 0.0;     // s: its end
  double contacts = 0.0;  // mean
  double step_ms = 0.0;   // a whole step, processor time on one thread, mean
  int steps = 0;
  int unconverged = 0;          // solves that missed the tolerance
  double largest_island = 0.0;  // share of the contacts, mean
};

// One problem of the pile at rest, from no impulses.
struct IcaConvergence {
  int tetrahedra = 0;
  int contacts = 0;
  std::vector<double> history;    // m/s: residual by pass of `ica`
  std::vector<long> inner_loops;  // passes by their sweeps, which end by the paper's 5 %
  std::string status;
};

// A bent stick whose tip has gone into a wall: energies over that of the stick as it was, J.
struct ResponseRow {
  double bend_stiffness = 0.0;  // N m
  double before = 0.0, local = 0.0, global = 0.0;
};

struct IcaMeasurements {
  std::vector<IcaRow> windows;
  std::vector<IcaConvergence> convergence;
  std::vector<ResponseRow> responses;
};

IcaMeasurements measure_ica(const BenchOptions& options);
std::vector<ResponseRow> measure_responses();

// Of the time of a step in the contacts, over windows of one method and mesh; NaN for too few.
double ica_exponent(const IcaMeasurements& measured, const std::string& method, int tetrahedra,
                    bool friction);
// Of inner loops that took fewer than ten sweeps.
double share_below_ten(const std::vector<IcaConvergence>& convergence);
std::vector<Claim> ica_claims(const IcaMeasurements& measured);

std::string ica_table(const IcaMeasurements& measured, bool quick = false);
std::string ica_json(const IcaMeasurements& measured);
std::string ica_plot(const IcaMeasurements& measured);

int run_ica_bench(const BenchOptions& options);

}  // namespace tact
