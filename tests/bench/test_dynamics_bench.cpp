#include <doctest/doctest.h>

#include <string>

#include <nlohmann/json.hpp>

#include <bench/dynamics.hpp>

using namespace tact;

TEST_CASE("a quick run of the dynamics bench solves all, and its JSON has the keys of scripts")
{
  BenchOptions options;
  options.quick = true;
  options.quiet = true;
  const std::vector<DynamicsRow> rows = measure_dynamics(options);
  for (const Claim& claim : dynamics_claims(rows)) {
    CAPTURE(claim.name);
    if (!claim.timed) CHECK(claim.holds());
  }
  const auto json = nlohmann::json::parse(dynamics_json(rows));
  CHECK(json.at("bench") == "dynamics");
  CHECK(json.at("fits").at("exponent").is_number());
  for (const auto& row : json.at("rows"))
    for (const char* key : {"letters", "tetrahedra", "nodes", "assembly_ms", "factor_ms",
                            "solve_ms", "step_ms", "threads"})
      CHECK(row.at(key).is_number());
  CHECK(dynamics_plot(rows).starts_with("<svg"));
  CHECK(dynamics_table(rows).find("claims") != std::string::npos);
}
