#include <doctest/doctest.h>

#include <string>

#include <nlohmann/json.hpp>

#include <bench/nonconvex.hpp>

using namespace tact;

TEST_CASE(
    "a quick run of the nonconvex bench holds all claims, and its JSON has the keys of scripts")
{
  BenchOptions options;
  options.quick = true;
  options.quiet = true;
  options.directions = 4;
  const NonconvexRows rows = measure_nonconvex(options);
  for (const Claim& claim : nonconvex_claims(rows)) {
    CAPTURE(claim.name);
    CAPTURE(claim.value);
    CHECK(claim.holds());
  }
  const auto json = nlohmann::json::parse(nonconvex_json(rows));
  CHECK(json.at("bench") == "nonconvex");
  for (const auto& row : json.at("rows")) {
    CHECK(row.at("form").is_string());
    for (const char* key : {"constraints_formula", "constraints_built", "max_error"})
      CHECK(row.at(key).is_number());
  }
  CHECK(nonconvex_plot(rows).starts_with("<svg"));
  CHECK(nonconvex_table(rows).find("claims") != std::string::npos);
}
