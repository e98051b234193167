#include <bench/regions.hpp>

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <nlohmann/json.hpp>

#include <bench/cpu_timer.hpp>
#include <bench/machine.hpp>
#include <bench/region_problems.hpp>
#include <bench/statistics.hpp>
#include <tact/contact/projected/projected_solver.hpp>
#include <tact/contact/regions/contact_regions.hpp>
#include <tact/core/timer.hpp>
#include <tact/scene/svg_chart.hpp>
#include <tact/scene/text_file.hpp>

namespace tact {
namespace {

constexpr double region_accuracy = 1e-6;  // m/s, of the worst contact; gravity gives 1e-2 in a step
constexpr int most_region_sweeps = 2000;
constexpr int repeats = 5;
constexpr double enough_ms = 2000.0;                        // of repeats of one solve
constexpr int bowling_contacts = 45, bucket_contacts = 80;  // [Lazarevych10] Sec. 5

using Problems = std::vector<const ContactProblem*>;

struct Method {
  const char* name;
  bool separate;
  int threads = 1;
  bool by_wall = false;
};

ProjectedOptions options_of(const Method& method)
{
  ProjectedOptions options;
  options.tolerance = options.worst = region_accuracy;
  options.gs.change = 0.0;  // to the accuracy, however small the steps become
  options.max_sweeps = most_region_sweeps;
  options.separate = method.separate;
  return options;
}

int regions_of(const ContactProblem& problem)
{
  ContactRegions regions;
  regions.update(elements_by_components(problem));
  return static_cast<int>(regions.regions().size());
}

// Cold impulses, but memory that has been used before, as in a step. Adds to the row.
void solve_one(const Method& method, const ContactProblem& problem, RegionsRow& row)
{
  ProjectedSolver solver(options_of(method));
  std::vector<double> times;
  double spent = 0.0;
  for (int k = 0; k <= repeats && spent < enough_ms; ++k) {
    ContactSolution solution;
    solver.begin(problem);
    const CpuTimer processor;
    const Timer wall;
    const ProjectedReport report = solver.solve(problem, solution);
    times.push_back(1e3 * (method.by_wall ? wall.seconds() : processor.seconds()));
    spent += times.back();
    if (k > 0) continue;
    row.updates += report.contact_updates;
    row.residual = std::max(row.residual, report.residuals.natural_max);
    row.solves += report.regions;
    row.unconverged += report.unconverged;
  }
  if (times.size() > 1) times.erase(times.begin());  // the first one allocates
  row.solve_ms += median(std::move(times));
}

// Means over the problems.
RegionsRow solve_by(const Method& method, const std::string& scene, const Problems& problems)
{
  RegionsRow row;
  row.scene = scene;
  row.method = method.name;
  row.threads = method.threads;
  row.problems = static_cast<int>(problems.size());
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, method.threads);
  tbb::task_arena(method.threads).execute([&] {
    for (const ContactProblem* problem : problems) {
      row.contacts += problem->size();
      row.regions += regions_of(*problem);
      solve_one(method, *problem, row);
    }
  });
  row.contacts /= row.problems;
  row.regions /= row.problems;
  row.updates /= row.problems;
  row.solve_ms /= row.problems;
  return row;
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
  for (const Method method : {Method{"separated", true}, Method{"one", false}})
    rows.push_back(solve_by(method, scene, problems));
}

std::vector<RegionsRow> rows_of(const std::vector<RegionsRow>& rows, const std::string& scene,
                                const std::string& method, int threads = 1)
{
  std::vector<RegionsRow> chosen;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(chosen), [&](const RegionsRow& row) {
    return row.scene == scene && row.method == method && row.threads == threads;
  });
  return chosen;
}

// Time of one problem over time of its regions, at the first or at the last size of a scene.
double gain(const std::vector<RegionsRow>& rows, const std::string& scene, bool largest)
{
  const std::vector<RegionsRow> one = rows_of(rows, scene, "one");
  const std::vector<RegionsRow> apart = rows_of(rows, scene, "separated");
  if (one.empty() || apart.empty()) return 0.0;
  return largest ? one.back().solve_ms / apart.back().solve_ms
                 : one.front().solve_ms / apart.front().solve_ms;
}

// By wall time, which depends on what else the machine is busy with.
double two_threads_gain(const std::vector<RegionsRow>& rows)
{
  const std::vector<RegionsRow> one = rows_of(rows, "bucket", "threads", 1);
  const std::vector<RegionsRow> two = rows_of(rows, "bucket", "threads", 2);
  return one.empty() || two.empty() ? 0.0 : one.front().solve_ms / two.front().solve_ms;
}

}  // namespace

std::vector<RegionsRow> measure_regions(const BenchOptions& options)
{
  const auto tell = [&](const std::string& what) {
    if (!options.quiet) fmt::print(stderr, "bench regions: {}\n", what);
  };
  std::vector<RegionsRow> rows;
  for (const int lanes : options.quick ? std::vector{1} : std::vector{1, 4, 16}) {
    tell(fmt::format("bowling on {} lanes", lanes));
    const auto problems = record_problems(bowling_lanes(lanes), {.first = 10, .last = 60});
    add_rows(rows, "bowling", nearest(problems, bowling_contacts * lanes, lanes == 1 ? 10 : 1));
  }
  const std::vector<int> sizes =
      options.quick ? std::vector{12, 40} : std::vector{26, 60, 200, 660, 2000};
  for (const int balls : sizes) {
    tell(fmt::format("{} balls in a bucket", balls));
    const bool few = balls < 100;
    const auto problems =
        record_problems(balls_in_bucket(balls), {.first = 16, .last = few ? 46 : 24});
    const Problems chosen = balls == sizes.front() ? nearest(problems, bucket_contacts, 10)
                                                   : Problems{&problems.back()};
    add_rows(rows, "bucket", chosen);
    if (balls == sizes.back())
      for (const int threads : {1, 2})
        rows.push_back(solve_by({"threads", true, threads, true}, "bucket", chosen));
  }
  return rows;
}

double regions_exponent(const std::vector<RegionsRow>& rows, const std::string& method)
{
  std::vector<double> contacts, times;
  for (const RegionsRow& row : rows_of(rows, "bucket", method)) {
    contacts.push_back(row.contacts);
    times.push_back(row.solve_ms);
  }
  return growth_exponent(contacts, times);
}

std::vector<Claim> regions_claims(const std::vector<RegionsRow>& rows)
{
  int solves = 0, unconverged = 0;
  for (const RegionsRow& row : rows) {
    if (row.method != "separated") continue;
    solves += row.solves;
    unconverged += row.unconverged;
  }
  return {{.name = "bowling, 45 contacts: one over separated",
           .value = gain(rows, "bowling", false),
           .bound = 2.5,
           .at_least = true,
           .goal = true},  // skittles touch along lines: few regions, see docs/regions.md
          {.name = "bucket, 80 contacts: one over separated",
           .value = gain(rows, "bucket", false),
           .bound = 7.0,
           .at_least = true},
          {.name = "bucket, most contacts: one over separated",
           .value = gain(rows, "bucket", true),
           .bound = 7.0,
           .at_least = true},
          {.name = "exponent of the time in the contacts, separated",
           .value = regions_exponent(rows, "separated"),
           .bound = 1.15},
          {.name = "bucket, most contacts: one thread over two",
           .value = two_threads_gain(rows),
           .bound = 1.6,
           .at_least = true,
           .goal = true},  // needs two idle cores
          {.name = "regions apart: share that misses the accuracy",
           .value = static_cast<double>(unconverged) / std::max(1, solves),
           .bound = 0.01,
           .timed = false}};
}

std::string regions_table(const std::vector<RegionsRow>& rows)
{
  std::string out;
  const auto line = std::back_inserter(out);
  fmt::format_to(line, "{}\none contact problem of an explicit step, pcg-pgs, cold\n\n",
                 machine_description());
  fmt::format_to(line, "{:<8} {:>8} {:>7} {:>10} {:>7} {:>10} {:>11} {:>9} {:>11}\n", "scene",
                 "contacts", "regions", "method", "threads", "ms", "updates", "residual",
                 "unconverged");
  for (const RegionsRow& row : rows)
    fmt::format_to(line, "{:<8} {:>8} {:>7} {:>10} {:>7} {:>10.3f} {:>11} {:>9.1e} {:>11}\n",
                   row.scene, row.contacts, row.regions, row.method, row.threads, row.solve_ms,
                   row.updates, row.residual, row.unconverged);
  return out + claims_table(regions_claims(rows));
}

std::string regions_json(const std::vector<RegionsRow>& rows)
{
  nlohmann::ordered_json out = {{"bench", "regions"}, {"machine", machine_description()}};
  out["rows"] = nlohmann::ordered_json::array();
  for (const RegionsRow& row : rows)
    out["rows"].push_back({{"scene", row.scene},
                           {"contacts", row.contacts},
                           {"regions", row.regions},
                           {"method", row.method},
                           {"solve_ms", row.solve_ms},
                           {"threads", row.threads},
                           {"updates", row.updates},
                           {"residual", row.residual},
                           {"problems", row.problems},
                           {"solves", row.solves},
                           {"unconverged", row.unconverged}});
  // [Lazarevych10] Sec. 5: time as one problem over time of the regions, on one core.
  out["published"] = nlohmann::ordered_json::array();
  out["published"].push_back(
      {{"scene", "bowling"}, {"contacts", 45}, {"one_over_separated", 2.75}});
  out["published"].push_back({{"scene", "bucket"}, {"contacts", 80}, {"one_over_separated", 7.5}});
  for (const char* method : {"separated", "one"})
    out["fits"][method] = regions_exponent(rows, method);
  out["fits"]["claims"] = to_json(regions_claims(rows));
  return out.dump(1) + "\n";
}

std::string regions_plot(const std::vector<RegionsRow>& rows)
{
  std::vector<Chart> charts;
  for (const char* scene : {"bowling", "bucket"}) {
    Chart chart{.title = scene,
                .x_label = "contacts",
                .y_label = "ms to solve",
                .x_axis = Axis::logarithmic,
                .y_axis = Axis::logarithmic,
                .series = {}};
    for (const char* method : {"separated", "one"}) {
      Series series{.label = method, .points = {}};
      for (const RegionsRow& row : rows_of(rows, scene, method))
        series.points.emplace_back(row.contacts, row.solve_ms);
      chart.series.push_back(std::move(series));
    }
    charts.push_back(std::move(chart));
  }
  return to_svg(charts, 2);
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
