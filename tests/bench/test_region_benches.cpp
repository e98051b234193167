// Quick runs of the benches of detached regions.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include <bench/pcg_pgs.hpp>
#include <bench/regions.hpp>

using namespace tact;

namespace {

BenchOptions quick_and_quiet()
{
  BenchOptions options;
  options.quick = options.quiet = true;
  return options;
}

RegionsRow row(const char* scene, const char* method, int problems, double contacts, double ms)
{
  RegionsRow out;
  out.scene = scene;
  out.method = method;
  out.problems = problems;
  out.contacts = contacts;
  out.solve_ms = ms;
  return out;
}

}  // namespace

TEST_CASE("bench regions: gains are of all problems of a scene, and rows of few are not fitted")
{
  const std::vector<RegionsRow> rows = {
      row("bowling", "separated", 10, 20, 1.0), row("bowling", "one", 10, 20, 3.0),
      row("bowling", "separated", 5, 45, 2.0),  row("bowling", "one", 5, 45, 6.0),
      row("bucket", "separated", 9, 80, 1.0),   row("bucket", "one", 9, 80, 8.0),
      row("bucket", "separated", 9, 800, 10.0), row("bucket", "one", 9, 800, 800.0),
      row("bucket", "separated", 1, 8, 100.0)};
  CHECK(regions_gain(rows, "bowling", "") == doctest::Approx(3.0));
  CHECK(regions_gain(rows, "bucket", "") == doctest::Approx(9 * 808.0 / (9 * 11.0 + 100.0)));
  CHECK(regions_exponent(rows, "separated") == doctest::Approx(1.0));
  CHECK(regions_exponent(rows, "one") == doctest::Approx(2.0));
}

TEST_SUITE_BEGIN("slow");

TEST_CASE("a quick run of bench regions: all ways reach the accuracy and regions are many")
{
  const std::vector<RegionsRow> rows = measure_regions(quick_and_quiet());
  for (const char* scene : {"bowling", "bucket"}) CHECK(regions_gain(rows, scene, "") > 0.0);
  int solves = 0, unconverged = 0;
  for (const RegionsRow& row : rows) {
    CAPTURE(row.scene);
    CAPTURE(row.method);
    CHECK(row.contacts >= 1.0);
    CHECK(row.regions >= 1.0);
    CHECK((row.assembly_ms > 0.0) == row.method.ends_with("dense"));
    if (row.method != "separated") continue;
    solves += row.solves;
    unconverged += row.unconverged;
  }
  CHECK(solves > 200);
  CHECK(unconverged < 0.05 * solves);
  const auto json = nlohmann::json::parse(regions_json(rows));
  for (const char* key : {"scene", "contacts", "regions", "method", "solve_ms"})
    CHECK(json.at("rows").at(0).contains(key));
  CHECK(regions_plot(rows).starts_with("<svg"));
}

TEST_CASE("a quick run of bench pcg-pgs: all methods solve the same regions")
{
  const std::vector<PcgPgsRow> rows = measure_pcg_pgs(quick_and_quiet());
  CHECK(rows.size() == 24);
  std::set<int> solves;
  for (const PcgPgsRow& row : rows) {
    CAPTURE(row.method);
    solves.insert(row.solves);
    CHECK(row.mean_iterations > 0.0);
    // A quick run of bowling is its hit alone, where most methods end at their limit.
    if (row.scene == "bucket") CHECK(row.share() < 0.5);
  }
  CHECK(solves.size() == 2);  // one number a scene
  const auto json = nlohmann::json::parse(pcg_pgs_json(rows));
  for (const char* key :
       {"scene", "method", "friction", "solves", "unconverged", "mean_iterations"})
    CHECK(json.at("rows").at(0).contains(key));
  CHECK(pcg_pgs_plot(rows).starts_with("<svg"));
}

TEST_SUITE_END();
