#include <bench/scenes.hpp>

#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bench/machine.hpp>
#include <tact/files/svg_chart.hpp>
#include <tact/files/text_file.hpp>

namespace tact {
namespace {

double other_seconds(const SceneRun& run)
{
  const PhaseSeconds& p = run.phases;
  return run.wall_seconds - p.dynamics - p.broad_phase - p.narrow_phase - p.solve;
}

std::string method_of(const SceneRun& run)
{
  if (run.way == SceneWay::ours) return "auto";
  const std::string change = run.scene.method;
  return change.substr(change.find('=') + 1);
}

nlohmann::ordered_json to_json(const SceneRun& run)
{
  nlohmann::ordered_json row = {{"scene", run.scene.name},
                                {"paper", run.scene.paper},
                                {"method", method_of(run)},
                                {"ended", run.ended},
                                {"unconverged", run.unconverged},
                                {"published_hardware", run.scene.hardware},
                                {"simulated_seconds", run.simulated_seconds},
                                {"wall_seconds", run.wall_seconds},
                                {"ratio", run.ratio()},
                                {"published_ratio", nullptr},
                                {"steps", run.steps},
                                {"contacts_max", run.contacts_max},
                                {"residual_max", run.residual_max},
                                {"phase_seconds",
                                 {{"dynamics", run.phases.dynamics},
                                  {"broad_phase", run.phases.broad_phase},
                                  {"narrow_phase", run.phases.narrow_phase},
                                  {"solve", run.phases.solve},
                                  {"other", other_seconds(run)}}}};
  if (run.scene.published_ratio > 0.0) row["published_ratio"] = run.scene.published_ratio;
  return row;
}

Series phase_series(const std::vector<SceneRun>& runs, const std::string& label,
                    double (*seconds)(const SceneRun&))
{
  Series series{.label = label, .points = {}};
  for (std::size_t k = 0; k < runs.size(); ++k)
    series.points.emplace_back(static_cast<double>(k + 1), 1e3 * seconds(runs[k]) / runs[k].steps);
  return series;
}

}  // namespace

std::vector<Claim> scenes_claims(const std::vector<SceneRun>& runs)
{
  std::vector<Claim> claims;
  for (const SceneRun& run : runs) {
    if (run.way != SceneWay::ours) continue;
    if (run.scene.published_ratio > 0.0)
      claims.push_back(
          {.name = fmt::format("{}: wall over simulated time, published", run.scene.name),
           .value = run.ratio(),
           .bound = run.scene.published_ratio});
    claims.push_back({.name = fmt::format("{}: solves above the tolerance", run.scene.name),
                      .value = 1.0 * run.unconverged,
                      .bound = 0.0,
                      .timed = false});
  }
  return claims;
}

std::string scenes_table(const std::vector<SceneRun>& runs, bool quick)
{
  std::string out;
  const auto line = std::back_inserter(out);
  fmt::format_to(line,
                 "{}\nms a step by phase; ratio: wall over simulated time, without recording\n\n",
                 machine_description());
  fmt::format_to(line,
                 "{:<16} {:<13} {:>6} {:>8} {:>9} {:>9} {:>7} {:>7} {:>7} {:>8} {:>8} {:>6} {}\n",
                 "scene", "method", "steps", "contacts", "dynamics", "broad", "narrow", "solve",
                 "other", "sum", "ratio", "missed", "published");
  for (const SceneRun& run : runs) {
    const double ms = 1e3 / run.steps;
    const PhaseSeconds& p = run.phases;
    fmt::format_to(
        line,
        "{:<16} {:<13} {:>6} {:>8} {:>9.2f} {:>9.2f} {:>7.2f} {:>7.2f} {:>7.2f} {:>8.2f} {:>8.2f} "
        "{:>6} {}\n",
        run.scene.name, method_of(run), run.steps, run.contacts_max, ms * p.dynamics,
        ms * p.broad_phase, ms * p.narrow_phase, ms * p.solve, ms * other_seconds(run),
        ms * run.wall_seconds, run.ratio(), run.unconverged,
        run.scene.published_ratio > 0.0
            ? fmt::format("{:g} ({})", run.scene.published_ratio, run.scene.hardware)
            : "-");
  }
  return out + claims_table(scenes_claims(runs), quick);
}

std::string scenes_json(const std::vector<SceneRun>& runs)
{
  nlohmann::ordered_json out = {{"bench", "scenes"}, {"machine", machine_description()}};
  out["rows"] = nlohmann::ordered_json::array();
  out["published"] = nlohmann::ordered_json::array();
  for (const SceneRun& run : runs) {
    out["rows"].push_back(to_json(run));
    if (run.scene.published_ratio > 0.0)
      out["published"].push_back({{"scene", run.scene.name}, {"ratio", run.scene.published_ratio}});
  }
  out["fits"] = {{"claims", to_json(scenes_claims(runs))}};
  return out.dump(1) + "\n";
}

std::string scenes_plot(const std::vector<SceneRun>& runs)
{
  std::string names;
  for (std::size_t k = 0; k < runs.size(); ++k)
    names += fmt::format("{}{} {}", k == 0 ? "" : ", ", k + 1, runs[k].scene.name);
  Chart chart{.title = "Time of a step by phase",
              .x_label = names,
              .y_label = "ms a step",
              .x_axis = Axis::linear,
              .y_axis = Axis::logarithmic,
              .series = {}};
  chart.series = {
      phase_series(runs, "all", [](const SceneRun& r) { return r.wall_seconds; }),
      phase_series(runs, "dynamics", [](const SceneRun& r) { return r.phases.dynamics; }),
      phase_series(runs, "broad phase", [](const SceneRun& r) { return r.phases.broad_phase; }),
      phase_series(runs, "narrow phase", [](const SceneRun& r) { return r.phases.narrow_phase; }),
      phase_series(runs, "solve", [](const SceneRun& r) { return r.phases.solve; })};
  return to_svg({chart}, 1);
}

// Every scene by its own settings and, for at most five minutes or --limit, by its paper's method.
std::vector<SceneRun> measure_scenes(const BenchOptions& options)
{
  const double limit = options.limit > 0.0 ? options.limit : options.quick ? 2.0 : 300.0;
  std::vector<SceneRun> runs;
  for (const BenchScene& scene : bench_scenes()) {
    if (!options.quiet) fmt::print(stderr, "bench scenes: {}\n", scene.name);
    runs.push_back(run_bench_scene(scene, SceneWay::ours, options));
    if (*scene.method == '\0') continue;
    runs.push_back(run_bench_scene(scene, SceneWay::paper_solver, options, limit));
  }
  return runs;
}

int run_scenes_bench(const BenchOptions& options)
{
  const std::vector<SceneRun> runs = measure_scenes(options);
  if (!options.json_file.empty()) write_text(options.json_file, scenes_json(runs));
  if (!options.plot_file.empty()) write_text(options.plot_file, scenes_plot(runs));
  fmt::print("{}", scenes_table(runs, options.quick));
  return exit_code(scenes_claims(runs), options.quick);
}

}  // namespace tact
