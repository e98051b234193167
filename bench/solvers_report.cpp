// Tables, JSON and plots of `tact bench solvers`.
#include <algorithm>
#include <iterator>
#include <limits>
#include <map>

#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bench/machine.hpp>
#include <bench/solvers.hpp>
#include <tact/files/svg_chart.hpp>

namespace tact {
namespace {

constexpr double tolerances[] = {1e-4, 1e-8};
constexpr double widest_ratio = 1000.0;  // of the plots
constexpr double ratio_step = 1.02;      // of the plots: a pixel

// Of the problems that some solver of the group solves: the time of the fastest, summed up.
struct BestOfGroup {
  double seconds = 0.0;
  int solved = 0;
};

BestOfGroup best_of_siconos(const std::vector<SolverRow>& rows, double tolerance)
{
  std::map<std::string, double> best;
  for (const SolverRow& row : rows) {
    if (row.tolerance != tolerance || !row.solver.starts_with("siconos") || !row.solved()) continue;
    const auto [place, is_new] = best.emplace(row.problem, row.seconds);
    if (!is_new) place->second = std::min(place->second, row.seconds);
  }
  BestOfGroup found;
  for (const auto& [problem, seconds] : best) {
    found.seconds += seconds;
    ++found.solved;
  }
  return found;
}

Chart profile_chart(const std::vector<SolverRow>& rows, double tolerance)
{
  Chart chart{fmt::format("Share of problems solved to rel_q {:.0e}", tolerance),
              "time over that of the fastest solver",
              "share of problems",
              Axis::logarithmic,
              Axis::linear,
              {}};
  for (const Profile& profile : performance_profiles(rows, tolerance)) {
    Series series;
    series.label = profile.solver;
    series.dashed = profile.solver.starts_with("siconos");
    series.line_only = true;
    series.points.emplace_back(1.0, profile.share(1.0));
    for (double ratio = 1.0; ratio < widest_ratio; ratio *= ratio_step) {  // a staircase
      const double share = profile.share(ratio), before = series.points.back()[1];
      if (share == before) continue;
      series.points.emplace_back(ratio, before);
      series.points.emplace_back(ratio, share);
    }
    series.points.emplace_back(widest_ratio, series.points.back()[1]);
    chart.series.push_back(std::move(series));
  }
  return chart;
}

nlohmann::ordered_json to_json(const SolverRow& row)
{
  return {{"problem", row.problem},     {"solver", row.solver},         {"status", row.status},
          {"residual", row.residual},   {"iterations", row.iterations}, {"seconds", row.seconds},
          {"tolerance", row.tolerance}, {"contacts", row.contacts}};
}

}  // namespace

std::string solvers_table(const std::vector<SolverRow>& rows)
{
  std::string out;
  const auto line = std::back_inserter(out);
  fmt::format_to(line, "{}\n", machine_description());
  for (const double tolerance : tolerances) {
    fmt::format_to(line, "\nrel_q <= {:.0e}: share of problems solved within tau times the best\n",
                   tolerance);
    fmt::format_to(line, "{:<16} {:>8} {:>6} {:>6} {:>6} {:>6} {:>6} {:>10}\n", "solver",
                   "problems", "1", "2", "5", "20", "any", "seconds");
    for (const Profile& p : performance_profiles(rows, tolerance))
      fmt::format_to(line, "{:<16} {:>8} {:>6.2f} {:>6.2f} {:>6.2f} {:>6.2f} {:>6.2f} {:>10.4f}\n",
                     p.solver, p.problems, p.share(1.0), p.share(2.0), p.share(5.0), p.share(20.0),
                     p.share(std::numeric_limits<double>::infinity()), p.seconds);
    const BestOfGroup siconos = best_of_siconos(rows, tolerance);
    if (siconos.solved > 0)
      fmt::format_to(line, "the fastest of Siconos on each of the {} it solves: {:.4f} s\n",
                     siconos.solved, siconos.seconds);
  }
  return out;
}

std::string solvers_json(const std::vector<SolverRow>& rows)
{
  nlohmann::ordered_json out = {{"bench", "solvers"}, {"machine", machine_description()}};
  out["rows"] = nlohmann::ordered_json::array();
  for (const SolverRow& row : rows) out["rows"].push_back(to_json(row));
  out["published"] = nlohmann::ordered_json::array();
  out["fits"] = nlohmann::ordered_json::object();
  for (const double tolerance : tolerances) {
    auto profiles = nlohmann::ordered_json::array();
    for (const Profile& p : performance_profiles(rows, tolerance))
      profiles.push_back({{"solver", p.solver},
                          {"problems", p.problems},
                          {"solved", p.ratios.size()},
                          {"seconds", p.seconds},
                          {"ratios", p.ratios}});
    out["fits"][fmt::format("profiles_{:.0e}", tolerance)] = std::move(profiles);
  }
  return out.dump(1) + "\n";
}

std::string solvers_plot(const std::vector<SolverRow>& rows)
{
  return to_svg({profile_chart(rows, tolerances[0]), profile_chart(rows, tolerances[1])}, 2);
}

}  // namespace tact
