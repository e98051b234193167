// Tables, JSON and plots of `tact bench growth`.
#include <algorithm>
#include <iterator>

#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bench/growth.hpp>
#include <bench/machine.hpp>
#include <bench/statistics.hpp>
#include <tact/files/svg_chart.hpp>

namespace tact {
namespace {

constexpr double memory_exponent = 1.1;  // claimed

std::vector<GrowthRow> rows_of(const std::vector<GrowthRow>& rows, const std::string& family)
{
  std::vector<GrowthRow> chosen;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(chosen),
               [&](const GrowthRow& row) { return row.family == family; });
  return chosen;
}

double exponent(const std::vector<GrowthRow>& rows, const std::string& family,
                double (*of)(const GrowthRow&))
{
  std::vector<double> sizes, values;
  for (const GrowthRow& row : rows_of(rows, family)) {
    sizes.push_back(row.size);
    values.push_back(of(row));
  }
  return growth_exponent(sizes, values);
}

double time_of(const GrowthRow& row)
{
  return row.per_second();
}

double memory_of(const GrowthRow& row)
{
  return row.megabytes;
}

nlohmann::ordered_json json_of(const GrowthRow& row)
{
  return {{"family", row.family},
          {"size", row.size},
          {"steps", row.steps},
          {"simulated", row.simulated},
          {"seconds", row.seconds},
          {"dynamics", row.phases.dynamics},
          {"broad_phase", row.phases.broad_phase},
          {"narrow_phase", row.phases.narrow_phase},
          {"solve", row.phases.solve},
          {"megabytes", row.megabytes},
          {"contacts_max", row.contacts_max},
          {"unconverged", row.unconverged},
          {"cut_steps", row.cut_steps},
          {"residual_max", row.residual_max}};
}

Chart chart_of(const std::vector<GrowthRow>& rows, const char* title, const char* y_label,
               double (*of)(const GrowthRow&))
{
  Chart chart{.title = title,
              .x_label = "vertices, letters, stones, boxes",
              .y_label = y_label,
              .x_axis = Axis::logarithmic,
              .y_axis = Axis::logarithmic,
              .series = {}};
  for (const GrowthFamily& family : growth_families()) {
    Series series{.label = family.name, .points = {}};
    Series linear{.label = "linear", .points = {}, .dashed = true, .colour_of = family.name};
    const std::vector<GrowthRow> own = rows_of(rows, family.name);
    for (const GrowthRow& row : own) {
      series.points.emplace_back(row.size, of(row));
      linear.points.emplace_back(row.size, of(own.front()) * row.size / own.front().size);
    }
    chart.series.push_back(std::move(series));
    linear.line_only = true;
    chart.series.push_back(std::move(linear));
  }
  return chart;
}

}  // namespace

std::vector<Claim> growth_claims(const std::vector<GrowthRow>& rows)
{
  std::vector<Claim> claims;
  double missed = 0.0;
  for (const GrowthFamily& family : growth_families()) {
    claims.push_back({.name = fmt::format("exponent of the time, {}", family.name),
                      .value = exponent(rows, family.name, time_of),
                      .bound = family.time_exponent});
    claims.push_back({.name = fmt::format("exponent of the memory, {}", family.name),
                      .value = exponent(rows, family.name, memory_of),
                      .bound = memory_exponent});
  }
  for (const GrowthRow& row : rows) missed += row.unconverged + row.cut_steps;
  claims.push_back({.name = "solves above their tolerance, and steps that were cut",
                    .value = missed,
                    .bound = 0.0,
                    .timed = false});
  return claims;
}

std::string growth_table(const std::vector<GrowthRow>& rows)
{
  std::string out;
  const auto line = std::back_inserter(out);
  fmt::format_to(line,
                 "{}\nprocessor seconds of one thread a simulated second, and wall ms a step\n\n",
                 machine_description());
  fmt::format_to(line, "{:>14} {:>7} {:>8} {:>9} {:>9} {:>8} {:>8} {:>8} {:>9} {:>8}\n", "family",
                 "size", "contacts", "s / s", "dynamics", "broad", "narrow", "solve", "MB",
                 "worst");
  for (const GrowthRow& row : rows) {
    const double ms = 1e3 / row.steps;
    fmt::format_to(
        line, "{:>14} {:>7} {:>8} {:>9.3g} {:>9.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>9.1f} {:>8.1e}\n",
        row.family, row.size, row.contacts_max, row.per_second(), ms * row.phases.dynamics,
        ms * row.phases.broad_phase, ms * row.phases.narrow_phase, ms * row.phases.solve,
        row.megabytes, row.residual_max);
  }
  return out + claims_table(growth_claims(rows));
}

std::string growth_json(const std::vector<GrowthRow>& rows)
{
  nlohmann::ordered_json out = {{"bench", "growth"}, {"machine", machine_description()}};
  out["rows"] = nlohmann::ordered_json::array();
  for (const GrowthRow& row : rows) out["rows"].push_back(json_of(row));
  for (const GrowthFamily& family : growth_families())
    out["fits"][family.name] = {{"time", exponent(rows, family.name, time_of)},
                                {"memory", exponent(rows, family.name, memory_of)}};
  out["fits"]["claims"] = to_json(growth_claims(rows));
  return out.dump(1) + "\n";
}

std::string growth_plot(const std::vector<GrowthRow>& rows)
{
  return to_svg({chart_of(rows, "Time", "processor s / simulated s", time_of),
                 chart_of(rows, "Memory", "MB", memory_of)},
                2);
}

}  // namespace tact
