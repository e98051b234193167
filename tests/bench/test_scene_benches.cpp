// Quick runs of the benches that step scenes.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <string_view>

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
  run.scene = bench_scenes().front();
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

// [Otaduy09] fig. 2; at rest the stick has no energy.
TEST_CASE("a global response leaves a bent stick with less energy than a local one")
{
  for (const ResponseRow& row : measure_responses()) {
    CAPTURE(row.bend_stiffness);
    CHECK(row.before == 0.0);
    CHECK(row.global > 0.0);
    CHECK(row.global < row.local);
  }
}

TEST_SUITE_BEGIN("slow");

TEST_CASE("every scene of the benches steps by its own settings, and by its paper's method")
{
  std::set<std::string> ours, papers;
  for (const SceneRun& run : measure_scenes(quick())) {
    CAPTURE(std::string(run.scene.name));
    (run.way == SceneWay::ours ? ours : papers).insert(run.scene.name);
    CHECK((run.ended || run.steps == run.scene.quick_steps));
    CHECK(run.wall_seconds > 0.0);
    // A step that is halved has the passes of its parts: sheets of unified are thrown over corners.
    const double fewest = std::string_view(run.scene.name) == "unified" ? 0.8 : 1.0;
    if (run.way == SceneWay::ours) CHECK(run.share_within(5) >= fewest);
  }
  CHECK(ours.size() == bench_scenes().size());
  CHECK(papers.size() + 2 == ours.size());
}

TEST_CASE("a quick run of bench ica steps every method, and its JSON has the keys of scripts")
{
  const IcaMeasurements measured = measure_ica(quick());
  std::set<std::string> methods;
  for (const IcaRow& row : measured.windows) {
    CAPTURE(row.method);
    methods.insert(row.method);
    CHECK(row.contacts > 0.0);
    CHECK(row.step_ms > 0.0);
  }
  CHECK(methods == std::set<std::string>{"ica", "full", "anticipation", "auto"});
  REQUIRE_FALSE(measured.convergence.empty());
  for (const IcaConvergence& row : measured.convergence) CHECK(row.history.back() <= 1e-3);
  for (const Claim& claim : ica_claims(measured)) {
    CAPTURE(claim.name);
    if (!claim.timed) CHECK(claim.holds());
  }
  const auto json = nlohmann::json::parse(ica_json(measured));
  for (const char* key : {"contacts", "tetrahedra", "method", "step_ms"})
    CHECK(json.at("rows").at(0).contains(key));
  CHECK(ica_plot(measured).starts_with("<svg"));
}

TEST_SUITE_END();
