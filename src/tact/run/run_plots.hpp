// Charts of a run over its time, for `tact plot`.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tact {

struct RunPlot {
  std::string_view name;     // residual, contacts, phases, forces
  std::string_view summary;  // one line
};
const std::vector<RunPlot>& run_plots();

// The chart of this name for the run in this folder, as SVG. Throws Error for an unknown name, and
// for a folder without what the chart is about.
std::string plot_run(const std::filesystem::path& folder, std::string_view name);

}  // namespace tact
