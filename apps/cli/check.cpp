// tact check: whether files can be used, and if not, the first thing that is wrong in each.
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cli/commands.hpp>
#include <tact/core/error.hpp>
#include <tact/scene/problem.hpp>

namespace tact::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CheckOptions {
  std::vector<std::string> files;
  bool json = false;
};

std::string describe(const Problem& problem)
{
  if (problem.contacts() == 0) return fmt::format("{} of size {}", problem.kind, problem.size());
  return fmt::format("{} of size {}, {} contacts", problem.kind, problem.size(),
                     problem.contacts());
}

int check_files(const CheckOptions& options, const Console& console)
{
  if (options.files.empty()) throw Error("check: no file given, expected at least one");
  bool all_well = true;
  Json files = Json::array();
  for (const std::string& file : options.files) {
    try {
      const Problem problem = read_problem(file);
      if (!options.json) console.out << file << ": " << describe(problem) << '\n';
      files.push_back({{"file", file},
                       {"ok", true},
                       {"kind", problem.kind},
                       {"size", problem.size()},
                       {"contacts", problem.contacts()}});
    } catch (const Error& error) {
      console.complain(error.what());
      files.push_back({{"file", file}, {"ok", false}, {"error", error.what()}});
      all_well = false;
    }
  }
  if (options.json) {
    Json report = Json::object();
    report["files"] = std::move(files);
    console.out << report.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
  }
  return all_well ? done : wrong_input;
}

Action declare(CLI::App& app)
{
  const auto options = std::make_shared<CheckOptions>();
  app.add_option("FILE", options->files, "Problem files (docs/files.md)")->type_name("");
  app.add_flag("--json", options->json, "Print the findings as JSON");
  return [options](const Console& console) { return check_files(*options, console); };
}

}  // namespace

Command check_command()
{
  return {"check", "Validate problem files without solving them",
          "  tact check peg-in-hole.json\n"
          "  tact check lcp/*.json --json\n",
          declare};
}

}  // namespace tact::cli
