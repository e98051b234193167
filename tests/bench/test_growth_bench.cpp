// What `tact bench growth` makes of its measurements, and that its scenes are what it says.
#include <cmath>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <bench/growth.hpp>

using namespace tact;

namespace {

// Rows of every family whose time and memory grow with these powers of the size.
std::vector<GrowthRow> rows_growing(double time_power, double memory_power)
{
  std::vector<GrowthRow> rows;
  for (const GrowthFamily& family : growth_families())
    for (const int size : family.sizes) {
      GrowthRow& row = rows.emplace_back();
      row.family = family.name;
      row.size = size;
      row.steps = family.steps;
      row.simulated = 0.5;
      row.seconds = 1e-3 * std::pow(size, time_power);
      row.megabytes = 0.1 * std::pow(size, memory_power);
    }
  return rows;
}

int missed_claims(const std::vector<GrowthRow>& rows)
{
  int missed = 0;
  for (const Claim& claim : growth_claims(rows)) missed += !claim.holds();
  return missed;
}

}  // namespace

TEST_CASE("the claims of growth hold of what is linear and fail of what is not")
{
  const int families = static_cast<int>(growth_families().size());
  CHECK(missed_claims(rows_growing(1.0, 1.0)) == 0);
  CHECK(missed_claims(rows_growing(1.3, 1.0)) == families);
  CHECK(missed_claims(rows_growing(1.0, 1.2)) == families);
  std::vector<GrowthRow> rows = rows_growing(1.0, 1.0);
  rows.back().unconverged = 1;
  CHECK(missed_claims(rows) == 1);
  CHECK(exit_code(growth_claims(rows), true) == 3);  // in quick runs too
  CHECK(exit_code(growth_claims(rows_growing(1.3, 1.0)), true) == 0);
  CHECK(exit_code(growth_claims(rows_growing(1.3, 1.0)), false) == 3);
}

TEST_CASE("the JSON of growth has the keys of scripts, and a fit of each family")
{
  const auto json = nlohmann::json::parse(growth_json(rows_growing(1.1, 0.9)));
  for (const GrowthFamily& family : growth_families()) {
    CHECK(json["fits"][family.name]["time"].get<double>() == doctest::Approx(1.1));
    CHECK(json["fits"][family.name]["memory"].get<double>() == doctest::Approx(0.9));
  }
  CHECK(json["rows"][0]["seconds"].get<double>() > 0.0);
}

TEST_SUITE("slow")
{
  TEST_CASE("the smallest scenes of growth have contacts, miss no tolerance and grow in memory")
  {
    for (const GrowthFamily& family : growth_families()) {
      CAPTURE(family.name);
      double megabytes = 0.0;
      for (const int size : family.quick_sizes) {
        const GrowthRow row = measure_growth(family, size, family.quick_steps);
        CHECK(row.contacts_max > 0);
        CHECK(row.unconverged + row.cut_steps == 0);
        CHECK(row.megabytes > megabytes);
        megabytes = row.megabytes;
      }
    }
  }
}
