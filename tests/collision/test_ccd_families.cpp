// What must hold for every family of random queries.
#include <array>
#include <cmath>
#include <optional>

#include <doctest/doctest.h>

#include <tact/collision/ccd.hpp>
#include <tact/collision/ccd_exact.hpp>
#include <tact/collision/ccd_families.hpp>
#include <tact/collision/ccd_filter.hpp>
#include <tact/collision/separation.hpp>

#include "queries.hpp"

namespace tact {
namespace {

constexpr int queries_per_family = 2000;

// Both times are at most the true one; the exact one misses it by 2^-46, the other by 1e-9.
bool times_agree(double time, double exact)
{
  return time <= exact + 0x1p-46 && time >= exact - 1e-9;
}

TEST_CASE("What the fast stages decide, the exact stage confirms, and so it does the time")
{
  int wrong_verdicts = 0, wrong_times = 0;
  std::array<int, ccd_stage_count> decided_by{};
  for_all_families(queries_per_family, 100, [&](const CcdQuery& query, Random&) {
    const ContactTime fast = contact(query);
    const std::optional<double> exact = exact_contact(query);
    ++decided_by[static_cast<int>(fast.stage)];
    if (fast.contact != exact.has_value())
      ++wrong_verdicts;
    else if (exact && !times_agree(fast.time, *exact))
      ++wrong_times;
  });
  CHECK(wrong_verdicts == 0);
  CHECK(wrong_times == 0);
  for (const int count : decided_by) CHECK(count > 0);  // or a stage was not tested
}

TEST_CASE("Without its error bounds the filter is wrong: the families do find bad margins")
{
  const FilterBounds no_cubic{.cubic = 0.0, .blossom = 0.0};
  const FilterBounds no_quadratic{.quadratic = 0.0};
  int wrong_cubic = 0, wrong_quadratic = 0;
  for_all_families(queries_per_family, 200, [&](const CcdQuery& query, Random&) {
    const bool exact = exact_contact(query).has_value();
    const auto wrong = [&](const FilterBounds& bounds) {
      const Verdict verdict = filter_contact(query, bounds).verdict;
      return verdict != Verdict::unsure && (verdict == Verdict::yes) != exact;
    };
    wrong_cubic += wrong(no_cubic);
    wrong_quadratic += wrong(no_quadratic);
  });
  CHECK(wrong_cubic > 10);
  CHECK(wrong_quadratic > 10);
}

TEST_CASE("The order of vertices and edges does not matter")
{
  int different = 0;
  for_all_families(queries_per_family, 300, [&](const CcdQuery& query, Random& random) {
    const ContactTime one = contact(query), other = contact(permuted(query, random));
    if (one.contact != other.contact || std::abs(one.time - other.time) > 1e-9) ++different;
  });
  CHECK(different == 0);
}

TEST_CASE("Backwards in time the verdict is the same")
{
  int different = 0;
  for_all_families(queries_per_family, 400, [&](const CcdQuery& query, Random&) {
    if (contact(query).contact != contact(time_reversed(query)).contact) ++different;
  });
  CHECK(different == 0);
}

TEST_CASE("Scaling by a power of two changes nothing")
{
  int different = 0;
  for_all_families(queries_per_family, 500, [&](const CcdQuery& query, Random& random) {
    const double factor = std::ldexp(1.0, random.below(81) - 40);
    const CcdQuery larger = scaled(query, factor);
    const CcdQuery back = scaled(larger, 1.0 / factor);
    if (back.start != query.start || back.end != query.end) return;  // subnormal: bits were lost
    const ContactTime one = contact(query), other = contact(larger);
    if (one.contact != other.contact || std::abs(one.time - other.time) > 1e-9) ++different;
  });
  CHECK(different == 0);
}

TEST_CASE("Translating a grid by integers changes nothing")
{
  int different = 0;
  Random random(600);
  for (int i = 0; i < 5 * queries_per_family; ++i) {
    const CcdQuery query = random_query(CcdFamily::grid, random);
    const Vector3d shift(random.below(1000), -random.below(1000), 1 << random.below(30));
    CcdQuery moved = query;
    for (int v = 0; v < 4; ++v) {
      moved.start[v] += shift;
      moved.end[v] += shift;
    }
    const ContactTime one = contact(query), other = contact(moved);
    if (one.contact != other.contact || std::abs(one.time - other.time) > 1e-9) ++different;
  }
  CHECK(different == 0);
}

TEST_CASE("Shared vertices always touch, at the start")
{
  Random random(700);
  for (int i = 0; i < queries_per_family; ++i) {
    const ContactTime answer = contact(random_query(CcdFamily::shared_vertices, random));
    CHECK(answer.contact);
    CHECK(answer.time == 0.0);
  }
}

TEST_CASE("Coordinates over the whole range of double are answered, and in bounded time")
{
  Random random(800);
  int contacts = 0;
  for (int i = 0; i < 300; ++i) {
    CcdQuery query = random_query(CcdFamily::tiny_grid, random);
    for (std::array<Vector3d, 4>* points : {&query.start, &query.end})
      for (Vector3d& x : *points)
        for (double& coordinate : x) coordinate = std::ldexp(coordinate, random.below(2090) - 1074);
    const ContactTime answer = contact(query);
    contacts += answer.contact;
    CHECK(answer.contact == contact(time_reversed(query)).contact);
    CHECK(answer.contact == contact(permuted(query, random)).contact);
  }
  CHECK(contacts > 0);
}

}  // namespace
}  // namespace tact
