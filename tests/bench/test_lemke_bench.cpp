#include <doctest/doctest.h>

#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include <bench/lemke.hpp>

using namespace tact;

TEST_CASE("a quick run of the bench solves all, and its JSON has the keys that scripts read")
{
  BenchOptions options;
  options.quick = true;
  options.quiet = true;
  const std::vector<LemkeRow> rows = measure_lemke(options);
  const std::vector<Claim> claims = lemke_claims(rows);
  for (const Claim& claim : claims) {
    CAPTURE(claim.name);
    if (!claim.timed) CHECK(claim.holds());
  }

  const auto json = nlohmann::json::parse(lemke_json(rows, claims));
  CHECK(json.at("bench") == "lemke");
  CHECK(json.at("machine").is_string());
  CHECK(json.at("published").size() == 20);
  CHECK(json.at("fits").at("cone_exponent").is_number());
  std::set<std::string> methods, families;
  for (const auto& row : json.at("rows")) {
    for (const char* key : {"n", "m", "median_us", "p90_us", "pivots", "solved", "residual_max"}) {
      CHECK(row.at(key).is_number());
    }
    methods.insert(row.at("method"));
    families.insert(row.at("family"));
  }
  CHECK(methods == std::set<std::string>{"standard", "structural", "reduced", "cone"});
  CHECK(families == std::set<std::string>{"peg-in-hole", "single-body", "block-stack"});
  CHECK(lemke_plot(rows).starts_with("<svg"));
  CHECK(lemke_table(rows, claims).find("claims") != std::string::npos);
}
