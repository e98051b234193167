// Claims, tables, JSON and plots of `tact bench regions`.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bench/machine.hpp>
#include <bench/region_problems.hpp>
#include <bench/regions.hpp>
#include <bench/statistics.hpp>
#include <tact/files/svg_chart.hpp>

namespace tact {
namespace {

constexpr int fitted_problems = 3;  // rows of fewer are not fitted

constexpr const char* plotted[] = {"separated", "one", "separated dense", "one dense"};

std::vector<RegionsRow> rows_of(const std::vector<RegionsRow>& rows, const std::string& scene,
                                const std::string& method)
{
  std::vector<RegionsRow> chosen;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(chosen),
               [&](const RegionsRow& row) { return row.scene == scene && row.method == method; });
  return chosen;
}

}  // namespace

double regions_exponent(const std::vector<RegionsRow>& rows, const std::string& method)
{
  std::vector<double> contacts, times;
  for (const RegionsRow& row : rows_of(rows, "bucket", method)) {
    if (row.problems < fitted_problems) continue;
    contacts.push_back(row.contacts);
    times.push_back(row.solve_ms);
  }
  return growth_exponent(contacts, times);
}

double regions_gain(const std::vector<RegionsRow>& rows, const std::string& scene,
                    const std::string& form)
{
  double apart = 0.0, one = 0.0;
  for (const RegionsRow& row : rows_of(rows, scene, "separated" + form))
    apart += row.problems * row.solve_ms;
  for (const RegionsRow& row : rows_of(rows, scene, "one" + form))
    one += row.problems * row.solve_ms;
  return apart > 0.0 ? one / apart : 0.0;
}

std::vector<Claim> regions_claims(const std::vector<RegionsRow>& rows)
{
  std::vector<Claim> claims;
  for (const auto& [scene, published] : {std::pair{"bowling", 2.5}, {"bucket", 7.0}}) {
    claims.push_back({.name = fmt::format("{}, dense: one over separated, all steps", scene),
                      .value = regions_gain(rows, scene, " dense"),
                      .bound = published,
                      .at_least = true});
    claims.push_back({.name = fmt::format("{}, by nodes: the same", scene),
                      .value = regions_gain(rows, scene, ""),
                      .bound = published,
                      .at_least = true,
                      .goal = true});
    int solves = 0, unconverged = 0;
    for (const RegionsRow& row : rows_of(rows, scene, "separated")) {
      solves += row.solves;
      unconverged += row.unconverged;
    }
    claims.push_back({.name = fmt::format("{}: share of regions that miss the accuracy", scene),
                      .value = static_cast<double>(unconverged) / std::max(1, solves),
                      .bound = 0.01,
                      .timed = solves < 500});  // a quick run has too few
  }
  for (const char* method : {"separated", "separated dense"})
    claims.push_back(
        {.name = fmt::format("bucket: exponent of the time in the contacts, {}", method),
         .value = regions_exponent(rows, method),
         .bound = 1.15});
  return claims;
}

std::string regions_table(const std::vector<RegionsRow>& rows, bool quick)
{
  std::string out;
  const auto line = std::back_inserter(out);
  fmt::format_to(line, "{}\ncontact problems of explicit steps, pcg-pgs, cold; means\n\n",
                 machine_description());
  fmt::format_to(line, "{:<8} {:>8} {:>8} {:>7} {:>15} {:>10} {:>8} {:>10} {:>9} {:>9} {:>11}\n",
                 "scene", "problems", "contacts", "regions", "method", "ms", "assembly", "updates",
                 "residual", "apart", "unconverged");
  for (const RegionsRow& row : rows)
    fmt::format_to(
        line,
        "{:<8} {:>8} {:>8.1f} {:>7.1f} {:>15} {:>10.3f} {:>8.3f} {:>10.0f} {:>9.1e} {:>9.1e} "
        "{:>11}\n",
        row.scene, row.problems, row.contacts, row.regions, row.method, row.solve_ms,
        row.assembly_ms, row.updates, row.residual, row.difference, row.unconverged);
  return out + claims_table(regions_claims(rows), quick);
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
  for (const char* scene : region_scenes)
    for (const char* form : {"", " dense"})
      out["fits"][fmt::format("{}{}: one over separated", scene, form)] =
          regions_gain(rows, scene, form);
  out["fits"]["claims"] = to_json(regions_claims(rows));
  return out.dump(1) + "\n";
}

std::string regions_plot(const std::vector<RegionsRow>& rows)
{
  std::vector<Chart> charts;
  for (const char* scene : region_scenes) {
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
