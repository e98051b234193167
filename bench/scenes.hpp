// `tact bench scenes`: wall time over simulated time of every scene, and where the time goes.
#pragma once

#include <string>
#include <vector>

#include <bench/claims.hpp>
#include <bench/scene_runs.hpp>

namespace tact {

std::vector<SceneRun> measure_scenes(const BenchOptions& options);
std::vector<Claim> scenes_claims(const std::vector<SceneRun>& runs);
std::string scenes_table(const std::vector<SceneRun>& runs, bool quick = false);
std::string scenes_json(const std::vector<SceneRun>& runs);
std::string scenes_plot(const std::vector<SceneRun>& runs);

int run_scenes_bench(const BenchOptions& options);

}  // namespace tact
