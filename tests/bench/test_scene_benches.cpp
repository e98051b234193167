// Quick runs of the benches that step scenes.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include <bench/cmr.hpp>
#include <bench/ica.hpp>
#include <bench/scenes.hpp>

using namespace tact;

namespace {

BenchOptions quick()
{
  BenchOptions options;
  options.quick = options.quiet = true;
  return options;
}

SceneRun made_up(std::vector<int> passes, int halvings)
{
  SceneRun run;
  run.scene = implicit_scenes().front();
  for (const int count : passes) run.steps += count;
  run.passes = std::move(passes);
  run.halvings = halvings;
  run.simulated_seconds = 0.5;
  run.wall_seconds = 2.0;
  return run;
}

}  // namespace

TEST_CASE("a step that was halved did not find its state in few passes")
{
  CHECK(made_up({90, 5, 5}, 0).share_within(3) == doctest::Approx(1.0));
  CHECK(made_up({90, 5, 5}, 0).share_within(1) == doctest::Approx(0.9));
  CHECK(made_up({90, 5, 0, 0, 5}, 2).share_within(3) == doctest::Approx(0.93));
}

TEST_CASE("claims: the exit code is 3 where one is missed, but not for goals or quick times")
{
  const Claim missed{.name = "a", .value = 2.0, .bound = 1.0};
  const Claim goal{.name = "b", .value = 2.0, .bound = 1.0, .goal = true};
  const Claim share{.name = "c", .value = 0.5, .bound = 0.9, .at_least = true, .timed = false};
  CHECK(exit_code({missed}, false) == 3);
  CHECK(exit_code({missed}, true) == 0);
  CHECK(exit_code({goal}, false) == 0);
  CHECK(exit_code({share}, true) == 3);
  CHECK(claims_table({missed}).find("MISSED") != std::string::npos);
}

TEST_CASE("the JSON of scenes and cmr has the keys of scripts, and published figures beside ours")
{
  const std::vector<SceneRun> runs = {made_up({9, 1}, 0)};
  const auto scenes = nlohmann::json::parse(scenes_json(runs));
  CHECK(scenes.at("bench") == "scenes");
  const auto& row = scenes.at("rows").at(0);
  CHECK(row.at("ratio").get<double>() == doctest::Approx(4.0));
  CHECK(row.at("published_ratio").get<double>() == 120.0);
  for (const char* key : {"scene", "simulated_seconds", "wall_seconds"}) CHECK(row.contains(key));
  const auto cmr = nlohmann::json::parse(cmr_json(runs));
  CHECK(cmr.at("rows").at(1).at("passes") == 2);
  CHECK(cmr.at("rows").at(1).at("share").get<double>() == doctest::Approx(0.1));
  CHECK(cmr_plot(runs).starts_with("<svg"));
  CHECK(scenes_plot(runs).starts_with("<svg"));
}

TEST_SUITE_BEGIN("slow");

TEST_CASE("every scene of the benches steps without halving")
{
  std::set<std::string> names;
  for (const SceneRun& run : run_bench_scenes("scenes", quick())) {
    CAPTURE(std::string(run.scene.name));
    names.insert(run.scene.name);
    CHECK(run.steps == run.scene.quick_steps);
    CHECK(run.share_within(5) == 1.0);
    CHECK(run.wall_seconds > 0.0);
  }
  CHECK(names.size() == implicit_scenes().size());
}

TEST_CASE("a quick run of bench ica: all three methods pass the shared residual")
{
  const std::vector<IcaRow> rows = measure_ica(quick());
  CHECK(rows.size() == 9);
  for (const IcaRow& row : rows) {
    CAPTURE(row.method);
    CHECK(row.contacts > 0);
    CHECK(row.residual <= 1e-3);
    CHECK(row.status == "converged");
  }
  const auto json = nlohmann::json::parse(ica_json(rows));
  for (const char* key : {"contacts", "tetrahedra", "method", "step_ms"})
    CHECK(json.at("rows").at(0).contains(key));
  CHECK(ica_plot(rows).starts_with("<svg"));
}

TEST_SUITE_END();
