// Claims, tables, JSON and plots of `tact bench ica`.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bench/ica.hpp>
#include <bench/machine.hpp>
#include <bench/statistics.hpp>
#include <tact/files/svg_chart.hpp>

namespace tact {
namespace {

constexpr int figure_mesh = 140;     // tetrahedra of a letter, of the left plot
constexpr int coarse_mesh = 70;      // "less than 140 tetrahedra on average": no dependence
constexpr int least_windows = 3;     // behind an exponent
constexpr double few_contacts = 50;  // windows with fewer are not fitted
constexpr const char* ica_methods[] = {"ica", "full", "anticipation", "auto"};

std::vector<IcaRow> windows_of(const IcaMeasurements& measured, const std::string& method,
                               int tetrahedra, bool friction)
{
  std::vector<IcaRow> chosen;
  std::copy_if(measured.windows.begin(), measured.windows.end(), std::back_inserter(chosen),
               [&](const IcaRow& row) {
                 return row.method == method && row.tetrahedra == tetrahedra &&
                        row.friction == friction;
               });
  std::sort(chosen.begin(), chosen.end(),
            [](const IcaRow& a, const IcaRow& b) { return a.contacts < b.contacts; });
  return chosen;
}

// Median over windows of both runs, the same letters and time: time of a over that of b.
double times_as_long(const std::vector<IcaRow>& a, const std::vector<IcaRow>& b)
{
  std::vector<double> ratios;
  for (const IcaRow& row : a)
    for (const IcaRow& other : b)
      if (row.letters == other.letters && row.until == other.until && row.contacts > few_contacts)
        ratios.push_back(row.step_ms / other.step_ms);
  return median(std::move(ratios));
}

int unconverged(const std::vector<IcaRow>& rows)
{
  int sum = 0;
  for (const IcaRow& row : rows) sum += row.unconverged;
  return sum;
}

Series series_of(const std::vector<IcaRow>& rows, const std::string& label)
{
  Series series{.label = label, .points = {}};
  series.markers_only = true;
  for (const IcaRow& row : rows)
    if (row.contacts > 0.0) series.points.emplace_back(row.contacts, row.step_ms);
  return series;
}

Chart step_chart(const std::string& title)
{
  return {.title = title,
          .x_label = "contacts",
          .y_label = "ms a step, windows of 600 ms",
          .x_axis = Axis::logarithmic,
          .y_axis = Axis::logarithmic,
          .series = {}};
}

nlohmann::ordered_json to_json(const IcaRow& row)
{
  return {{"contacts", row.contacts},
          {"tetrahedra", row.tetrahedra},
          {"method", row.method},
          {"step_ms", row.step_ms},
          {"letters", row.letters},
          {"friction", row.friction},
          {"until", row.until},
          {"steps", row.steps},
          {"unconverged", row.unconverged},
          {"largest_island", row.largest_island}};
}

// A claim of what could not be measured, as where every window of a method was too long, fails.
void claim(std::vector<Claim>& claims, Claim made)
{
  if (std::isnan(made.value)) made.value = made.at_least ? 0.0 : 1e9;
  claims.push_back(std::move(made));
}

}  // namespace

double ica_exponent(const IcaMeasurements& measured, const std::string& method, int tetrahedra,
                    bool friction)
{
  std::vector<double> contacts, times;
  for (const IcaRow& row : windows_of(measured, method, tetrahedra, friction)) {
    if (row.contacts < few_contacts) continue;
    contacts.push_back(row.contacts);
    times.push_back(row.step_ms);
  }
  if (static_cast<int>(times.size()) < least_windows)
    return std::numeric_limits<double>::quiet_NaN();
  return growth_exponent(contacts, times);
}

double share_below_ten(const std::vector<IcaConvergence>& convergence)
{
  long below = 0, all = 0;
  for (const IcaConvergence& row : convergence)
    for (std::size_t sweeps = 0; sweeps < row.inner_loops.size(); ++sweeps) {
      all += row.inner_loops[sweeps];
      if (sweeps < 10) below += row.inner_loops[sweeps];
    }
  return all > 0 ? static_cast<double>(below) / static_cast<double>(all) : 0.0;
}

std::vector<Claim> ica_claims(const IcaMeasurements& measured)
{
  std::vector<Claim> claims;
  const auto rows = [&](const char* method, int mesh, bool friction) {
    return windows_of(measured, method, mesh, friction);
  };
  claim(claims, {.name = "no friction: exponent of a step in the contacts, full",
                 .value = ica_exponent(measured, "full", figure_mesh, false),
                 .bound = 1.6,
                 .at_least = true});
  claim(claims, {.name = "no friction: the same, ica",
                 .value = ica_exponent(measured, "ica", figure_mesh, false),
                 .bound = 1.3});
  claim(claims,
        {.name = "no friction: time of full over that of ica, median",
         .value = times_as_long(rows("full", figure_mesh, false), rows("ica", figure_mesh, false)),
         .bound = 1.0,
         .at_least = true});
  claim(claims, {.name = "friction: exponent of a step in the contacts, ica",
                 .value = ica_exponent(measured, "ica", figure_mesh, true),
                 .bound = 1.3});
  claim(claims,
        {.name = "friction: time with 140 tetrahedra over 70, ica, median",
         .value = times_as_long(rows("ica", figure_mesh, true), rows("ica", coarse_mesh, true)),
         .bound = 1.3});
  claim(claims, {.name = "friction: exponent of a step in the contacts, auto",
                 .value = ica_exponent(measured, "auto", figure_mesh, true),
                 .bound = 1.3});
  claim(claims,
        {.name = "friction: time of ica over that of auto, median",
         .value = times_as_long(rows("ica", figure_mesh, true), rows("auto", figure_mesh, true)),
         .bound = 1.0,
         .at_least = true});
  claim(claims, {.name = "auto: solves above the tolerance",
                 .value = 1.0 * unconverged(rows("auto", figure_mesh, true)),
                 .bound = 0.0,
                 .timed = false});
  claim(claims, {.name = "inner loops of fewer than ten sweeps, share",
                 .value = share_below_ten(measured.convergence),
                 .bound = 0.9,
                 .at_least = true});  // four letters are too few to judge
  double least = std::numeric_limits<double>::infinity();
  for (const ResponseRow& row : measured.responses) least = std::min(least, row.local / row.global);
  claim(claims, {.name = "energy after a local response over a global one, the least",
                 .value = least,
                 .bound = 2.0,
                 .at_least = true,
                 .timed = false});
  return claims;
}

std::string ica_table(const IcaMeasurements& measured, bool quick)
{
  std::string out;
  const auto line = std::back_inserter(out);
  fmt::format_to(line, "{}\nwhole steps of piles of letters, one thread; means over 600 ms\n\n",
                 machine_description());
  fmt::format_to(line, "{:>7} {:>6} {:>8} {:>12} {:>6} {:>9} {:>9} {:>7} {:>12}\n", "letters",
                 "tets", "friction", "method", "until", "contacts", "step ms", "island",
                 "unconverged");
  for (const IcaRow& row : measured.windows)
    fmt::format_to(line, "{:>7} {:>6} {:>8} {:>12} {:>6.2f} {:>9.0f} {:>9.1f} {:>7.2f} {:>12}\n",
                   row.letters, row.tetrahedra, row.friction ? "yes" : "no", row.method, row.until,
                   row.contacts, row.step_ms, row.largest_island, row.unconverged);
  fmt::format_to(line, "\nica from no impulses on one problem\n");
  for (const IcaConvergence& row : measured.convergence)
    fmt::format_to(line, "{:>6} tetrahedra, {:>5} contacts: {} passes, {}; {:.1f} % of {}\n",
                   row.tetrahedra, row.contacts, row.history.size(), row.status,
                   100.0 * share_below_ten({row}), "its inner loops below ten sweeps");
  fmt::format_to(line, "\nenergy of a bent stick pushed out of a wall, J\n");
  for (const ResponseRow& row : measured.responses)
    fmt::format_to(line, "{:>6g} N m: local {:.4g}, global {:.4g}\n", row.bend_stiffness, row.local,
                   row.global);
  return out + claims_table(ica_claims(measured), quick);
}

std::string ica_json(const IcaMeasurements& measured)
{
  nlohmann::ordered_json out = {{"bench", "ica"}, {"machine", machine_description()}};
  out["rows"] = nlohmann::ordered_json::array();
  for (const IcaRow& row : measured.windows) out["rows"].push_back(to_json(row));
  out["convergence"] = nlohmann::ordered_json::array();
  for (const IcaConvergence& row : measured.convergence)
    out["convergence"].push_back({{"tetrahedra", row.tetrahedra},
                                  {"contacts", row.contacts},
                                  {"status", row.status},
                                  {"history", row.history},
                                  {"inner_loops", row.inner_loops}});
  for (const ResponseRow& row : measured.responses)
    out["responses"].push_back(
        {{"bend_stiffness", row.bend_stiffness}, {"local", row.local}, {"global", row.global}});
  // [Otaduy09] fig. 6: full anticipation quadratic in the contacts "at best", iterative
  // quasi-linear; Sec. 5.3: inner loops below ten iterations in 90 % of the cases.
  out["published"] = {{{"method", "full"}, {"exponent", 2.0}},
                      {{"method", "ica"}, {"exponent", 1.0}},
                      {{"method", "ica"}, {"inner_loops_below_ten", 0.9}}};
  for (const char* method : ica_methods)
    for (const bool friction : {false, true})
      out["fits"][fmt::format("{}, {}", method, friction ? "friction" : "no friction")] =
          ica_exponent(measured, method, figure_mesh, friction);
  out["fits"]["claims"] = to_json(ica_claims(measured));
  return out.dump(1) + "\n";
}

std::string ica_plot(const IcaMeasurements& measured)
{
  Chart left = step_chart("Fig. 6, left: no friction"), beside = step_chart("With friction");
  for (const char* method : ica_methods) {
    left.series.push_back(series_of(windows_of(measured, method, figure_mesh, false), method));
    beside.series.push_back(series_of(windows_of(measured, method, figure_mesh, true), method));
  }
  Chart right = step_chart("Fig. 6, right: ica, tetrahedra a letter");
  Chart convergence{.title = "ICA on meshes: tetrahedra a letter",
                    .x_label = "pass",
                    .y_label = "residual, m/s",
                    .x_axis = Axis::linear,
                    .y_axis = Axis::logarithmic,
                    .series = {}};
  for (const int mesh : {70, 140, 280, 560})
    right.series.push_back(
        series_of(windows_of(measured, "ica", mesh, true), fmt::format("{}", mesh)));
  for (const IcaConvergence& row : measured.convergence) {
    Series series{.label = fmt::format("{}", row.tetrahedra), .points = {}};
    const std::size_t every = std::max<std::size_t>(1, row.history.size() / 400);
    for (std::size_t k = 0; k < row.history.size(); k += every)
      series.points.emplace_back(static_cast<double>(k), row.history[k]);
    convergence.series.push_back(std::move(series));
  }
  return to_svg({left, right, beside, convergence}, 2);
}

}  // namespace tact
