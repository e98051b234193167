// tact plot: charts of a run over its time, as SVG.
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cli/commands.hpp>
#include <cli/output_file.hpp>
#include <tact/core/error.hpp>
#include <tact/files/text_file.hpp>
#include <tact/run/run_plots.hpp>

namespace tact::cli {
namespace {

namespace fs = std::filesystem;

struct PlotOptions {
  std::string folder;
  std::string what;
  std::string out;  // empty: WHAT.svg in the folder
  bool json = false;
};

int plot(const PlotOptions& options, const Console& console)
{
  if (options.folder.empty() || options.what.empty())
    throw Error(
        "plot: expected the folder of a run and residual, contacts, energy, phases or forces");
  require_output("--out", options.out);
  const fs::path out = options.out.empty() ? fs::path(options.folder) / (options.what + ".svg")
                                           : fs::path(options.out);
  write_text(out, plot_run(options.folder, options.what));
  if (options.json)
    console.out << nlohmann::ordered_json({{"file", out.string()}}).dump(2) << '\n';
  else
    console.out << fmt::format("{}\n", out.string());
  return done;
}

Action declare_plot(CLI::App& app)
{
  const auto options = std::make_shared<PlotOptions>();
  app.add_option("DIR", options->folder, "The folder of a run");
  app.add_option("WHAT", options->what, "residual, contacts, energy, phases or forces");
  app.add_option("--out", options->out, "The SVG file; default: WHAT.svg in the folder");
  app.add_flag("--json", options->json, "Print the name of the file as JSON");
  return [options](const Console& console) { return plot(*options, console); };
}

}  // namespace

Command plot_command()
{
  return {"plot", "Draw a run over its time",
          "  tact plot out/falling-cloth phases\n"
          "  tact plot out/pinch-lift forces --out forces.svg\n",
          declare_plot};
}

}  // namespace tact::cli
