#include <tact/run/solution_io.hpp>

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tact/files/text_file.hpp>

namespace tact {
namespace {

using Json = nlohmann::ordered_json;

Json row_json(const SolvedProblem& row)
{
  const SolveReport& report = row.report;
  Json json = {{"solver", row.solver},
               {"status", name(report.status)},
               {"residual", report.residual},  // null where it is not finite
               {"iterations", report.iterations},
               {"seconds", report.seconds},
               {"restarts", report.restarts}};
  if (row.friction) {
    json["rel_q"] = row.friction->rel_q;
    json["rel_max"] = row.friction->rel_max;
    json["eps_nat"] = row.friction->natural;
  }
  if (!report.note.empty()) json["note"] = report.note;
  return json;
}

Json array(const VectorXd& values)
{
  return std::vector<double>(values.begin(), values.end());
}

void add_answer(Json& json, const LcpSolution& solution)
{
  json["z"] = array(solution.z);
  json["w"] = array(solution.w);
}

void add_answer(Json& json, const ContactSolution& solution)
{
  json["v"] = array(solution.v);
  json["lambda"] = array(solution.lambda);
  json["beta"] = array(solution.beta);
}

void add_answer(Json& json, const FrictionSolution& solution)
{
  json["u"] = array(solution.u);
  json["lambda"] = array(solution.lambda);
  if (solution.v.size() > 0) json["v"] = array(solution.v);
  if (solution.beta.size() > 0) json["beta"] = array(solution.beta);
}

Json record_json(const SolveRecord& record, bool with_answers)
{
  Json rows = Json::array();
  for (const SolvedProblem& row : record.rows) {
    Json json = row_json(row);
    if (with_answers)
      std::visit([&](const auto& answer) { add_answer(json, answer); }, row.solution);
    rows.push_back(std::move(json));
  }
  return {{"file", record.file},
          {"kind", record.kind},
          {"size", record.size},
          {"contacts", record.contacts},
          {"rows", std::move(rows)}};
}

}  // namespace

bool SolveRecord::solved() const
{
  return std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.report.ok(); });
}

Json report_json(const std::vector<SolveRecord>& records)
{
  Json problems = Json::array();
  for (const SolveRecord& record : records) problems.push_back(record_json(record, false));
  Json report = Json::object();
  report["problems"] = std::move(problems);
  return report;
}

void write_solutions(const std::filesystem::path& file, const std::vector<SolveRecord>& records)
{
  std::vector<std::string> lines;  // one a problem; file names need not be UTF-8, JSON must be
  for (const SolveRecord& record : records)
    lines.push_back(record_json(record, true).dump(-1, ' ', false, Json::error_handler_t::replace));
  write_text(file,
             fmt::format("{{\n \"kind\": \"solutions\",\n \"version\": 1,\n \"problems\": [\n  "
                         "{}\n ]\n}}\n",
                         fmt::join(lines, ",\n  ")));
}

}  // namespace tact
