// tact solve: stored problems, by one solver, by the one that fits, or by all.
#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cli/commands.hpp>
#include <cli/number_options.hpp>
#include <cli/output_file.hpp>
#include <cli/progress.hpp>
#include <cli/table.hpp>
#include <tact/core/error.hpp>
#include <tact/core/memory_limit.hpp>
#include <tact/core/printable.hpp>
#include <tact/files/friction_io.hpp>
#include <tact/run/problem_solve.hpp>
#include <tact/run/solution_io.hpp>

namespace tact::cli {
namespace {

struct SolveOptions {
  std::vector<std::string> files;
  std::string solver = "auto";
  ProblemOptions problem;
  std::string output;
  std::string export_file;
  bool json = false;
};

using Problems = std::vector<Problem>;
using Records = std::vector<SolveRecord>;

void require_export(const SolveOptions& options)
{
  if (options.export_file.empty()) return;
  if (options.files.size() != 1)
    throw Error(
        fmt::format("--export: found {} problem files, expected one", options.files.size()));
  require_output("--export", options.export_file, options.files);
  try {
    require_export_name(options.export_file);
  } catch (const Error& error) {
    throw Error(fmt::format("--export: {}", error.what()));
  }
}

// Everything that can be wrong with the request is found here, before the first solve.
Problems read_all(const SolveOptions& options, const Console& console)
{
  if (options.files.empty())
    throw Error("solve: no file given, expected at least one problem file");
  if (options.solver != "all") {
    try {
      require_solver(options.solver);
    } catch (const Error& error) {
      throw Error(fmt::format("--solver: {} (`tact list solvers` shows them)", error.what()));
    }
  }
  require_output("--output", options.output, options.files);
  require_export(options);
  Problems problems;
  for (const std::string& file : options.files) {
    console.detail("reading " + file);
    problems.push_back(with_memory_for("reading " + file, [&] { return read_problem(file); }));
  }
  return problems;
}

std::vector<std::string> solvers_asked(const SolveOptions& options, const Problem& problem)
{
  if (options.solver == "all") return solvers_for(problem);
  return {options.solver};
}

// A method that wants more memory than it gets is a row like any other: the next may do with less.
SolvedProblem solved_within_memory(const Problem& problem, const std::string& solver,
                                   const ProblemOptions& options)
{
  try {
    return with_memory_for("this method", [&] { return solve(problem, solver, options); });
  } catch (const OutOfMemory& error) {
    SolveReport report = unsupported(told(error));
    report.status = SolveStatus::stalled;
    return {.solver = solver, .report = report, .solution = {}};
  }
}

Records solve_all(const Problems& problems, const SolveOptions& options, const Console& console)
{
  int steps = 0;
  for (const Problem& problem : problems)
    steps += static_cast<int>(solvers_asked(options, problem).size());
  Progress progress(console, steps);
  Records records;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const Problem& problem = problems[i];
    records.push_back({.file = options.files[i],
                       .kind = problem.kind,
                       .size = problem.size(),
                       .contacts = problem.contacts(),
                       .rows = {}});
    for (const std::string& solver : solvers_asked(options, problem)) {
      progress.begin(fmt::format("solving {} by {}", options.files[i], solver));
      records.back().rows.push_back(solved_within_memory(problem, solver, options.problem));
    }
  }
  return records;
}

std::string human_time(double seconds)
{
  if (seconds < 1e-3) return fmt::format("{:.3g} us", 1e6 * seconds);
  if (seconds < 1.0) return fmt::format("{:.3g} ms", 1e3 * seconds);
  return fmt::format("{:.3g} s", seconds);
}

// The cells of one row; those that tell of the problem stand in its first row only.
std::vector<Cell> cells(const SolveRecord& record, const SolvedProblem& row, bool first)
{
  const SolveReport& report = row.report;
  const bool ran = report.status != SolveStatus::unsupported;
  const auto text_if = [](bool shown, std::string text) { return shown ? std::move(text) : ""; };
  return {{text_if(first, record.file)},
          {text_if(first, record.kind)},
          {text_if(first, std::to_string(record.size))},
          {text_if(first && record.contacts > 0, std::to_string(record.contacts))},
          {row.solver},
          {std::string(name(report.status)), report.ok() ? Tone::good : Tone::bad},
          {text_if(ran, fmt::format("{:.1e}", report.residual))},
          {text_if(ran, std::to_string(report.iterations))},
          {text_if(report.restarts > 0, std::to_string(report.restarts))},
          {text_if(ran, human_time(report.seconds))},
          {report.note, Tone::faint}};
}

void print_table(const Records& records, const Console& console)
{
  Table table({{"problem"},
               {"kind"},
               {"size", true},
               {"contacts", true},
               {"solver"},
               {"status"},
               {"residual", true},
               {"iterations", true},
               {"restarts", true},
               {"time", true},
               {"note"}});
  for (const SolveRecord& record : records)
    for (const SolvedProblem& row : record.rows)
      table.add(cells(record, row, &row == &record.rows.front()));
  table.print(console);
}

int verdict(const Records& records, const Console& console)
{
  std::vector<std::string> unsolved;
  for (const SolveRecord& record : records)
    if (!record.solved()) unsolved.push_back(record.file);
  if (unsolved.empty()) return done;
  const std::size_t count = unsolved.size();
  constexpr std::size_t named = 3;
  unsolved.resize(std::min(count, named));
  const std::string more = count > named ? fmt::format(" and {} more", count - named) : "";
  console.tell(fmt::format("{} of {} problems without a converged answer: {}{}", count,
                           records.size(), fmt::join(unsolved, ", "), more));
  return not_reached;
}

int solve_files(const SolveOptions& options, const Console& console)
{
  const Problems problems = read_all(options, console);
  if (!options.export_file.empty()) export_problem(options.export_file, problems.front());
  const Records records = solve_all(problems, options, console);
  if (!options.output.empty()) write_solutions(options.output, records);
  if (options.json) {
    using nlohmann::json;
    console.out << report_json(records).dump(1, ' ', false, json::error_handler_t::replace) << '\n';
  } else {
    print_table(records, console);
  }
  return verdict(records, console);
}

FrictionLaw friction_law(const std::string& name)
{
  if (name == "disc") return FrictionLaw::disc;
  if (name == "pyramid") return FrictionLaw::pyramid;
  throw Error(fmt::format("--friction: found \"{}\", expected disc or pyramid", name));
}

Action declare_solve(CLI::App& app)
{
  const auto options = std::make_shared<SolveOptions>();
  ProblemOptions& problem = options->problem;
  app.add_option("FILE", options->files,
                 "Problem files (docs/files.md): JSON, or the HDF5 of FCLIB")
      ->type_name("");
  app.add_option("--solver", options->solver,
                 "auto (default), all, or a name of `tact list solvers`")
      ->type_name("NAME");
  expect_positive_number(app.add_option(
      "--tolerance", problem.tolerance,
      "On the shared residual; default 1e-9, friction 1e-8, contact between meshes 3e-3 m/s"));
  expect_integer(app.add_option("--max-iterations", problem.max_iterations,
                                "Pivots or sweeps; default: by the size of the problem"),
                 1, 1'000'000'000);
  expect_even_integer(app.add_option("--directions", problem.directions,
                                     "Sides of the friction pyramid (contact only); default 8"),
                      4, 64);
  app.add_option_function<std::string>(
         "--friction",
         [options](const std::string& law) { options->problem.law = friction_law(law); },
         "disc or pyramid, of contact between meshes; default: that of the recorded step")
      ->type_name("");
  app.add_flag("--warm-start", problem.warm_start,
               "Begin where the step began that the problem was recorded of");
  app.add_option("--output", options->output, "Write the answers to this file, as JSON")
      ->type_name("FILE");
  app.add_option("--export", options->export_file,
                 "Write the friction problem itself: .hdf5 (FCLIB) or .json (Matrix Market)")
      ->type_name("FILE");
  app.add_flag("--json", options->json, "Print the report as JSON");
  return [options](const Console& console) { return solve_files(*options, console); };
}

}  // namespace

Command solve_command()
{
  return {"solve", "Solve stored problems and measure the answers",
          "  tact solve peg-in-hole.json --solver all\n"
          "  tact solve fclib/*.hdf5 --solver auto --tolerance 1e-8 --json > report.json\n",
          declare_solve};
}

}  // namespace tact::cli
