// Tables, JSON and plots of `tact bench dynamics`.
#include <algorithm>
#include <iterator>

#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bench/dynamics.hpp>
#include <bench/machine.hpp>
#include <bench/statistics.hpp>
#include <tact/files/svg_chart.hpp>

namespace tact {
namespace {

constexpr int paper_letters = 164;  // [Otaduy09] fig. 7
constexpr double claimed_ms = 8.0;
constexpr double claimed_dynamics_exponent = 1.1;

int most_threads(const std::vector<DynamicsRow>& rows)
{
  int threads = 1;
  for (const DynamicsRow& row : rows) threads = std::max(threads, row.threads);
  return threads;
}

std::vector<DynamicsRow> growing(const std::vector<DynamicsRow>& rows, int threads)
{
  std::vector<DynamicsRow> chosen;
  for (const DynamicsRow& row : rows)
    if (row.threads == threads) chosen.push_back(row);
  return chosen;
}

// Of the time of one thread in the number of tetrahedra.
double exponent(const std::vector<DynamicsRow>& rows)
{
  std::vector<double> sizes, times;
  for (const DynamicsRow& row : growing(rows, 1)) {
    sizes.push_back(row.tetrahedra);
    times.push_back(row.linear_ms());
  }
  return growth_exponent(sizes, times);
}

nlohmann::ordered_json to_json(const DynamicsRow& row)
{
  return {{"letters", row.letters},
          {"tetrahedra", row.tetrahedra},
          {"nodes", row.nodes},
          {"assembly_ms", row.assembly_ms},
          {"factor_ms", row.factor_ms},
          {"solve_ms", row.solve_ms},
          {"step_ms", row.step_ms},
          {"threads", row.threads},
          {"momentum_error", row.momentum_error}};
}

Series series_of(const std::vector<DynamicsRow>& rows, const std::string& label,
                 double (*time)(const DynamicsRow&))
{
  Series series{label, {}, false, false, {}};
  for (const DynamicsRow& row : rows) series.points.emplace_back(row.tetrahedra, time(row));
  return series;
}

}  // namespace

std::vector<Claim> dynamics_claims(const std::vector<DynamicsRow>& rows)
{
  double worst = 0.0;
  for (const DynamicsRow& row : rows) worst = std::max(worst, row.momentum_error);
  std::vector<Claim> claims = {
      {.name = "|A v - b| / |b|, the worst", .value = worst, .bound = 1e-10, .timed = false},
      {"exponent of the time in the tetrahedra", exponent(rows), claimed_dynamics_exponent}};
  for (const DynamicsRow& row : growing(rows, most_threads(rows)))
    if (row.letters == paper_letters)
      claims.push_back({fmt::format("ms of {} letters on {} threads, assembly to solve",
                                    row.letters, row.threads),
                        row.linear_ms(), claimed_ms});
  return claims;
}

std::string dynamics_table(const std::vector<DynamicsRow>& rows)
{
  std::string out;
  const auto line = std::back_inserter(out);
  fmt::format_to(line, "{}\nmedian time of one step, in ms; of one thread, its processor time\n\n",
                 machine_description());
  fmt::format_to(line, "{:>7} {:>7} {:>10} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "letters",
                 "threads", "tetrahedra", "nodes", "assembly", "factor", "solve", "all three",
                 "step");
  for (const DynamicsRow& row : rows)
    fmt::format_to(line, "{:>7} {:>7} {:>10} {:>7} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f}\n",
                   row.letters, row.threads, row.tetrahedra, row.nodes, row.assembly_ms,
                   row.factor_ms, row.solve_ms, row.linear_ms(), row.step_ms);
  out += claims_table(dynamics_claims(rows));
  return out;
}

std::string dynamics_json(const std::vector<DynamicsRow>& rows)
{
  nlohmann::ordered_json out = {{"bench", "dynamics"}, {"machine", machine_description()}};
  out["rows"] = nlohmann::ordered_json::array();
  for (const DynamicsRow& row : rows) out["rows"].push_back(to_json(row));
  // The scene of [Otaduy09] fig. 7; the paper gives no time of dynamics alone.
  out["published"] = nlohmann::ordered_json::array();
  out["published"].push_back({{"letters", paper_letters}, {"tetrahedra", 23000}});
  out["fits"] = {{"exponent", exponent(rows)}};
  out["fits"]["claims"] = to_json(dynamics_claims(rows));
  return out.dump(1) + "\n";
}

std::string dynamics_plot(const std::vector<DynamicsRow>& rows)
{
  const std::vector<DynamicsRow> one = growing(rows, 1);
  Chart chart{"Soft letters in free fall: time of one step, one thread",
              "tetrahedra",
              "median time (ms)",
              Axis::logarithmic,
              Axis::logarithmic,
              {}};
  chart.series = {
      series_of(one, "all three", [](const DynamicsRow& row) { return row.linear_ms(); }),
      series_of(one, "assembly", [](const DynamicsRow& row) { return row.assembly_ms; }),
      series_of(one, "factorisation", [](const DynamicsRow& row) { return row.factor_ms; }),
      series_of(one, "solve", [](const DynamicsRow& row) { return row.solve_ms; })};
  if (most_threads(rows) > 1)
    chart.series.push_back(series_of(growing(rows, most_threads(rows)),
                                     fmt::format("all three, {} threads", most_threads(rows)),
                                     [](const DynamicsRow& row) { return row.linear_ms(); }));
  return to_svg({chart}, 1);
}

}  // namespace tact
