// Tables, JSON and plots of `tact bench nonconvex`.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string>

#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bench/machine.hpp>
#include <bench/nonconvex.hpp>
#include <bench/statistics.hpp>
#include <tact/files/svg_chart.hpp>

namespace tact {
namespace {

// Of the area that the sum form accepts wrongly at one corner, in epsilon.
double area_exponent(const NonconvexRows& rows, const std::string& corner)
{
  std::vector<double> caps, areas;
  for (const RegionRow& row : rows.regions) {
    if (row.form != "sum" || row.corner != corner) continue;
    caps.push_back(row.cap);
    areas.push_back(row.area);
  }
  return growth_exponent(caps, areas);
}

std::vector<std::string> corners_of(const NonconvexRows& rows)
{
  std::vector<std::string> corners;
  for (const RegionRow& row : rows.regions)
    if (std::find(corners.begin(), corners.end(), row.corner) == corners.end())
      corners.push_back(row.corner);
  return corners;
}

nlohmann::ordered_json to_json(const RegionRow& row)
{
  return {{"form", row.form},
          {"corner", row.corner},
          {"sides", row.sides},
          {"groups", 1},
          {"epsilon_rate", row.cap},
          {"constraints_formula", row.constraints_formula},
          {"constraints_built", row.constraints_built},
          {"max_error", row.max_error},
          {"wrong_area", row.area},
          {"wrongly_rejected", row.rejected}};
}

nlohmann::ordered_json to_json(const SolveRow& row)
{
  return {{"form", row.form},
          {"groups", row.groups},
          {"sides", row.sides},
          {"convex", row.convex},
          {"directions", row.directions},
          {"constraints_formula", row.constraints_formula},
          {"constraints_built", row.constraints_built},
          {"max_error", row.max_error},
          {"problems", row.problems},
          {"solved", row.solved},
          {"median_us", row.median_us}};
}

void add_region_table(const NonconvexRows& rows, std::string& out)
{
  const auto line = std::back_inserter(out);
  fmt::format_to(line, "accepted region against the exact union, places at rest on a grid\n");
  fmt::format_to(line, "{:<18} {:>5} {:>6} {:>7} {:>6} {:>10} {:>11} {:>9}\n", "corner", "form",
                 "e, m/s", "formula", "built", "max error", "wrong area", "refused");
  for (const RegionRow& row : rows.regions)
    fmt::format_to(line, "{:<18} {:>5} {:>6.3g} {:>7} {:>6} {:>10.4f} {:>11.6f} {:>9}\n",
                   row.corner, row.form, row.cap, row.constraints_formula, row.constraints_built,
                   row.max_error, row.area, row.rejected);
}

void add_solve_table(const NonconvexRows& rows, std::string& out)
{
  const auto line = std::back_inserter(out);
  fmt::format_to(line, "\nbodies before corners of three sides; processor time of one solve\n");
  fmt::format_to(line, "{:>6} {:>6} {:>7} {:<10} {:>8} {:>6} {:>10} {:>10} {:>10}\n", "groups",
                 "sides", "convex", "form", "formula", "built", "max error", "median us", "solved");
  for (const SolveRow& row : rows.solves)
    fmt::format_to(line, "{:>6} {:>6} {:>7} {:<10} {:>8} {:>6} {:>10.1e} {:>10.1f} {:>5}/{}\n",
                   row.groups, row.sides, row.convex, row.form, row.constraints_formula,
                   row.constraints_built, row.max_error, row.median_us, row.solved, row.problems);
}

// None of them depends on the machine.
Claim at_most(const std::string& name, double value, double bound)
{
  return {.name = name, .value = value, .bound = bound, .timed = false};
}

}  // namespace

std::vector<Claim> nonconvex_claims(const NonconvexRows& rows)
{
  double miscounted = 0.0, refused = 0.0, max_form_error = 0.0, over_cap = 0.0;
  for (const RegionRow& row : rows.regions) {
    miscounted += row.constraints_formula != row.constraints_built;
    refused += row.rejected;
    if (row.form == "max") max_form_error = std::max(max_form_error, row.max_error);
    if (row.form == "sum") over_cap = std::max(over_cap, row.max_error / row.cap);
  }
  double answer_error = 0.0;
  std::map<std::string, double> unsolved;
  for (const SolveRow& row : rows.solves) {
    miscounted += row.constraints_formula != row.constraints_built;
    answer_error = std::max(answer_error, row.max_error);
    unsolved[row.form] = std::max(unsolved[row.form], 1.0 * (row.problems - row.solved));
  }
  std::vector<Claim> claims = {
      at_most("rows whose number of constraints is not the formula's", miscounted, 0.0),
      at_most("allowed places that a form refuses", refused, 0.0),
      at_most("m/s: forbidden places that the max form accepts, depth", max_form_error, 0.0),
      at_most("depth of those that the sum form accepts, over e", over_cap, 1.0),
      at_most("m/s: depth of accepted answers, beyond e of the sum form", answer_error, 1e-9)};
  for (const char* form : {"selection", "max", "sum"})
    claims.push_back(at_most(fmt::format("{}: unsolved problems of one size, the most", form),
                             unsolved[form], 0.0));
  for (const std::string& corner : corners_of(rows))
    claims.push_back(at_most(fmt::format("|exponent of the wrong area in e - 2|, {}", corner),
                             std::abs(area_exponent(rows, corner) - 2.0), 0.1));
  return claims;
}

std::string nonconvex_table(const NonconvexRows& rows, bool quick)
{
  std::string out = machine_description() + "\n\n";
  add_region_table(rows, out);
  add_solve_table(rows, out);
  return out + claims_table(nonconvex_claims(rows), quick);
}

std::string nonconvex_json(const NonconvexRows& rows)
{
  nlohmann::ordered_json out = {{"bench", "nonconvex"}, {"machine", machine_description()}};
  out["rows"] = nlohmann::ordered_json::array();
  for (const RegionRow& row : rows.regions) out["rows"].push_back(to_json(row));
  for (const SolveRow& row : rows.solves) out["rows"].push_back(to_json(row));
  out["published"] = nlohmann::ordered_json::array();
  out["published"].push_back({{"form", "max"}, {"constraints", "4 y + 2 g + x + (k + 1) (x + y)"}});
  out["published"].push_back({{"form", "sum"}, {"constraints", "2 y + x + (k + 1) (x + y)"}});
  out["published"].push_back({{"form", "stewart"}, {"constraints", "x + (k + 1) x"}});
  out["published"].push_back({{"form", "sum"}, {"wrong_area_exponent", 2}});
  out["fits"]["wrong_area_exponent"] = nlohmann::ordered_json::object();
  for (const std::string& corner : corners_of(rows))
    out["fits"]["wrong_area_exponent"][corner] = area_exponent(rows, corner);
  out["fits"]["claims"] = to_json(nonconvex_claims(rows));
  return out.dump(1) + "\n";
}

std::string nonconvex_plot(const NonconvexRows& rows)
{
  Chart times{"Bodies before corners: time of one solve",
              "groups",
              "median time (us)",
              Axis::logarithmic,
              Axis::logarithmic,
              {}};
  for (const char* form : {"selection", "max", "sum"}) {
    Series series{form, {}, false, false, {}};
    for (const SolveRow& row : rows.solves)
      if (row.form == form) series.points.emplace_back(row.groups, row.median_us);
    times.series.push_back(std::move(series));
  }
  Chart areas{"Summation form: area accepted wrongly",
              "epsilon / h (m/s)",
              "area ((m/s)^2)",
              Axis::logarithmic,
              Axis::logarithmic,
              {}};
  for (const std::string& corner : corners_of(rows)) {
    Series series{corner, {}, false, false, {}};
    for (const RegionRow& row : rows.regions)
      if (row.form == "sum" && row.corner == corner) series.points.emplace_back(row.cap, row.area);
    areas.series.push_back(std::move(series));
  }
  return to_svg({times, areas}, 2);
}

}  // namespace tact
