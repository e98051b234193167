// `tact bench coupling`: rigid bodies with many contacts, [Miguel11] figs. 4 and 6: what building
// the contact problem and one iteration cost, with rows of low rank and with the matrix in full;
// and how many sweeps and how much time an answer takes as contacts grow in number.
#pragma once

#include <string>
#include <vector>

#include <bench/bench.hpp>
#include <bench/claims.hpp>

namespace tact {

// One kernel on one problem. Times are medians of processor time on one thread.
struct CouplingKernelRow {
  std::string scene;  // "pressed-body", "lattice", or a scene as it runs
  int step = 0;       // of the scene
  int contacts = 0;
  std::string method;         // low_rank, one_by_one, standard
  double build_ms = 0.0;      // from the contact problem to the first sweep
  double iteration_ms = 0.0;  // one sweep near the answer
  double bytes_per_contact = 0.0;

  double both_ms() const { return build_ms + iteration_ms; }
};

// One solve from nothing.
struct CouplingSolveRow {
  std::string scene;  // "pressed-body", "ten-bodies"
  double mass_ratio = 0.0;
  int contacts = 0;
  std::string method;      // coupling, interior, correction, sweeps
  double tolerance = 0.0;  // of the residual, relative to that of no impulses
  int sweeps = 0;          // of all kinds, or steps; the limit where it was met
  double residual = 0.0;   // relative, the shared one
  double total_ms = 0.0;   // processor time on one thread, from the contact problem to the answer
  std::string status;
};

struct CouplingMeasurements {
  std::vector<CouplingKernelRow> kernels;
  std::vector<CouplingSolveRow> solves;
  double disagreement = 0.0;  // m/s: of the velocities of the two kernels, after any sweep
};

CouplingMeasurements measure_coupling(const BenchOptions& options);
std::vector<Claim> coupling_claims(const CouplingMeasurements& measured);

std::string coupling_table(const CouplingMeasurements& measured, bool quick = false);
std::string coupling_json(const CouplingMeasurements& measured);
std::string coupling_plot(const CouplingMeasurements& measured);

int run_coupling_bench(const BenchOptions& options);

}  // namespace tact
