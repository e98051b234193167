#include <bench/regions.hpp>

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <bench/cpu_timer.hpp>
#include <bench/region_problems.hpp>
#include <bench/statistics.hpp>
#include <tact/contact/contact_regions.hpp>
#include <tact/files/text_file.hpp>
#include <tact/solvers/regions/projected_solver.hpp>

namespace tact {
namespace {

constexpr double region_accuracy = 1e-6;  // m/s, of the worst contact; gravity gives 1e-2 in a step
constexpr int most_region_sweeps = 2000;
constexpr int repeats = 3;
constexpr double enough_ms = 2000.0;  // of repeats of one solve
constexpr int contacts_a_row = 5;     // problems whose contacts differ by less are one row

using Problems = std::vector<const ContactProblem*>;

struct Method {
  const char* name;
  bool separate;
  bool dense = false;
};

constexpr Method ways[] = {{"separated", true},
                           {"one", false},
                           {"separated dense", true, true},
                           {"one dense", false, true}};

ProjectedOptions options_of(const Method& method)
{
  ProjectedOptions options;
  options.method = ProjectedMethod::pcg_pgs;
  options.tolerance = options.worst = region_accuracy;
  options.gs.change = 0.0;  // to the accuracy, however small the steps become
  options.max_sweeps = most_region_sweeps;
  options.separate = method.separate;
  options.dense = method.dense;
  return options;
}

int regions_of(const ContactProblem& problem)
{
  ContactRegions regions;
  regions.update(elements_by_components(problem));
  return static_cast<int>(regions.regions().size());
}

// Adds to the row; returns the velocities.
VectorXd solve_one(const Method& method, const ContactProblem& problem, RegionsRow& row)
{
  ProjectedSolver solver(options_of(method));
  std::vector<double> times, assemblies;
  double spent = 0.0;
  ContactSolution solution;
  for (int k = 0; k <= repeats && spent < enough_ms; ++k) {
    solution.lambda.setZero();  // cold, in memory that has been used before
    solver.begin(problem);
    const CpuTimer timer;
    const ProjectedReport report = solver.solve(problem, solution);
    times.push_back(1e3 * timer.seconds());
    assemblies.push_back(1e3 * report.assembly);
    spent += times.back();
    if (k > 0) continue;
    row.updates += report.contact_updates;
    row.residual = std::max(row.residual, report.residuals.natural_max);
    row.solves += report.regions;
    row.unconverged += report.unconverged;
  }
  if (times.size() > 1) times.erase(times.begin());  // the first one allocates
  row.solve_ms += median(std::move(times));
  row.assembly_ms += median(std::move(assemblies));
  return solution.v;
}

RegionsRow new_row(const std::string& scene, const char* method, const Problems& problems)
{
  RegionsRow row;
  row.scene = scene;
  row.method = method;
  row.problems = static_cast<int>(problems.size());
  for (const ContactProblem* problem : problems) {
    row.contacts += problem->size();
    row.regions += regions_of(*problem);
  }
  row.contacts /= row.problems;
  row.regions /= row.problems;
  return row;
}

// On one thread; means over the problems. `answers` are those of the first method.
RegionsRow solve_by(const Method& method, const std::string& scene, const Problems& problems,
                    std::vector<VectorXd>& answers)
{
  RegionsRow row = new_row(scene, method.name, problems);
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, 1);
  tbb::task_arena(1).execute([&] {
    for (std::size_t k = 0; k < problems.size(); ++k) {
      VectorXd v = solve_one(method, *problems[k], row);
      if (k == answers.size())
        answers.push_back(std::move(v));
      else
        row.difference = std::max(row.difference, (v - answers[k]).cwiseAbs().maxCoeff());
    }
  });
  row.updates /= row.problems;
  row.solve_ms /= row.problems;
  row.assembly_ms /= row.problems;
  return row;
}

void add_rows(std::vector<RegionsRow>& rows, const std::string& scene,
              const std::vector<ContactProblem>& problems)
{
  std::map<int, Problems> by_contacts;
  for (const ContactProblem& problem : problems)
    by_contacts[problem.size() / contacts_a_row].push_back(&problem);
  for (const auto& [size, alike] : by_contacts) {
    std::vector<VectorXd> answers;
    for (const Method& way : ways) rows.push_back(solve_by(way, scene, alike, answers));
  }
}

}  // namespace

std::vector<RegionsRow> measure_regions(const BenchOptions& options)
{
  const auto tell = [&](const std::string& what) {
    if (!options.quiet) fmt::print(stderr, "bench regions: {}\n", what);
  };
  std::vector<RegionsRow> rows;
  for (const char* scene : region_scenes) {
    tell(fmt::format("{} as it runs", scene));
    const bool bowls = scene == std::string("bowling");
    const int every = bowls ? 1 : options.quick ? 12 : 8;
    const auto problems = region_problems(scene, every, options.quick);
    tell(fmt::format("{} problems of {}", problems.size(), scene));
    add_rows(rows, scene, problems);
  }
  return rows;
}

int run_regions_bench(const BenchOptions& options)
{
  const std::vector<RegionsRow> rows = measure_regions(options);
  if (!options.json_file.empty()) write_text(options.json_file, regions_json(rows));
  if (!options.plot_file.empty()) write_text(options.plot_file, regions_plot(rows));
  fmt::print("{}", regions_table(rows, options.quick));
  return exit_code(regions_claims(rows), options.quick);
}

}  // namespace tact
