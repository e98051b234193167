// Claims, tables, JSON and plots of `tact bench regions`.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bench/machine.hpp>
#include <bench/regions.hpp>
#include <bench/statistics.hpp>
#include <tact/files/svg_chart.hpp>

namespace tact {
namespace {

constexpr const char* plotted[] = {"separated", "one", "separated dense", "one dense"};

std::vector<RegionsRow> rows_of(const std::vector<RegionsRow>& rows, const std::string& scene,
                                const std::string& method, int threads = 1)
{
  std::vector<RegionsRow> chosen;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(chosen), [&](const RegionsRow& row) {
    return row.scene == scene && row.method == method && row.threads == threads;
  });
  return chosen;
}

// Time of one problem over time of its regions, at the first or at the last size of a scene.
// `form`:
// "" or " dense", the same for both.
double gain(const std::vector<RegionsRow>& rows, const std::string& scene, const char* form,
            bool largest = false)
{
  const std::vector<RegionsRow> one = rows_of(rows, scene, fmt::format("one{}", form));
  const std::vector<RegionsRow> apart = rows_of(rows, scene, fmt::format("separated{}", form));
  if (one.empty() || apart.empty()) return 0.0;
  return largest ? one.back().solve_ms / apart.back().solve_ms
                 : one.front().solve_ms / apart.front().solve_ms;
}

// By wall time, which depends on what else the machine is busy with.
double two_threads_gain(const std::vector<RegionsRow>& rows)
{
  const std::vector<RegionsRow> one = rows_of(rows, "bucket", "threads", 1);
  const std::vector<RegionsRow> two = rows_of(rows, "bucket", "threads", 2);
  return one.empty() || two.empty() ? 0.0 : one.front().solve_ms / two.front().solve_ms;
}

}  // namespace

double regions_exponent(const std::vector<RegionsRow>& rows, const std::string& method)
{
  std::vector<double> contacts, times;
  for (const RegionsRow& row : rows_of(rows, "bucket", method)) {
    contacts.push_back(row.contacts);
    times.push_back(row.solve_ms);
  }
  return growth_exponent(contacts, times);
}

std::vector<Claim> regions_claims(const std::vector<RegionsRow>& rows)
{
  int solves = 0, unconverged = 0;
  for (const RegionsRow& row : rows) {
    if (row.method != "separated") continue;
    solves += row.solves;
    unconverged += row.unconverged;
  }
  return {{.name = "bowling, 45 contacts, dense: one over separated",
           .value = gain(rows, "bowling", " dense"),
           .bound = 2.5,
           .at_least = true},
          {.name = "bucket, 80 contacts, dense: one over separated",
           .value = gain(rows, "bucket", " dense"),
           .bound = 7.0,
           .at_least = true},
          {.name = "bowling, 45 contacts: one over separated",
           .value = gain(rows, "bowling", ""),
           .bound = 2.5,
           .at_least = true},
          {.name = "bucket, 80 contacts: one over separated",
           .value = gain(rows, "bucket", ""),
           .bound = 7.0,
           .at_least = true},
          {.name = "bucket, most contacts: the same, over that at 80",
           .value = gain(rows, "bucket", "", true) / gain(rows, "bucket", ""),
           .bound = 1.0,
           .at_least = true},
          {.name = "exponent of the time in the contacts, separated",
           .value = regions_exponent(rows, "separated"),
           .bound = 1.15},
          {.name = "bucket, most contacts: one thread over two",
           .value = two_threads_gain(rows),
           .bound = 1.6,
           .at_least = true},  // needs two idle cores
          {.name = "regions apart: share that misses the accuracy",
           .value = static_cast<double>(unconverged) / std::max(1, solves),
           .bound = 0.01,
           .timed = false}};
}

std::string regions_table(const std::vector<RegionsRow>& rows)
{
  std::string out;
  const auto line = std::back_inserter(out);
  fmt::format_to(line, "{}\none contact problem of an explicit step, pcg-pgs, cold\n\n",
                 machine_description());
  fmt::format_to(line, "{:<8} {:>8} {:>7} {:>15} {:>7} {:>10} {:>8} {:>10} {:>9} {:>9} {:>11}\n",
                 "scene", "contacts", "regions", "method", "threads", "ms", "assembly", "updates",
                 "residual", "apart", "unconverged");
  for (const RegionsRow& row : rows)
    fmt::format_to(
        line, "{:<8} {:>8} {:>7} {:>15} {:>7} {:>10.3f} {:>8.3f} {:>10} {:>9.1e} {:>9.1e} {:>11}\n",
        row.scene, row.contacts, row.regions, row.method, row.threads, row.solve_ms,
        row.assembly_ms, row.updates, row.residual, row.difference, row.unconverged);
  return out + claims_table(regions_claims(rows));
}

std::string regions_json(const std::vector<RegionsRow>& rows)
{
  nlohmann::ordered_json out = {{"bench", "regions"}, {"machine", machine_description()}};
  out["rows"] = nlohmann::ordered_json::array();
  for (const RegionsRow& row : rows)
    out["rows"].push_back({{"scene", row.scene},
                           {"contacts", row.contacts},
                           {"regions", row.regions},
                           {"method", row.method},
                           {"solve_ms", row.solve_ms},
                           {"assembly_ms", row.assembly_ms},
                           {"threads", row.threads},
                           {"updates", row.updates},
                           {"residual", row.residual},
                           {"difference", row.difference},
                           {"problems", row.problems},
                           {"solves", row.solves},
                           {"unconverged", row.unconverged}});
  // [Lazarevych10] Sec. 5: time as one problem over time of the regions, on one core.
  out["published"] = nlohmann::ordered_json::array();
  out["published"].push_back(
      {{"scene", "bowling"}, {"contacts", 45}, {"one_over_separated", 2.75}});
  out["published"].push_back({{"scene", "bucket"}, {"contacts", 80}, {"one_over_separated", 7.5}});
  for (const char* method : plotted) out["fits"][method] = regions_exponent(rows, method);
  out["fits"]["claims"] = to_json(regions_claims(rows));
  return out.dump(1) + "\n";
}

std::string regions_plot(const std::vector<RegionsRow>& rows)
{
  std::vector<Chart> charts;
  for (const char* scene : {"bowling", "bucket"}) {
    Chart chart{.title = scene,
                .x_label = "contacts",
                .y_label = "ms to solve",
                .x_axis = Axis::logarithmic,
                .y_axis = Axis::logarithmic,
                .series = {}};
    for (const char* method : plotted) {
      Series series{.label = method, .points = {}};
      for (const RegionsRow& row : rows_of(rows, scene, method))
        series.points.emplace_back(row.contacts, row.solve_ms);
      chart.series.push_back(std::move(series));
    }
    charts.push_back(std::move(chart));
  }
  return to_svg(charts, 2);
}

}  // namespace tact
