#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <bench/coupling.hpp>

using namespace tact;

TEST_SUITE("slow")
{
  TEST_CASE("a quick coupling bench keeps every claim that does not depend on the machine")
  {
    BenchOptions options;
    options.quick = options.quiet = true;
    const CouplingMeasurements measured = measure_coupling(options);
    for (const Claim& claim : coupling_claims(measured)) {
      if (claim.timed || claim.goal) continue;
      CAPTURE(claim.name);
      CHECK(claim.holds());
    }
    const auto json = nlohmann::json::parse(coupling_json(measured));
    for (const auto& row : json.at("rows")) {
      for (const char* key : {"scene", "contacts", "method", "build_ms", "iteration_ms"}) {
        CHECK(row.contains(key));
      }
    }
    CHECK(coupling_plot(measured).find("low_rank") != std::string::npos);
  }
}
