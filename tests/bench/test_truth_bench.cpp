#include <set>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <bench/truth.hpp>
#include <bench/truth_situations.hpp>

using namespace tact;

TEST_CASE("the truth table has a row for every solver and tells what one does not take")
{
  const TruthRow good{"slope", 4, "auto", "disc", "converged", 1e-9, 2e-8, 1e-3};
  const TruthRow none{"slope", 4, "mprgp", "pyramid", "unsupported", 0.0, 0.0, 0.0};
  const std::string table = truth_table({good, none});
  CHECK(table.find("slope, 4 contacts") != std::string::npos);
  CHECK(table.find("1.0e-09    2.0e-08       1.00") != std::string::npos);
  CHECK(table.find("unsupported") != std::string::npos);
  const auto json = nlohmann::json::parse(truth_json({good, none}));
  CHECK(json["bench"] == "truth");
  CHECK(json["rows"].size() == 2);
  for (const char* key : {"situation", "solver", "residual", "creep", "seconds"})
    CHECK(json["rows"][0].contains(key));
}

TEST_CASE("situations with a known answer: each of another kind and with contacts that press")
{
  std::set<std::string> names;
  for (const TruthSituation& situation : truth_situations()) {
    CAPTURE(std::string(situation.name));
    names.insert(situation.name);
    CHECK(situation.problem().size() >= 4);
  }
  CHECK(names.size() == 6);
}
