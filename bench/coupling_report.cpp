// Tables, JSON and plots of `tact bench coupling`.
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bench/coupling.hpp>
#include <bench/machine.hpp>
#include <bench/statistics.hpp>
#include <tact/files/svg_chart.hpp>

namespace tact {
namespace {

constexpr double published_speed_up = 14.0;  // "a factor of up to 14x", [Miguel11] Sec. 6
constexpr int small_matrix = 300;  // contacts: B is in the second cache, and a product costs little
constexpr int least_fitted = 200;  // contacts: below, what does not grow with them tells

using KernelTime = double (*)(const CouplingKernelRow&);

double build_time(const CouplingKernelRow& row)
{
  return row.build_ms;
}
double iteration_time(const CouplingKernelRow& row)
{
  return row.iteration_ms;
}

std::vector<CouplingKernelRow> kernels_of(const CouplingMeasurements& measured,
                                          const std::string& scene, const std::string& method)
{
  std::vector<CouplingKernelRow> chosen;
  std::copy_if(
      measured.kernels.begin(), measured.kernels.end(), std::back_inserter(chosen),
      [&](const CouplingKernelRow& row) { return row.scene == scene && row.method == method; });
  return chosen;
}

double kernel_exponent(const CouplingMeasurements& measured, const std::string& scene,
                       const std::string& method, KernelTime time)
{
  std::vector<double> contacts, times;
  for (const CouplingKernelRow& row : kernels_of(measured, scene, method)) {
    if (row.contacts < least_fitted) continue;
    contacts.push_back(row.contacts);
    times.push_back(time(row));
  }
  return growth_exponent(contacts, times);
}

// Of an iteration on one body, contacts one by one over runs of them; the least over sizes.
double gain_of_runs(const CouplingMeasurements& measured)
{
  const auto fast = kernels_of(measured, "pressed-body", "low_rank");
  const auto slow = kernels_of(measured, "pressed-body", "one_by_one");
  double least = INFINITY;
  for (std::size_t k = 0; k < std::min(fast.size(), slow.size()); ++k)
    least = std::min(least, slow[k].iteration_ms / fast[k].iteration_ms);
  return least;
}

// Of building plus one iteration, standard over low rank; 0 where one of them is missing.
double speed_up(const CouplingMeasurements& measured, const std::string& scene, int contacts)
{
  double fast = 0.0, slow = 0.0;
  for (const CouplingKernelRow& row : measured.kernels) {
    if (row.scene != scene || row.contacts != contacts || row.method == "one_by_one") continue;
    (row.method == "standard" ? slow : fast) = row.both_ms();
  }
  return fast > 0.0 ? slow / fast : 0.0;
}

int most_contacts(const CouplingMeasurements& measured, const std::string& scene)
{
  int most = 0;
  for (const CouplingKernelRow& row : kernels_of(measured, scene, "standard"))
    most = std::max(most, row.contacts);
  return most;
}

// Of the time to 1e-6 on one body; the largest over mass ratios.
double total_exponent(const CouplingMeasurements& measured)
{
  double largest = -INFINITY;
  for (const double ratio : {1.0, 30.0, 1000.0}) {
    std::vector<double> contacts, times;
    for (const CouplingSolveRow& row : measured.solves) {
      if (row.scene != "pressed-body" || row.method != "coupling" || row.mass_ratio != ratio)
        continue;
      contacts.push_back(row.contacts);
      times.push_back(row.total_ms);
    }
    largest = std::max(largest, growth_exponent(contacts, times));
  }
  return largest;
}

struct SweepGoal {
  int contacts;
  double mass_ratio;
  double most;
};
constexpr SweepGoal sweep_goals[] = {{500, 1.0, 25},     {500, 30.0, 12},    {500, 1000.0, 8},
                                     {50'000, 1.0, 150}, {50'000, 30.0, 15}, {50'000, 1000.0, 15}};

double sweeps_to(const CouplingMeasurements& measured, const std::string& scene, double ratio,
                 const std::string& method, double tolerance)
{
  for (const CouplingSolveRow& row : measured.solves)
    if (row.scene == scene && row.mass_ratio == ratio && row.method == method &&
        row.tolerance == tolerance)
      return row.sweeps;
  return NAN;
}

// What the collective correction leaves of the sweeps to 1e-3, on every family and mass ratio.
void claim_correction(const CouplingMeasurements& measured, std::vector<Claim>& claims)
{
  for (const auto& [scene, where] :
       {std::pair{"ten-bodies", "a mat"}, {"ten-bodies-on-faces", "faces"}})
    for (const double ratio : {1.0, 30.0, 1000.0})
      claims.push_back(
          {fmt::format("ten bodies on {}, mass ratio {}: share of the sweeps", where, ratio),
           sweeps_to(measured, scene, ratio, "correction", 1e-3) /
               sweeps_to(measured, scene, ratio, "sweeps", 1e-3),
           1.0 / 3.0, false, false});
}

Chart time_chart(const CouplingMeasurements& measured, const std::string& scene,
                 const std::string& title, bool by_step, KernelTime time)
{
  const Axis axis = by_step ? Axis::linear : Axis::logarithmic;
  Chart chart{.title = title,
              .x_label = by_step ? "step" : "contacts",
              .y_label = "ms",
              .x_axis = axis,
              .y_axis = Axis::logarithmic,
              .series = {}};
  for (const char* method : {"low_rank", "standard"}) {
    Series series{.label = method, .points = {}};
    for (const CouplingKernelRow& row : kernels_of(measured, scene, method))
      series.points.emplace_back(by_step ? row.step : row.contacts, time(row));
    if (!by_step)
      std::sort(series.points.begin(), series.points.end(),
                [](const Vector2d& a, const Vector2d& b) { return a[0] < b[0]; });
    chart.series.push_back(std::move(series));
  }
  return chart;
}

nlohmann::ordered_json to_json(const CouplingKernelRow& row)
{
  return {{"scene", row.scene},
          {"contacts", row.contacts},
          {"method", row.method},
          {"build_ms", row.build_ms},
          {"iteration_ms", row.iteration_ms},
          {"step", row.step},
          {"bytes_per_contact", row.bytes_per_contact}};
}

nlohmann::ordered_json to_json(const CouplingSolveRow& row)
{
  return {{"scene", row.scene},       {"mass_ratio", row.mass_ratio}, {"contacts", row.contacts},
          {"method", row.method},     {"tolerance", row.tolerance},   {"sweeps", row.sweeps},
          {"residual", row.residual}, {"total_ms", row.total_ms},     {"status", row.status}};
}

// Fig. 4: linear, and quadratic until every contact of a body is there.
void claim_growth_in_vertebrae(const CouplingMeasurements& measured, std::vector<Claim>& claims)
{
  const double low = kernel_exponent(measured, "vertebrae", "low_rank", build_time);
  const double full = kernel_exponent(measured, "vertebrae", "standard", build_time);
  if (!std::isfinite(low) || !std::isfinite(full)) return;
  claims.push_back({"vertebrae: exponent of building, low_rank", low, 1.2, false, true});
  claims.push_back({"vertebrae: exponent of building, standard", full, 1.6, true, true});
}

// How the two kernels grow and differ.
void claim_kernels(const CouplingMeasurements& measured, std::vector<Claim>& claims)
{
  for (const auto& [what, time] : {std::pair{"building", KernelTime{build_time}},
                                   {"an iteration", KernelTime{iteration_time}}}) {
    const double low = kernel_exponent(measured, "pressed-body", "low_rank", time);
    claims.push_back({fmt::format("exponent of {}, low_rank", what), low, 1.1, false, true});
    claims.push_back({fmt::format("exponent of {}, low_rank", what), low, 0.9, true, true});
    claims.push_back({fmt::format("exponent of {}, standard", what),
                      kernel_exponent(measured, "pressed-body", "standard", time), 1.8, true,
                      true});
  }
  if (const double gain = speed_up(measured, "pressed-body", 2000); gain > 0.0)
    claims.push_back({"speed-up at 2,000 contacts on one body", gain, published_speed_up, true});
  for (const char* scene : {"vertebrae", "bunny"}) {
    const int most = most_contacts(measured, scene);
    if (most == 0) continue;
    claims.push_back({fmt::format("speed-up of {} at {} contacts", scene, most),
                      speed_up(measured, scene, most), published_speed_up, true, true,
                      most < small_matrix});
  }
  claim_growth_in_vertebrae(measured, claims);
  claims.push_back({"m/s by which the two kernels differ after a sweep", measured.disagreement,
                    1e-10, false, false});
  for (const auto& [scene, where] :
       {std::pair{"pressed-body", "on nodes"}, {"lattice", "on an embedded surface"}}) {
    double bytes = 0.0;
    for (const CouplingKernelRow& row : kernels_of(measured, scene, "low_rank"))
      bytes = std::max(bytes, row.bytes_per_contact);
    claims.push_back({fmt::format("bytes a contact in a sweep of low_rank, {}", where), bytes,
                      200.0, false, false});
  }
  claims.push_back({"gain of runs over contacts one by one, the least", gain_of_runs(measured), 1.3,
                    true, true});
}

// What the collective correction saves, and how good answers are.
void claim_solves(const CouplingMeasurements& measured, std::vector<Claim>& claims)
{
  for (const SweepGoal& goal : sweep_goals)
    for (const CouplingSolveRow& row : measured.solves)
      if (row.scene == "pressed-body" && row.method == "coupling" &&
          row.contacts == goal.contacts && row.mass_ratio == goal.mass_ratio)
        claims.push_back({fmt::format("sweeps to 1e-6: {} contacts, mass ratio {}", goal.contacts,
                                      goal.mass_ratio),
                          static_cast<double>(row.sweeps), static_cast<double>(goal.most), false,
                          false});
  claim_correction(measured, claims);
  double residual = 0.0;
  for (const CouplingSolveRow& row : measured.solves)
    if (row.method == "coupling" && row.tolerance == 1e-6)
      residual = std::max(residual, row.residual);
  claims.push_back(
      {"relative residual of answers to 1e-6, the worst", residual, 1e-6, false, false});
  if (const double exponent = total_exponent(measured);
      std::isfinite(exponent))  // of one size none
    claims.push_back(
        {"exponent of the time to 1e-6 on one body, the largest", exponent, 1.15, false, true});
}

}  // namespace

std::vector<Claim> coupling_claims(const CouplingMeasurements& measured)
{
  std::vector<Claim> claims;
  claim_kernels(measured, claims);
  claim_solves(measured, claims);
  return claims;
}

std::string coupling_table(const CouplingMeasurements& measured, bool quick)
{
  std::string out;
  const auto line = std::back_inserter(out);
  fmt::format_to(line, "{}\nprocessor time of one thread\n\n", machine_description());
  fmt::format_to(line, "{:>13} {:>5} {:>8} {:>9} {:>11} {:>12} {:>10}\n", "scene", "step",
                 "contacts", "method", "build ms", "iteration ms", "B/contact");
  for (const CouplingKernelRow& row : measured.kernels)
    fmt::format_to(line, "{:>13} {:>5} {:>8} {:>9} {:>11.3f} {:>12.4f} {:>10.0f}\n", row.scene,
                   row.step, row.contacts, row.method, row.build_ms, row.iteration_ms,
                   row.bytes_per_contact);
  fmt::format_to(line, "\n{:>20} {:>6} {:>8} {:>11} {:>6} {:>7} {:>9} {:>10} {}\n", "scene",
                 "ratio", "contacts", "method", "to", "sweeps", "residual", "total ms", "status");
  for (const CouplingSolveRow& row : measured.solves)
    fmt::format_to(line, "{:>20} {:>6} {:>8} {:>11} {:>6.0e} {:>7} {:>9.1e} {:>10.2f} {}\n",
                   row.scene, row.mass_ratio, row.contacts, row.method, row.tolerance, row.sweeps,
                   row.residual, row.total_ms, row.status);
  return out + claims_table(coupling_claims(measured), quick);
}

std::string coupling_json(const CouplingMeasurements& measured)
{
  nlohmann::ordered_json out = {{"bench", "coupling"}, {"machine", machine_description()}};
  out["rows"] = nlohmann::ordered_json::array();
  for (const CouplingKernelRow& row : measured.kernels) out["rows"].push_back(to_json(row));
  out["solves"] = nlohmann::ordered_json::array();
  for (const CouplingSolveRow& row : measured.solves) out["solves"].push_back(to_json(row));
  // [Miguel11] Sec. 6: linear against quadratic, up to 14 times faster on a laptop of 2011.
  out["published"] = {{{"method", "low_rank"}, {"exponent", 1.0}, {"speed_up", 14.0}},
                      {{"method", "standard"}, {"exponent", 2.0}}};
  for (const char* method : {"low_rank", "standard"})
    out["fits"][method] = {
        {"build_exponent", kernel_exponent(measured, "pressed-body", method, build_time)},
        {"iteration_exponent", kernel_exponent(measured, "pressed-body", method, iteration_time)}};
  out["fits"]["total_exponent"] = total_exponent(measured);
  out["fits"]["claims"] = to_json(coupling_claims(measured));
  return out.dump(1) + "\n";
}

// Above the sweep over contacts, below the paper's figures where the scenes were there.
std::string coupling_plot(const CouplingMeasurements& measured)
{
  std::vector<Chart> charts = {
      time_chart(measured, "pressed-body", "Building, one body", false, build_time),
      time_chart(measured, "pressed-body", "One iteration, one body", false, iteration_time)};
  if (most_contacts(measured, "vertebrae") > 0) {
    charts.push_back(
        time_chart(measured, "vertebrae", "Fig. 4: vertebrae, building", false, build_time));
    charts.push_back(time_chart(measured, "vertebrae", "Fig. 4: vertebrae, one iteration", false,
                                iteration_time));
  }
  if (most_contacts(measured, "bunny") > 0) {
    charts.push_back(time_chart(measured, "bunny", "Fig. 6: bunny, building", true, build_time));
    charts.push_back(
        time_chart(measured, "bunny", "Fig. 6: bunny, one iteration", true, iteration_time));
  }
  return to_svg(charts, 2);
}

}  // namespace tact
