// `tact bench cmr`: how many passes of constraint manifold refinement a step takes, [Otaduy09]
// Sec. 4 and 6: as the paper counts them, from what is near at the start, and with our look ahead.
#pragma once

#include <string>
#include <vector>

#include <bench/claims.hpp>
#include <bench/scene_runs.hpp>

namespace tact {

std::vector<SceneRun> measure_cmr(const BenchOptions& options);
std::vector<Claim> cmr_claims(const std::vector<SceneRun>& runs);
std::string cmr_table(const std::vector<SceneRun>& runs, bool quick = false);
std::string cmr_json(const std::vector<SceneRun>& runs);
std::string cmr_plot(const std::vector<SceneRun>& runs);

int run_cmr_bench(const BenchOptions& options);

}  // namespace tact
