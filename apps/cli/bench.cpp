// tact bench: one claim of a paper, the published figures beside the measured ones.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <cli/benches.hpp>
#include <cli/commands.hpp>
#include <cli/output_file.hpp>
#include <cli/result_buffer.hpp>
#include <tact/core/error.hpp>

namespace tact::cli {
namespace {

struct BenchRequest {
  std::string name;
  BenchOptions options;
};

const Bench& find_bench(const std::string& name)
{
  if (name.empty()) throw Error("bench: no name given; `tact list benches` shows what there is");
  const std::vector<Bench>& table = benches();
  const auto it = std::find_if(table.begin(), table.end(),
                               [&name](const Bench& bench) { return bench.name == name; });
  if (it != table.end()) return *it;
  std::vector<std::string> known;
  for (const Bench& bench : table) known.emplace_back(bench.name);
  throw Error(fmt::format("bench: no bench is called \"{}\"{} (`tact list benches` shows them)",
                          name, did_you_mean(name, known)));
}

int run_bench(BenchRequest request, const Console& console)
{
  const Bench& bench = find_bench(request.name);
  require_output("--json", request.options.json_file);
  require_output("--plot", request.options.plot_file);
  const std::string& problems = request.options.problems;
  if (!problems.empty() && !std::filesystem::is_directory(problems))
    throw Error(fmt::format("--problems: found \"{}\", expected a folder", problems));
  request.options.quiet = console.verbosity == Verbosity::quiet;
  try {
    return bench.run(request.options);
  } catch (const std::system_error& error) {  // of printing the table
    throw WriteError(lost_results(error.code().value()));
  }
}

Action declare_bench(CLI::App& app)
{
  const auto request = std::make_shared<BenchRequest>();
  BenchOptions& options = request->options;
  app.add_option("NAME", request->name, "A name of `tact list benches`")->type_name("");
  app.add_option("--json", options.json_file, "Write rows, published figures and fits to this file")
      ->type_name("FILE");
  app.add_option("--plot", options.plot_file, "Write the plot to this file, as SVG")
      ->type_name("FILE");
  app.add_option("--problems", options.problems,
                 "Folder of friction and contact problems (solvers only), instead of its own")
      ->type_name("DIR");
  app.add_option("--limit", options.limit,
                 "Seconds. solvers: who took longer on a problem skips larger ones; scenes, cmr: "
                 "a run is ended")
      ->check(CLI::NonNegativeNumber)
      ->type_name("S");
  app.add_option("--directions", options.directions, "Sides of the friction pyramid (default 8)")
      ->check(CLI::Range(4, 64))
      ->type_name("N");
  app.add_flag("--quick", options.quick, "Fewer and smaller problems: seconds instead of minutes");
  return [request](const Console& console) { return run_bench(*request, console); };
}

}  // namespace

Command bench_command()
{
  return {"bench", "Reproduce a claim of a paper",
          "  tact bench lemke --quick\n"
          "  tact bench lemke --json lemke.json --plot lemke.svg\n",
          declare_bench};
}

}  // namespace tact::cli
