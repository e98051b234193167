// `tact bench ica`: iterative against full constraint anticipation, [Otaduy09] fig. 6: what solving
// the contact problem of one step costs as contacts grow in number, and as meshes get finer.
#pragma once

#include <string>
#include <vector>

#include <bench/bench.hpp>
#include <bench/claims.hpp>

namespace tact {

struct IcaRow {
  std::string sweep;  // "letters" or "tetrahedra": what grows
  int letters = 0;
  int tetrahedra = 0;
  int contacts = 0;
  std::string method;     // ica, anticipation, full
  std::string status;     // of the solve
  double step_ms = 0.0;   // processor time to solve, the linear system of the step included
  double residual = 0.0;  // m/s, the shared one
};

std::vector<IcaRow> measure_ica(const BenchOptions& options);
// Of the time in the contacts, over rows where letters grow.
double ica_exponent(const std::vector<IcaRow>& rows, const std::string& method);
std::vector<Claim> ica_claims(const std::vector<IcaRow>& rows);

std::string ica_table(const std::vector<IcaRow>& rows);
std::string ica_json(const std::vector<IcaRow>& rows);
std::string ica_plot(const std::vector<IcaRow>& rows);

int run_ica_bench(const BenchOptions& options);

}  // namespace tact
