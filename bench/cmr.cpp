#include <bench/cmr.hpp>

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bench/machine.hpp>
#include <tact/files/svg_chart.hpp>
#include <tact/files/text_file.hpp>

namespace tact {
namespace {

constexpr int within = 3;               // passes
constexpr double claimed_share = 0.99;  // of steps
constexpr double published_share = 0.90;

std::size_t most_passes(const std::vector<SceneRun>& runs)
{
  std::size_t most = 1;
  for (const SceneRun& run : runs) most = std::max(most, run.passes.size());
  return most;
}

double share(const SceneRun& run, std::size_t passes)
{
  return passes <= run.passes.size() ? static_cast<double>(run.passes[passes - 1]) / run.steps
                                     : 0.0;
}

}  // namespace

std::vector<Claim> cmr_claims(const std::vector<SceneRun>& runs)
{
  std::vector<Claim> claims;
  for (const SceneRun& run : runs) {
    claims.push_back(
        {.name = fmt::format("{}: share of steps in {} passes or fewer", run.scene.name, within),
         .value = run.share_within(within),
         .bound = claimed_share,
         .at_least = true,
         .timed = run.steps < 100});  // a few steps at the start show little
  }
  return claims;
}

std::string cmr_table(const std::vector<SceneRun>& runs)
{
  std::string out;
  const auto line = std::back_inserter(out);
  fmt::format_to(
      line, "{}\nshare of steps that took so many passes (%); halved and cut steps\n\n{:<15} {:>6}",
      machine_description(), "scene", "steps");
  for (std::size_t k = 1; k <= most_passes(runs); ++k) fmt::format_to(line, " {:>7}", k);
  fmt::format_to(line, " {:>7} {:>7}\n", "halved", "cut");
  for (const SceneRun& run : runs) {
    fmt::format_to(line, "{:<15} {:>6}", run.scene.name, run.steps);
    for (std::size_t k = 1; k <= most_passes(runs); ++k)
      fmt::format_to(line, " {:>7.2f}", 100.0 * share(run, k));
    fmt::format_to(line, " {:>7} {:>7}\n", run.halvings, run.cut_steps);
  }
  return out + claims_table(cmr_claims(runs));
}

std::string cmr_json(const std::vector<SceneRun>& runs)
{
  nlohmann::ordered_json out = {{"bench", "cmr"}, {"machine", machine_description()}};
  out["rows"] = nlohmann::ordered_json::array();
  for (const SceneRun& run : runs)
    for (std::size_t k = 1; k <= run.passes.size(); ++k)
      out["rows"].push_back({{"scene", run.scene.name},
                             {"passes", k},
                             {"share", share(run, k)},
                             {"steps", run.steps},
                             {"halvings", run.halvings},
                             {"cut_steps", run.cut_steps}});
  out["published"] = nlohmann::ordered_json::array();
  out["published"].push_back({{"passes_at_most", within}, {"share", published_share}});
  out["fits"] = {{"claims", to_json(cmr_claims(runs))}};
  return out.dump(1) + "\n";
}

std::string cmr_plot(const std::vector<SceneRun>& runs)
{
  Chart chart{.title = "Passes of constraint manifold refinement",
              .x_label = "passes",
              .y_label = "share of steps",
              .x_axis = Axis::linear,
              .y_axis = Axis::logarithmic,
              .series = {}};
  for (const SceneRun& run : runs) {
    Series series{.label = run.scene.name, .points = {}};
    for (std::size_t k = 1; k <= run.passes.size(); ++k)
      series.points.emplace_back(static_cast<double>(k), share(run, k));
    chart.series.push_back(std::move(series));
  }
  return to_svg({chart}, 1);
}

int run_cmr_bench(const BenchOptions& options)
{
  const std::vector<SceneRun> runs = run_bench_scenes("cmr", options);
  if (!options.json_file.empty()) write_text(options.json_file, cmr_json(runs));
  if (!options.plot_file.empty()) write_text(options.plot_file, cmr_plot(runs));
  fmt::print("{}", cmr_table(runs));
  return exit_code(cmr_claims(runs), options.quick);
}

}  // namespace tact
