#include <bench/regions.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <bench/cpu_timer.hpp>
#include <bench/region_problems.hpp>
#include <bench/statistics.hpp>
#include <tact/contact/contact_regions.hpp>
#include <tact/core/timer.hpp>
#include <tact/files/text_file.hpp>
#include <tact/solvers/regions/projected_solver.hpp>

namespace tact {
namespace {

constexpr double region_accuracy = 1e-6;  // m/s, of the worst contact; gravity gives 1e-2 in a step
constexpr int most_region_sweeps = 2000;
constexpr int repeats = 5;
constexpr double enough_ms = 2000.0;                        // of repeats of one solve
constexpr int bowling_contacts = 45, bucket_contacts = 80;  // [Lazarevych10] Sec. 5
constexpr int most_dense = 1200;  // contacts: W as one matrix takes 100 MB

using Problems = std::vector<const ContactProblem*>;

struct Method {
  const char* name;
  bool separate;
  bool dense = false;
};

constexpr Method by_nodes[] = {{"separated", true}, {"one", false}};
constexpr Method by_matrices[] = {{"separated dense", true, true}, {"one dense", false, true}};

ProjectedOptions options_of(const Method& method)
{
  ProjectedOptions options;
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

// Wall time with one and with two threads, turn by turn: the least of each, since whatever else
// runs can only add to it.
void add_thread_rows(std::vector<RegionsRow>& rows, const std::string& scene,
                     const ContactProblem& problem)
{
  constexpr int turns = 40;
  ProjectedSolver solver(options_of({"threads", true}));
  ContactSolution solution;
  const Problems alone = {&problem};
  RegionsRow by_threads[] = {new_row(scene, "threads", alone), new_row(scene, "threads", alone)};
  for (int turn = 0; turn < turns; ++turn) {
    for (const int threads : {1, 2}) {
      RegionsRow& row = by_threads[threads - 1];
      const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, threads);
      tbb::task_arena(threads).execute([&] {
        solution.lambda.setZero();
        solver.begin(problem);
        const Timer timer;
        const ProjectedReport report = solver.solve(problem, solution);
        const double ms = 1e3 * timer.seconds();
        row.solve_ms = turn == 0 ? ms : std::min(row.solve_ms, ms);
        row.threads = threads;
        row.updates = report.contact_updates;
        row.residual = report.residuals.natural_max;
        row.solves = report.regions;
        row.unconverged = report.unconverged;
      });
    }
  }
  rows.insert(rows.end(), std::begin(by_threads), std::end(by_threads));
}

// The problems whose numbers of contacts are nearest to the one asked for.
Problems nearest(const std::vector<ContactProblem>& problems, int contacts, std::size_t count)
{
  Problems sorted;
  for (const ContactProblem& problem : problems) sorted.push_back(&problem);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const ContactProblem* a, const ContactProblem* b) {
                     return std::abs(a->size() - contacts) < std::abs(b->size() - contacts);
                   });
  sorted.resize(std::min(count, sorted.size()));
  return sorted;
}

void add_rows(std::vector<RegionsRow>& rows, const std::string& scene, const Problems& problems)
{
  std::vector<VectorXd> answers;
  for (const Method& method : by_nodes) rows.push_back(solve_by(method, scene, problems, answers));
  if (rows.back().contacts > most_dense) return;
  for (const Method& method : by_matrices)
    rows.push_back(solve_by(method, scene, problems, answers));
}

}  // namespace

std::vector<RegionsRow> measure_regions(const BenchOptions& options)
{
  const auto tell = [&](const std::string& what) {
    if (!options.quiet) fmt::print(stderr, "bench regions: {}\n", what);
  };
  std::vector<RegionsRow> rows;
  for (const int lanes : options.quick ? std::vector{1} : std::vector{1, 4, 8}) {
    tell(fmt::format("bowling on {} lanes", lanes));
    const auto problems = record_problems(bowling_lanes(lanes), {.first = 60, .last = 90});
    add_rows(rows, "bowling", nearest(problems, bowling_contacts * lanes, lanes == 1 ? 10 : 1));
  }
  const std::vector<int> sizes =
      options.quick ? std::vector{12, 40} : std::vector{26, 60, 200, 660, 2000};
  for (const int balls : sizes) {
    tell(fmt::format("{} balls in a bucket", balls));
    const bool few = balls < 100;
    const auto problems =
        record_problems(balls_in_bucket(balls), {.first = 16, .last = few ? 46 : 24});
    // Hard regions are rare: small problems have one or none, and only the mean of many tells.
    const Problems chosen = balls == sizes.front()
                                ? nearest(problems, bucket_contacts, 20)
                                : nearest(problems, problems.back().size(), balls < 300 ? 9 : 1);
    add_rows(rows, "bucket", chosen);
    if (balls == sizes.back()) add_thread_rows(rows, "bucket", *chosen.front());
  }
  return rows;
}

int run_regions_bench(const BenchOptions& options)
{
  const std::vector<RegionsRow> rows = measure_regions(options);
  if (!options.json_file.empty()) write_text(options.json_file, regions_json(rows));
  if (!options.plot_file.empty()) write_text(options.plot_file, regions_plot(rows));
  fmt::print("{}", regions_table(rows));
  return exit_code(regions_claims(rows), options.quick);
}

}  // namespace tact
