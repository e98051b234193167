// tact check: whether files can be used, and if not, the first thing that is wrong in each.
#include <algorithm>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cli/commands.hpp>
#include <cli/mesh_report.hpp>
#include <cli/scene_report.hpp>
#include <tact/core/error.hpp>
#include <tact/files/mesh_io.hpp>
#include <tact/files/problem.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/solvers/solvers.hpp>

namespace tact::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CheckOptions {
  std::vector<std::string> files;
  bool json = false;
};

// The bilateral rows, and who solves them.
std::string bilateral_part(const Problem& problem)
{
  const auto* contact = std::get_if<ContactProblem>(&problem.data);
  if (!contact || contact->bilateral.empty()) return {};
  const auto limited = std::count_if(contact->bilateral.begin(), contact->bilateral.end(),
                                     [](const BilateralRow& row) { return row.limited(); });
  return fmt::format(", {} bilateral rows, {} with limits, for {}", contact->bilateral.size(),
                     limited, fmt::join(methods_taking(rows_of(*contact)), ", "));
}

std::string describe(const Problem& problem)
{
  if (problem.size() == 0 || problem.kind.ends_with("lcp"))
    return fmt::format("{} of size {}", problem.kind, problem.size());
  const std::set<int> regions(problem.regions.begin(), problem.regions.end());
  return fmt::format("{} of size {}, {} contacts{}{}", problem.kind, problem.size(),
                     problem.contacts(),
                     regions.empty() ? "" : fmt::format(" in {} regions", regions.size()),
                     bilateral_part(problem));
}

// What is found is printed, and added to `files` as JSON.
ExitCode check_mesh(const std::string& file, const CheckOptions& options, const Console& console,
                    Json& files)
{
  const MeshReport report = report_on_mesh(file);
  if (!options.json) print(report, console);
  files.push_back(to_json(report));
  return exit_code(report);
}

ExitCode check_problem(const std::string& file, const CheckOptions& options, const Console& console,
                       Json& files)
{
  const Problem problem = read_problem(file);
  if (!options.json) console.out << file << ": " << describe(problem) << '\n';
  files.push_back({{"file", file},
                   {"ok", true},
                   {"kind", problem.kind},
                   {"size", problem.size()},
                   {"contacts", problem.contacts()}});
  return done;
}

ExitCode check_scene(const std::string& scene, const CheckOptions& options, const Console& console,
                     Json& files)
{
  const SceneReport report = report_on_scene(scene);
  if (!options.json) print(report, console);
  files.push_back(to_json(report));
  return done;
}

using Check = ExitCode (*)(const std::string&, const CheckOptions&, const Console&, Json&);

Check check_for(const std::string& file)
{
  if (is_mesh_file(file)) return check_mesh;
  return is_scene(file) ? check_scene : check_problem;
}

int check_files(const CheckOptions& options, const Console& console)
{
  if (options.files.empty()) throw Error("check: no file given, expected at least one");
  bool unreadable = false, defective = false;
  Json files = Json::array();
  for (const std::string& file : options.files) {
    try {
      if (check_for(file)(file, options, console, files) != done) defective = true;
    } catch (const Error& error) {
      console.complain(error.what());
      files.push_back({{"file", file}, {"ok", false}, {"error", error.what()}});
      unreadable = true;
    }
  }
  if (options.json) {
    Json report = Json::object();
    report["files"] = std::move(files);
    console.out << report.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
  }
  return unreadable ? wrong_input : defective ? not_reached : done;
}

Action declare_check(CLI::App& app)
{
  const auto options = std::make_shared<CheckOptions>();
  app.add_option("FILE", options->files,
                 "Scenes (docs/scenes.md), problems (docs/files.md) or meshes (docs/geometry.md)")
      ->type_name("");
  app.add_flag("--json", options->json, "Print the findings as JSON");
  return [options](const Console& console) { return check_files(*options, console); };
}

}  // namespace

Command check_command()
{
  return {"check", "Validate scenes, problems and meshes without using them",
          "  tact check scenes/stack.json\n"
          "  tact check bunny.obj --json\n",
          declare_check};
}

}  // namespace tact::cli
