// tact ccd: stored motion queries, answered and compared with their ground truth.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cli/commands.hpp>
#include <cli/progress.hpp>
#include <cli/table.hpp>
#include <tact/core/error.hpp>
#include <tact/files/ccd_io.hpp>
#include <tact/files/ccd_times.hpp>
#include <tact/files/text_file.hpp>
#include <tact/run/ccd_check.hpp>

namespace tact::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct CcdOptions {
  std::vector<std::string> files;
  std::string kind;  // empty: told by the path of each file
  bool json = false;
};

struct QueryFile {
  std::string file;
  CcdKind kind;
  std::vector<LabelledQuery> queries;
  std::vector<ReferenceTime> times;
};

struct CheckedFile {
  std::string file;
  CcdKind kind;
  CcdReport report;
};

CcdKind kind_of(const std::string& file, const CcdOptions& options)
{
  for (const CcdKind kind : {CcdKind::vertex_face, CcdKind::edge_edge})
    if (options.kind == name(kind)) return kind;
  if (!options.kind.empty())
    throw Error(fmt::format("--kind: found \"{}\", expected vertex-face or edge-edge{}",
                            options.kind,
                            did_you_mean(options.kind, {"vertex-face", "edge-edge"})));
  if (const auto kind = ccd_kind_in_path(file)) return *kind;
  throw Error(
      fmt::format("{}: neither the file nor its folder is called vertex-face or edge-edge; "
                  "--kind tells which it is",
                  file));
}

// The stored times that speak of a file, if any. Each toi.csv is read once.
class StoredTimes {
 public:
  std::vector<ReferenceTime> of(const fs::path& file)
  {
    const auto found = find_reference_times(file);
    if (!found) return {};
    const auto [table, fresh] = tables_.try_emplace(*found);
    if (fresh) table->second = read_reference_times(*found);
    const fs::path relative = fs::weakly_canonical(file).lexically_relative(found->parent_path());
    const auto times = table->second.find(relative.generic_string());
    return times == table->second.end() ? std::vector<ReferenceTime>{} : times->second;
  }

 private:
  std::map<fs::path, ReferenceTimes> tables_;
};

// Everything that can be wrong with the request is found here, before the first answer.
std::vector<QueryFile> read_all(const CcdOptions& options, const Console& console)
{
  if (options.files.empty()) throw Error("ccd: no file given, expected at least one query file");
  StoredTimes stored;
  std::vector<QueryFile> files;
  for (const std::string& file : options.files) {
    console.detail("reading " + file);
    const std::string text = read_text(file);
    const CcdKind kind = kind_of(file, options);
    files.push_back({file, kind, parse_ccd_queries(text, kind, file), stored.of(file)});
    const std::size_t count = files.back().queries.size();
    for (const ReferenceTime& time : files.back().times)
      if (static_cast<std::size_t>(time.query) >= count)
        throw Error(fmt::format("{}: toi.csv speaks of query {}, found {} queries", file,
                                time.query, count));
  }
  return files;
}

std::vector<CheckedFile> check_all(const std::vector<QueryFile>& files, const Console& console)
{
  Progress progress(console, static_cast<int>(files.size()));
  std::vector<CheckedFile> checked;
  for (const QueryFile& file : files) {
    progress.begin("answering " + file.file);
    checked.push_back({file.file, file.kind, check_ccd_queries(file.queries, file.times)});
  }
  return checked;
}

double mean_us(const CcdReport& report)
{
  return 1e6 * report.seconds / report.queries;
}

Json to_json(const CheckedFile& checked)
{
  const CcdReport& report = checked.report;
  Json stages = Json::object();
  for (int stage = 0; stage < ccd_stage_count; ++stage)
    stages[std::string(name(static_cast<CcdStage>(stage)))] = report.decided_by[stage];
  return {{"file", checked.file},
          {"kind", name(checked.kind)},
          {"queries", report.queries},
          {"collisions", report.collisions},
          {"false_positives", report.false_positives},
          {"false_negatives", report.false_negatives},
          {"seconds", report.seconds},
          {"toi_compared", report.times_compared},
          {"toi_late", report.times_late},
          {"toi_early_max", report.earliest_time},
          {"mean_us", mean_us(report)},
          {"max_us", 1e6 * report.longest_seconds},
          {"stages", std::move(stages)}};
}

void print_json(const std::vector<CheckedFile>& files, const Console& console)
{
  Json report = Json::object();
  report["files"] = Json::array();
  for (const CheckedFile& file : files) report["files"].push_back(to_json(file));
  console.out << report.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

std::vector<Cell> cells(const std::string& file, std::string_view kind, const CcdReport& report)
{
  const auto fault = [](int count) {
    return Cell{std::to_string(count), count == 0 ? Tone::good : Tone::bad};
  };
  const bool compared = report.times_compared > 0;
  return {{file},
          {std::string(kind)},
          {std::to_string(report.queries)},
          {std::to_string(report.collisions)},
          fault(report.false_positives),
          fault(report.false_negatives),
          compared ? fault(report.times_late) : Cell{"-"},
          {compared ? fmt::format("{:.1e}", report.earliest_time) : "-"},
          {fmt::format("{:.2f}", mean_us(report))},
          {fmt::format("{:.1f}", 1e6 * report.longest_seconds)},
          {std::to_string(report.decided_by[static_cast<int>(CcdStage::exact)])}};
}

void print_table(const std::vector<CheckedFile>& files, const Console& console)
{
  Table table({{"file"},
               {"kind"},
               {"queries", true},
               {"collisions", true},
               {"wrong yes", true},
               {"missed", true},
               {"late", true},
               {"earliest", true},
               {"mean us", true},
               {"max us", true},
               {"exact", true}});
  CcdReport total;
  for (const auto& [file, kind, report] : files) {
    table.add(cells(file, name(kind), report));
    total += report;
  }
  if (files.size() > 1) table.add(cells(fmt::format("{} files", files.size()), "", total));
  table.print(console);
}

int verdict(const std::vector<CheckedFile>& files, const Console& console)
{
  const auto differs = [](const CheckedFile& file) { return !file.report.agrees(); };
  const auto count = std::count_if(files.begin(), files.end(), differs);
  if (count == 0) return done;
  const CheckedFile& first = *std::find_if(files.begin(), files.end(), differs);
  console.tell(fmt::format("{} of {} files with wrong verdicts or times, the first: {}", count,
                           files.size(), first.file));
  return not_reached;
}

int answer_files(const CcdOptions& options, const Console& console)
{
  const std::vector<CheckedFile> files = check_all(read_all(options, console), console);
  if (options.json)
    print_json(files, console);
  else
    print_table(files, console);
  return verdict(files, console);
}

Action declare_ccd(CLI::App& app)
{
  const auto options = std::make_shared<CcdOptions>();
  app.add_option("FILE", options->files, "Query files (docs/ccd.md): 8 rows of 7 integers a query")
      ->type_name("");
  app.add_option("--kind", options->kind,
                 "vertex-face or edge-edge; default: as the file or its folder is called")
      ->type_name("KIND");
  app.add_flag("--json", options->json, "Print the report as JSON");
  return [options](const Console& console) { return answer_files(*options, console); };
}

}  // namespace

Command ccd_command()
{
  return {"ccd", "Answer stored motion queries and compare with their ground truth",
          "  tact ccd unit-tests/vertex-face/data_0_0.csv\n"
          "  tact ccd ccd/*/*/*.csv --json > report.json\n",
          declare_ccd};
}

}  // namespace tact::cli
