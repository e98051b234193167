// tact ccd: its report, its exit codes and what it refuses.
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <data.hpp>
#include <files/temporary_folder.hpp>
#include <tact/files/text_file.hpp>

#include "run_command.hpp"

namespace tact::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// A temporary folder laid out like the published queries.
struct QueryFolder {
  TemporaryFolder folder;

  QueryFolder() { fs::create_directories(folder.path() / "scene" / "edge-edge"); }

  std::string write(const std::string& name, const std::string& text) const
  {
    write_text(folder.path() / name, text);
    return (folder.path() / name).string();
  }
};

// Two crossing edges; the second passes through the first at t = 3/8.
std::string crossing_edges(int truth)
{
  std::string text;
  for (const char* row : {"-1,1,0,1,0,1", "1,1,0,1,0,1", "0,1,-1,1,3,4", "0,1,1,1,3,4",  //
                          "-1,1,0,1,0,1", "1,1,0,1,0,1", "0,1,-1,1,-5,4", "0,1,1,1,-5,4"})
    text += fmt::format("{},{}\n", row, truth);
  return text;
}

// A toi.csv with one line.
std::string contact_time(const std::string& file, int query, const std::string& time)
{
  return fmt::format("file,query,collision,toi,coplanar_motion\n{},{},1,{},0\n", file, query, time);
}

TEST_CASE("ccd reports each file with the keys that scripts read")
{
  const QueryFolder folder;
  const std::string file = folder.write("scene/edge-edge/data.csv", crossing_edges(1));
  folder.write("toi.csv", contact_time("scene/edge-edge/data.csv", 0, "0.375"));
  const Result result = in_process({"ccd", file, "--json"});
  CHECK(result.code == done);
  CHECK(result.err.empty());
  const Json report = Json::parse(result.out);
  REQUIRE(report.size() == 1);
  REQUIRE(report.at("files").size() == 1);
  const Json& row = report["files"][0];
  std::set<std::string> keys;
  for (const auto& [key, value] : row.items()) keys.insert(key);
  CHECK(keys == std::set<std::string>{"file", "kind", "queries", "collisions", "false_positives",
                                      "false_negatives", "seconds", "toi_compared", "toi_late",
                                      "toi_early_max", "mean_us", "max_us", "stages"});
  CHECK(row["file"] == file);
  CHECK(row["kind"] == "edge-edge");
  CHECK(row["queries"] == 1);
  CHECK(row["collisions"] == 1);
  CHECK(row["false_positives"] == 0);
  CHECK(row["false_negatives"] == 0);
  CHECK(row["toi_compared"] == 1);
  CHECK(row["toi_late"] == 0);
  CHECK(row["toi_early_max"] < 1e-9);
  CHECK(row["stages"]["subdivision"] == 1);
}

TEST_CASE("ccd ends with 3 where a verdict or a time is not the stored one")
{
  const QueryFolder folder;
  const std::string file = folder.write("scene/edge-edge/data.csv", crossing_edges(0));
  const Result wrong = in_process({"ccd", file, "--json"});
  CHECK(wrong.code == not_reached);
  CHECK(Json::parse(wrong.out)["files"][0]["false_positives"] == 1);

  folder.write("scene/edge-edge/data.csv", crossing_edges(1));
  folder.write("toi.csv", contact_time("scene/edge-edge/data.csv", 0, "0.37499"));
  const Result late = in_process({"ccd", file, "--json"});
  CHECK(late.code == not_reached);
  CHECK(Json::parse(late.out)["files"][0]["toi_late"] == 1);

  folder.write("toi.csv", contact_time("scene/edge-edge/data.csv", 0, "0.37501"));
  CHECK(in_process({"ccd", file}).code == not_reached);  // 1e-5 early
}

TEST_CASE("ccd prints a table with a row for each file and one for all")
{
  const QueryFolder folder;
  const std::string one = folder.write("scene/edge-edge/one.csv", crossing_edges(1));
  const std::string two = folder.write("scene/edge-edge/two.csv", crossing_edges(1));
  const Result result = in_process({"ccd", one, two});
  CHECK(result.code == done);
  CHECK(result.out.find(one) != std::string::npos);
  CHECK(result.out.find("2 files") != std::string::npos);
}

TEST_CASE("ccd refuses what it cannot answer, before it answers anything")
{
  const QueryFolder folder;
  const std::string good = folder.write("scene/edge-edge/good.csv", crossing_edges(1));
  const std::string bad = folder.write("scene/edge-edge/bad.csv", crossing_edges(1) + "1,2,3\n");
  const std::string nameless = folder.write("scene/queries.csv", crossing_edges(1));
  check_refused(in_process({"ccd"}), "no file given");
  check_refused(in_process({"ccd", good, bad}), "bad.csv: line 9: found 3 columns");
  check_refused(in_process({"ccd", "missing.csv"}), "missing.csv: no such file");
  check_refused(in_process({"ccd", nameless}), "--kind");
  check_refused(in_process({"ccd", nameless, "--kind", "edge-edg"}), "did you mean \"edge-edge\"?");
  CHECK(in_process({"ccd", nameless, "--kind", "edge-edge"}).code == done);
  folder.write("toi.csv", contact_time("scene/edge-edge/good.csv", 7, "0.5"));
  check_refused(in_process({"ccd", good}), "toi.csv speaks of query 7");
  folder.write("toi.csv", "something else\n");
  check_refused(in_process({"ccd", good}), "toi.csv: line 1");
}

TEST_CASE("ccd agrees with all published queries")
{
  const auto folder = test_data("ccd");
  if (!folder) return;
  std::vector<std::string> arguments = {"ccd", "--json"};
  for (const auto& entry : fs::recursive_directory_iterator(*folder))
    if (entry.path().filename().string().starts_with("data_"))
      arguments.push_back(entry.path().string());
  const Result result = in_process(arguments);
  CHECK(result.code == done);
  int compared = 0;
  const Json report = Json::parse(result.out);
  for (const Json& row : report.at("files")) compared += row.at("toi_compared").get<int>();
  CHECK(compared == 325);
}

}  // namespace
}  // namespace tact::cli
