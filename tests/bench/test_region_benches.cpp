// Quick runs of the benches of detached regions.
#include <doctest/doctest.h>

#include <set>
#include <string>

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

RegionsRow row(const char* scene, const char* method, int contacts, double ms)
{
  RegionsRow out;
  out.scene = scene;
  out.method = method;
  out.contacts = contacts;
  out.solve_ms = ms;
  return out;
}

}  // namespace

TEST_CASE("bench regions: gains and exponents are those of the rows")
{
  const std::vector<RegionsRow> rows = {
      row("bowling", "separated", 45, 1.0),  row("bowling", "one", 45, 3.0),
      row("bucket", "separated", 80, 1.0),   row("bucket", "one", 80, 8.0),
      row("bucket", "separated", 800, 10.0), row("bucket", "one", 800, 800.0)};
  CHECK(regions_exponent(rows, "separated") == doctest::Approx(1.0));
  CHECK(regions_exponent(rows, "one") == doctest::Approx(2.0));
  const std::vector<Claim> claims = regions_claims(rows);
  CHECK(claims[0].value == doctest::Approx(3.0));
  CHECK(claims[1].value == doctest::Approx(8.0));
  CHECK(claims[2].value == doctest::Approx(80.0));
}

TEST_SUITE_BEGIN("slow");

TEST_CASE("a quick run of bench regions: both ways reach the accuracy and regions are many")
{
  const std::vector<RegionsRow> rows = measure_regions(quick_and_quiet());
  CHECK(rows.size() == 8);
  for (const RegionsRow& row : rows) {
    CAPTURE(row.scene);
    CAPTURE(row.method);
    CHECK(row.contacts > 10);
    CHECK(row.regions > 3);
    CHECK(row.residual < 0.01);
    CHECK(row.unconverged <= row.problems);  // a hard region now and then
  }
  const auto json = nlohmann::json::parse(regions_json(rows));
  for (const char* key : {"scene", "contacts", "regions", "method", "solve_ms"})
    CHECK(json.at("rows").at(0).contains(key));
  CHECK(regions_plot(rows).starts_with("<svg"));
}

TEST_CASE("a quick run of bench pcg-pgs: all methods solve the same regions")
{
  const std::vector<PcgPgsRow> rows = measure_pcg_pgs(quick_and_quiet());
  CHECK(rows.size() == 20);
  std::set<int> solves;
  for (const PcgPgsRow& row : rows) {
    CAPTURE(row.method);
    solves.insert(row.solves);
    CHECK(row.mean_iterations > 0.0);
    CHECK(row.share() < 0.5);  // of the few regions of a quick run
  }
  CHECK(solves.size() == 2);  // one number a scene
  const auto json = nlohmann::json::parse(pcg_pgs_json(rows));
  for (const char* key :
       {"scene", "method", "friction", "solves", "unconverged", "mean_iterations"})
    CHECK(json.at("rows").at(0).contains(key));
  CHECK(pcg_pgs_plot(rows).starts_with("<svg"));
}

TEST_SUITE_END();
