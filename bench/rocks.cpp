#include <bench/rocks.hpp>

#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <bench/cpu_timer.hpp>
#include <tact/contact/judge.hpp>
#include <tact/files/text_file.hpp>
#include <tact/samples/rock_pile.hpp>
#include <tact/solvers/cone/friction_problem_of.hpp>
#include <tact/solvers/cone/friction_solvers.hpp>

namespace tact {

RocksRow measure_pile(int number)
{
  const ContactProblem pile = numbered_rock_pile(number);
  const FrictionProblem problem = CondensedContact(pile).friction_problem();
  RocksRow row;
  row.number = number;
  row.rocks = pile.components();
  row.contacts = problem.contacts();
  FrictionSolution solution;
  const CpuTimer timer;
  const SolveReport report = solve_friction(problem, solution, "auto", {.tolerance = 1e-8});
  row.seconds = timer.seconds();
  const Residuals found = measure(problem, solution.lambda);
  row.status = name(report.status);
  row.residual = found.rel_q;
  row.eps_nat = found.natural;
  row.note = report.note;
  return row;
}

std::string rocks_table(const std::vector<RocksRow>& rows)
{
  std::string text = fmt::format("{:>6} {:>5} {:>8} {:>15} {:>8} {:>8} {:>8}  {}\n", "pile",
                                 "rocks", "contacts", "status", "rel_q", "eps_nat", "s", "note");
  double seconds = 0.0;
  int solved = 0;
  for (const RocksRow& row : rows) {
    text += fmt::format("{:>6} {:>5} {:>8} {:>15} {:>8.1e} {:>8.1e} {:>8.2f}  {}\n", row.number,
                        row.rocks, row.contacts, row.status, row.residual, row.eps_nat, row.seconds,
                        row.note);
    seconds += row.seconds;
    if (row.solved()) ++solved;
  }
  return text + fmt::format("solved {} of {} in {:.3g} s\n", solved, rows.size(), seconds);
}

std::string rocks_json(const std::vector<RocksRow>& rows)
{
  nlohmann::json out = {{"bench", "rocks"}, {"rows", nlohmann::json::array()}};
  for (const RocksRow& row : rows)
    out["rows"].push_back({{"pile", row.number},
                           {"rocks", row.rocks},
                           {"contacts", row.contacts},
                           {"status", row.status},
                           {"rel_q", row.residual},
                           {"eps_nat", row.eps_nat},
                           {"seconds", row.seconds},
                           {"note", row.note}});
  return out.dump(2) + "\n";
}

int run_rocks_bench(const BenchOptions& options)
{
  const int piles = options.quick ? 20 : 200;
  std::vector<RocksRow> rows;
  for (int number = 0; number < piles; ++number) {
    if (!options.quiet) fmt::print(stderr, "bench rocks: pile {} of {}\n", number, piles);
    rows.push_back(measure_pile(number));
  }
  if (!options.json_file.empty()) write_text(options.json_file, rocks_json(rows));
  fmt::print("{}", rocks_table(rows));
  const bool solved = std::ranges::all_of(rows, [](const RocksRow& row) { return row.solved(); });
  return solved ? 0 : 3;
}

}  // namespace tact
