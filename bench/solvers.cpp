#include <bench/solvers.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include <fmt/core.h>

#include <bench/cpu_timer.hpp>
#include <bench/siconos_solvers.hpp>
#include <tact/contact/judge.hpp>
#include <tact/files/fclib_io.hpp>
#include <tact/files/friction_io.hpp>
#include <tact/files/text_file.hpp>
#include <tact/samples/contact_families.hpp>
#include <tact/solvers/cone/friction_problem_of.hpp>
#include <tact/solvers/cone/friction_solvers.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;

struct NamedProblem {
  std::string name;
  FrictionProblem problem;
  std::optional<VelocityForm> form;  // where it came as a contact problem
};

// Stacks of blocks as [Lloyd05] has them, with more contacts than motions.
std::vector<NamedProblem> block_stacks(bool quick)
{
  std::vector<NamedProblem> problems;
  Random random(1);
  for (const int blocks : quick ? std::vector{2, 4} : std::vector{2, 5, 10}) {
    const ContactProblem stack = block_stack(blocks, 8 * blocks - 4, random);
    problems.push_back({fmt::format("block-stack-{}", blocks),
                        CondensedContact(stack).friction_problem(), velocity_form(stack)});
  }
  return problems;
}

// Where FCLIB's problems are, unless someone asks for others.
fs::path folder_of_problems(const BenchOptions& options)
{
  if (!options.problems.empty()) return options.problems;
  const char* data = std::getenv("TACT_DATA");
  return fs::path(data ? data : ".") / "fclib";
}

void add_stored_problems(std::vector<NamedProblem>& problems, const fs::path& folder)
{
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (is_hdf5(entry.path()) || entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    if (file.filename() == "reference.json") continue;  // figures of other solvers
    const Problem problem = read_problem(file);
    NamedProblem& named =
        problems.emplace_back(NamedProblem{file.stem().string(), local_form(problem), {}});
    const auto* contact = std::get_if<ContactProblem>(&problem.data);
    if (contact && contact->bilateral.empty() && !is_planar(*contact))
      named.form = velocity_form(*contact);
  }
}

// Runs again while that is cheap, and keeps the best time.
template <class Run>
double best_seconds(Run run)
{
  constexpr double enough = 0.05;  // s
  constexpr int most_runs = 20;
  double best = std::numeric_limits<double>::infinity();
  double sum = 0.0;
  for (int k = 0; k < most_runs && sum < enough; ++k) {
    const double seconds = run();
    best = std::min(best, seconds);
    sum += seconds;
  }
  return best;
}

SolverRow measure_ours(const NamedProblem& named, std::string_view solver, double tolerance)
{
  SolverRow row{
      .problem = named.name, .contacts = named.problem.contacts(), .tolerance = tolerance};
  row.solver = solver;
  row.seconds = best_seconds([&] {
    FrictionSolution solution;
    const CpuTimer timer;
    const SolveReport report =
        solve_friction(named.problem, solution, solver,
                       {.tolerance = tolerance, .form = named.form ? &*named.form : nullptr});
    const double seconds = timer.seconds();
    row.status = name(report.status);
    row.residual = report.residual;
    row.iterations = report.iterations;
    return seconds;
  });
  return row;
}

// Nothing where the solver does not take the problem.
std::optional<SolverRow> measure_theirs(const NamedProblem& named, const std::string& solver,
                                        double tolerance, double limit)
{
  SolverRow row{.problem = named.name,
                .contacts = named.problem.contacts(),
                .tolerance = tolerance,
                .solver = "siconos-" + solver};
  std::optional<SiconosAnswer> answer;
  row.seconds = best_seconds([&] {
    answer = solve_by_siconos(solver, named.problem, tolerance, static_cast<int>(std::ceil(limit)));
    return answer ? answer->seconds : std::numeric_limits<double>::infinity();
  });
  if (!answer) return std::nullopt;
  row.residual = answer->ended ? std::numeric_limits<double>::infinity()
                               : measure(named.problem, answer->lambda).rel_q;
  row.iterations = answer->iterations;
  row.status = row.solved() ? "converged" : answer->ended ? "out of time" : "stalled";
  return row;
}

// Which solvers have taken too long. Problems come by size, so that larger ones would take longer.
class Patience {
 public:
  explicit Patience(double limit) : limit_(limit) {}

  template <class Measure>
  std::optional<SolverRow> try_solver(const NamedProblem& named, const std::string& solver,
                                      double tolerance, Measure measure)
  {
    const std::string key = fmt::format("{} {}", solver, tolerance);
    if (lost_.contains(key))
      return SolverRow{.problem = named.name,
                       .contacts = named.problem.contacts(),
                       .tolerance = tolerance,
                       .solver = solver,
                       .status = "skipped",
                       .residual = std::numeric_limits<double>::infinity()};
    const std::optional<SolverRow> row = measure();
    if (limit_ > 0.0 && row && row->seconds >= limit_) lost_.insert(key);
    return row;
  }
  double limit() const { return limit_; }

 private:
  double limit_;  // s
  std::set<std::string> lost_;
};

void measure_all(const NamedProblem& named, double tolerance, Patience& patience,
                 std::vector<SolverRow>& rows)
{
  for (const std::string& solver : friction_solvers())
    rows.push_back(*patience.try_solver(named, solver, tolerance, [&] {
      return std::optional(measure_ours(named, solver, tolerance));
    }));
  for (const std::string& solver : siconos_solvers())
    if (auto row = patience.try_solver(named, fmt::format("siconos-{}", solver), tolerance, [&] {
          return measure_theirs(named, solver, tolerance, patience.limit());
        }))
      rows.push_back(std::move(*row));
}

}  // namespace

std::vector<SolverRow> measure_solvers(const BenchOptions& options)
{
  std::vector<NamedProblem> problems;
  if (options.problems.empty()) problems = block_stacks(options.quick);
  if (!options.quick || !options.problems.empty())
    add_stored_problems(problems, folder_of_problems(options));
  if (options.limit > 0.0)
    std::stable_sort(problems.begin(), problems.end(), [](const auto& a, const auto& b) {
      return a.problem.contacts() < b.problem.contacts();
    });
  Patience patience(options.limit);
  std::vector<SolverRow> rows;
  for (const NamedProblem& named : problems) {
    if (!options.quiet) fmt::print(stderr, "bench solvers: {}\n", named.name);
    for (const double tolerance : {1e-4, 1e-8}) measure_all(named, tolerance, patience, rows);
  }
  return rows;
}

double Profile::share(double tau) const
{
  const auto within = std::upper_bound(ratios.begin(), ratios.end(), tau) - ratios.begin();
  return problems > 0 ? static_cast<double>(within) / problems : 0.0;
}

std::vector<Profile> performance_profiles(const std::vector<SolverRow>& rows, double tolerance)
{
  std::map<std::string, double> best;  // of each problem
  for (const SolverRow& row : rows) {
    if (row.tolerance != tolerance) continue;
    double& seconds =
        best.emplace(row.problem, std::numeric_limits<double>::infinity()).first->second;
    if (row.solved()) seconds = std::min(seconds, row.seconds);
  }
  std::vector<Profile> profiles;
  for (const SolverRow& row : rows) {
    if (row.tolerance != tolerance) continue;
    auto profile = std::find_if(profiles.begin(), profiles.end(),
                                [&](const Profile& p) { return p.solver == row.solver; });
    if (profile == profiles.end())
      profile = profiles.insert(profiles.end(), Profile{row.solver, {}, 0, 0.0});
    ++profile->problems;
    profile->seconds += row.seconds;
    if (row.solved()) profile->ratios.push_back(row.seconds / best[row.problem]);
  }
  for (Profile& profile : profiles) std::sort(profile.ratios.begin(), profile.ratios.end());
  return profiles;
}

int run_solvers_bench(const BenchOptions& options)
{
  const std::vector<SolverRow> rows = measure_solvers(options);
  if (!options.json_file.empty()) write_text(options.json_file, solvers_json(rows));
  if (!options.plot_file.empty()) write_text(options.plot_file, solvers_plot(rows));
  fmt::print("{}", solvers_table(rows));
  const bool solved = std::all_of(rows.begin(), rows.end(), [](const SolverRow& row) {
    return row.solver != "auto" || row.solved();
  });
  return solved ? 0 : 3;
}

}  // namespace tact
