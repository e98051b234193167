// Table, JSON and plot of `tact bench truth`.
#include <algorithm>
#include <iterator>

#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bench/machine.hpp>
#include <bench/truth.hpp>
#include <tact/files/svg_heat_table.hpp>

namespace tact {
namespace {

void add_once(std::vector<std::string>& names, const std::string& name)
{
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// Solvers down, situations across, both in the order of the rows. Solvers that take none of the
// situations are left out.
HeatTable truth_heat_table(const std::vector<TruthRow>& rows, const char* title,
                           double TruthRow::*figure)
{
  HeatTable table;
  table.title = title;
  for (const TruthRow& row : rows) {
    add_once(table.columns, row.situation);
    if (row.taken()) add_once(table.rows, row.solver);
  }
  for (const std::string& solver : table.rows) {
    for (const std::string& situation : table.columns) {
      const auto row = std::find_if(rows.begin(), rows.end(), [&](const TruthRow& r) {
        return r.solver == solver && r.situation == situation;
      });
      const bool measured = row != rows.end() && row->taken();
      table.cells.push_back(measured ? HeatCell{(*row).*figure, false, row->status != "converged"}
                                     : HeatCell{0.0, true, false});
    }
  }
  return table;
}

}  // namespace

std::string truth_table(const std::vector<TruthRow>& rows)
{
  std::string out = machine_description() + "\n";
  const auto line = std::back_inserter(out);
  for (const TruthRow& row : rows) {
    if (row.solver == "auto")
      fmt::format_to(line, "\n{}, {} contacts\n{:<18} {:<8} {:<15} {:>10} {:>10} {:>10}\n",
                     row.situation, row.contacts, "solver", "friction", "status", "residual",
                     "creep", "ms");
    if (!row.taken())
      fmt::format_to(line, "{:<18} {:<8} {}\n", row.solver, "", row.status);
    else
      fmt::format_to(line, "{:<18} {:<8} {:<15} {:>10.1e} {:>10.1e} {:>10.2f}\n", row.solver,
                     row.friction, row.status, row.residual, row.creep, 1e3 * row.seconds);
  }
  return out;
}

std::string truth_json(const std::vector<TruthRow>& rows)
{
  nlohmann::ordered_json out = {{"bench", "truth"}, {"machine", machine_description()}};
  out["rows"] = nlohmann::ordered_json::array();
  for (const TruthRow& row : rows)
    out["rows"].push_back({{"situation", row.situation},
                           {"contacts", row.contacts},
                           {"solver", row.solver},
                           {"friction", row.friction},
                           {"status", row.status},
                           {"residual", row.residual},
                           {"creep", row.creep},
                           {"allowed_creep", row.allowed_creep},
                           {"seconds", row.seconds}});
  out["published"] = nlohmann::ordered_json::array();
  out["fits"] = nlohmann::ordered_json::object();
  return out.dump(1) + "\n";
}

std::string truth_plot(const std::vector<TruthRow>& rows)
{
  return to_svg(
      {truth_heat_table(rows, "Residual (m/s); * above what was asked for", &TruthRow::residual),
       truth_heat_table(
           rows, "Creep: sliding beyond the true velocity (m/s); lemke-*: of a friction pyramid",
           &TruthRow::creep)});
}

}  // namespace tact
