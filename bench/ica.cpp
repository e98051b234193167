#include <bench/ica.hpp>

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>
#include <tbb/task_arena.h>
#include <nlohmann/json.hpp>

#include <bench/cpu_timer.hpp>
#include <bench/machine.hpp>
#include <bench/statistics.hpp>
#include <tact/contact/judge.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/files/svg_chart.hpp>
#include <tact/files/text_file.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/setup/step_options.hpp>
#include <tact/solvers/solvers.hpp>

namespace tact {
namespace {

constexpr std::array methods = {"ica", "anticipation", "full"};
constexpr double tolerance = 1e-3;  // m/s
constexpr int most_full_contacts = 3000;

struct Snapshot {
  ContactProblem problem;
  int tetrahedra = 0;
};

// The contact problem of letters in two layers when they have come to lie.
Snapshot snapshot(int letters, int tetrahedra_each, int steps)
{
  const Scene scene = build_scene(
      read_scene("letters", {"/contact/rows_per_pair=0", fmt::format("/count={}", letters),
                             "/columns=4", fmt::format("/rows={}", std::max(1, letters / 8)),
                             fmt::format("/tetrahedra={}", tetrahedra_each)}));
  Stepper stepper = make_stepper(scene);
  State state = scene.world.start();
  for (int k = 0; k < steps; ++k) (void)stepper.step(state, scene.run.dt);
  return {stepper.last().problem, letters * tetrahedra_each};
}

// Cold, on one thread: factors, responses and iterations, nothing kept from a step before.
IcaRow solve(const Snapshot& snapshot, const std::string& method)
{
  IcaRow row;
  row.tetrahedra = snapshot.tetrahedra;
  row.contacts = snapshot.problem.size();
  row.method = method;
  tbb::task_arena(1).execute([&] {
    ContactSolution solution;
    const CpuTimer timer;
    const SolveReport report =
        solve_contact(snapshot.problem, solution, method, {.tolerance = tolerance});
    row.step_ms = 1e3 * timer.seconds();
    row.status = name(report.status);
    row.residual = measure(snapshot.problem, solution).worst();
  });
  return row;
}

void add_rows(std::vector<IcaRow>& rows, const std::string& sweep, int letters, int tetrahedra,
              const BenchOptions& options)
{
  if (!options.quiet)
    fmt::print(stderr, "bench ica: {} letters of {} tetrahedra\n", letters, tetrahedra);
  const Snapshot taken = snapshot(letters, tetrahedra, options.quick ? 10 : 40);
  for (const char* method : methods) {
    if (method == std::string("full") && taken.problem.size() > most_full_contacts) continue;
    IcaRow row = solve(taken, method);
    row.sweep = sweep;
    row.letters = letters;
    rows.push_back(row);
  }
}

std::vector<IcaRow> select(const std::vector<IcaRow>& rows, const std::string& sweep,
                           const std::string& method)
{
  std::vector<IcaRow> chosen;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(chosen),
               [&](const IcaRow& row) { return row.sweep == sweep && row.method == method; });
  return chosen;
}

Chart chart_of(const std::vector<IcaRow>& rows, const std::string& sweep)
{
  const bool by_contacts = sweep == "letters";
  Chart chart{.title = by_contacts ? "More letters" : "Finer letters",
              .x_label = by_contacts ? "contacts" : "tetrahedra",
              .y_label = "ms to solve one step",
              .x_axis = Axis::logarithmic,
              .y_axis = Axis::logarithmic,
              .series = {}};
  for (const char* method : methods) {
    Series series{.label = method, .points = {}};
    for (const IcaRow& row : select(rows, sweep, method))
      series.points.emplace_back(by_contacts ? row.contacts : row.tetrahedra, row.step_ms);
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

std::vector<IcaRow> measure_ica(const BenchOptions& options)
{
  std::vector<IcaRow> rows;
  for (const int letters : options.quick ? std::vector{4, 8} : std::vector{8, 16, 32, 64, 128})
    add_rows(rows, "letters", letters, 135, options);
  for (const int tetrahedra : options.quick ? std::vector{100} : std::vector{70, 135, 270, 540})
    add_rows(rows, "tetrahedra", options.quick ? 4 : 16, tetrahedra, options);
  return rows;
}

double ica_exponent(const std::vector<IcaRow>& rows, const std::string& method)
{
  std::vector<double> contacts, times;
  for (const IcaRow& row : select(rows, "letters", method)) {
    contacts.push_back(row.contacts);
    times.push_back(row.step_ms);
  }
  return growth_exponent(contacts, times);
}

std::vector<Claim> ica_claims(const std::vector<IcaRow>& rows)
{
  double worst = 0.0;
  for (const IcaRow& row : rows) worst = std::max(worst, row.residual);
  return {
      {.name = "exponent of the time in the contacts, full",
       .value = ica_exponent(rows, "full"),
       .bound = 2.0,
       .at_least = true},
      {.name = "the same, ica", .value = ica_exponent(rows, "ica"), .bound = 1.2},
      {.name = "the same, anticipation", .value = ica_exponent(rows, "anticipation"), .bound = 1.2},
      {.name = "residual, the worst (m/s)", .value = worst, .bound = tolerance, .timed = false}};
}

std::string ica_table(const std::vector<IcaRow>& rows)
{
  std::string out;
  const auto line = std::back_inserter(out);
  fmt::format_to(line, "{}\none contact problem of letters at rest, cold, one thread\n\n",
                 machine_description());
  fmt::format_to(line, "{:>7} {:>10} {:>8} {:>12} {:>10} {:>10} {}\n", "letters", "tetrahedra",
                 "contacts", "method", "ms", "residual", "status");
  for (const IcaRow& row : rows)
    fmt::format_to(line, "{:>7} {:>10} {:>8} {:>12} {:>10.1f} {:>10.1e} {}\n", row.letters,
                   row.tetrahedra, row.contacts, row.method, row.step_ms, row.residual, row.status);
  return out + claims_table(ica_claims(rows));
}

std::string ica_json(const std::vector<IcaRow>& rows)
{
  nlohmann::ordered_json out = {{"bench", "ica"}, {"machine", machine_description()}};
  out["rows"] = nlohmann::ordered_json::array();
  for (const IcaRow& row : rows)
    out["rows"].push_back({{"contacts", row.contacts},
                           {"tetrahedra", row.tetrahedra},
                           {"method", row.method},
                           {"step_ms", row.step_ms},
                           {"letters", row.letters},
                           {"grows", row.sweep},
                           {"residual", row.residual},
                           {"status", row.status}});
  // [Otaduy09] fig. 6: full anticipation quadratic in the contacts, iterative linear.
  out["published"] = nlohmann::ordered_json::array();
  out["published"].push_back({{"method", "full"}, {"exponent", 2.0}});
  out["published"].push_back({{"method", "ica"}, {"exponent", 1.0}});
  for (const char* method : methods) out["fits"][method] = ica_exponent(rows, method);
  out["fits"]["claims"] = to_json(ica_claims(rows));
  return out.dump(1) + "\n";
}

std::string ica_plot(const std::vector<IcaRow>& rows)
{
  return to_svg({chart_of(rows, "letters"), chart_of(rows, "tetrahedra")}, 2);
}

int run_ica_bench(const BenchOptions& options)
{
  const std::vector<IcaRow> rows = measure_ica(options);
  if (!options.json_file.empty()) write_text(options.json_file, ica_json(rows));
  if (!options.plot_file.empty()) write_text(options.plot_file, ica_plot(rows));
  fmt::print("{}", ica_table(rows));
  return exit_code(ica_claims(rows), options.quick);
}

}  // namespace tact
