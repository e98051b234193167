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
      row("bowling", "separated", 45, 1.0),       row("bowling", "one", 45, 3.0),
      row("bowling", "separated dense", 45, 1.0), row("bowling", "one dense", 45, 4.0),
      row("bucket", "separated", 80, 1.0),        row("bucket", "one", 80, 8.0),
      row("bucket", "separated dense", 80, 2.0),  row("bucket", "one dense", 80, 20.0),
      row("bucket", "separated", 800, 10.0),      row("bucket", "one", 800, 800.0)};
  CHECK(regions_exponent(rows, "separated") == doctest::Approx(1.0));
  CHECK(regions_exponent(rows, "one") == doctest::Approx(2.0));
  const std::vector<Claim> claims = regions_claims(rows);
  for (const auto& [name, value] : {std::pair{"bowling, 45 contacts: one over separated", 3.0},
                                    {"bowling, 45 contacts, dense: one over separated", 4.0},
                                    {"bucket, 80 contacts: one over separated", 8.0},
                                    {"bucket, 80 contacts, dense: one over separated", 10.0},
                                    {"bucket, most contacts: the same, over that at 80", 10.0}}) {
    const auto claim = std::find_if(
        claims.begin(), claims.end(),
        [named = std::string(name)](const Claim& other) { return other.name == named; });
    REQUIRE(claim != claims.end());
    CHECK(claim->value == doctest::Approx(value));
  }
}

TEST_SUITE_BEGIN("slow");

TEST_CASE("a quick run of bench regions: all ways reach the accuracy and regions are many")
{
  const std::vector<RegionsRow> rows = measure_regions(quick_and_quiet());
  CHECK(rows.size() == 14);
  for (const RegionsRow& row : rows) {
    CAPTURE(row.scene);
    CAPTURE(row.method);
    CHECK(row.contacts > 10);
    CHECK(row.regions > 3);
    CHECK(row.residual < 0.01);
    CHECK(row.unconverged <= row.problems);  // a hard region now and then
    CHECK((row.assembly_ms > 0.0) == row.method.ends_with("dense"));
    // The same iteration in another form; it ends where a contact is below the same 1e-6 m/s.
    const bool solved = row.unconverged == 0;
    if (row.method == "separated dense" && solved) CHECK(row.difference < 1e-6);
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
