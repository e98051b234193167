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

const char* label(SceneWay way)
{
  return way == SceneWay::ours ? "with look ahead" : "as the paper";
}

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
    const bool ours = run.way == SceneWay::ours;
    claims.push_back({.name = fmt::format("{}, {}: steps in {} passes or fewer", run.scene.name,
                                          label(run.way), within),
                      .value = run.share_within(within),
                      .bound = ours ? claimed_share : published_share,
                      .at_least = true,
                      .timed = run.steps < 100});  // a few steps at the start show little
  }
  return claims;
}

std::string cmr_table(const std::vector<SceneRun>& runs, bool quick)
{
  std::string out;
  const auto line = std::back_inserter(out);
  fmt::format_to(line,
                 "{}\nshare of steps that took so many passes (%); halved and cut steps\n\n{:<15} "
                 "{:<15} {:>6}",
                 machine_description(), "scene", "passes", "steps");
  for (std::size_t k = 1; k <= most_passes(runs); ++k) fmt::format_to(line, " {:>7}", k);
  fmt::format_to(line, " {:>7} {:>7}\n", "halved", "cut");
  for (const SceneRun& run : runs) {
    fmt::format_to(line, "{:<15} {:<15} {:>6}", run.scene.name, label(run.way), run.steps);
    for (std::size_t k = 1; k <= most_passes(runs); ++k)
      fmt::format_to(line, " {:>7.2f}", 100.0 * share(run, k));
    fmt::format_to(line, " {:>7} {:>7}\n", run.halvings, run.cut_steps);
  }
  return out + claims_table(cmr_claims(runs), quick);
}

std::string cmr_json(const std::vector<SceneRun>& runs)
{
  nlohmann::ordered_json out = {{"bench", "cmr"}, {"machine", machine_description()}};
  out["rows"] = nlohmann::ordered_json::array();
  for (const SceneRun& run : runs)
    for (std::size_t k = 1; k <= run.passes.size(); ++k)
      out["rows"].push_back({{"scene", run.scene.name},
                             {"look_ahead", run.way == SceneWay::ours},
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

// A histogram for each way: share of steps over passes.
std::string cmr_plot(const std::vector<SceneRun>& runs)
{
  std::vector<Chart> charts;
  for (const SceneWay way : {SceneWay::paper_passes, SceneWay::ours}) {
    Chart chart{.title = fmt::format("Passes of a step, {}", label(way)),
                .x_label = "passes",
                .y_label = "share of steps",
                .x_axis = Axis::linear,
                .y_axis = Axis::logarithmic,
                .series = {}};
    for (const SceneRun& run : runs) {
      if (run.way != way) continue;
      Series series{.label = run.scene.name, .points = {}};
      for (std::size_t k = 1; k <= run.passes.size(); ++k)
        if (run.passes[k - 1] > 0)
          series.points.emplace_back(static_cast<double>(k), share(run, k));
      chart.series.push_back(std::move(series));
    }
    charts.push_back(std::move(chart));
  }
  return to_svg(charts, 2);
}

// Every implicit scene with contacts on the way, twice.
std::vector<SceneRun> measure_cmr(const BenchOptions& options)
{
  std::vector<SceneRun> runs;
  for (const BenchScene& scene : bench_scenes()) {
    if (!scene.implicit) continue;
    for (const SceneWay way : {SceneWay::paper_passes, SceneWay::ours}) {
      if (!options.quiet) fmt::print(stderr, "bench cmr: {}, {}\n", scene.name, label(way));
      runs.push_back(run_bench_scene(scene, way, options, options.limit));
    }
  }
  return runs;
}

int run_cmr_bench(const BenchOptions& options)
{
  const std::vector<SceneRun> runs = measure_cmr(options);
  if (!options.json_file.empty()) write_text(options.json_file, cmr_json(runs));
  if (!options.plot_file.empty()) write_text(options.plot_file, cmr_plot(runs));
  fmt::print("{}", cmr_table(runs, options.quick));
  return exit_code(cmr_claims(runs), options.quick);
}

}  // namespace tact
