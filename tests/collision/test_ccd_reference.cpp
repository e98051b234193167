// The exact stage against a second implementation that shares nothing with it.
#include <array>
#include <utility>

#include <doctest/doctest.h>

#include <tact/collision/ccd.hpp>
#include <tact/collision/ccd_exact.hpp>
#include <tact/collision/ccd_families.hpp>

#include "rational_ccd.hpp"

namespace tact {
namespace {

void check_against_reference(CcdFamily family, int count, std::uint64_t seed)
{
  Random random(seed);
  int contacts = 0, different = 0, late = 0, early = 0;
  for (int i = 0; i < count; ++i) {
    const CcdQuery query = random_query(family, random);
    const std::optional<RationalTime> expected = rational_contact(query);
    const ContactTime answer = contact(query);
    const std::optional<double> exact = exact_contact(query);
    if (answer.contact != expected.has_value() || exact.has_value() != expected.has_value()) {
      ++different;
      continue;
    }
    if (!expected) continue;
    ++contacts;
    if (answer.time > expected->high || *exact > expected->high) ++late;
    if (answer.time < expected->low - 1e-9 || *exact < expected->low - mpq_class(0x1p-46)) ++early;
  }
  INFO(name(family), ": ", contacts, " of ", count, " in contact");
  CHECK(contacts > count / 20);
  CHECK(different == 0);
  CHECK(late == 0);
  CHECK(early == 0);
}

TEST_SUITE("slow")
{
  TEST_CASE(
      "Degenerate queries on a grid: verdicts and times are those of plain rational arithmetic")
  {
    check_against_reference(CcdFamily::tiny_grid, 3000, 1);
    check_against_reference(CcdFamily::grid, 1500, 2);
    check_against_reference(CcdFamily::some_at_rest, 2500, 3);
    check_against_reference(CcdFamily::tilted_plane, 500,
                            4);  // coplanar for ever: 60 candidates each
  }
}

}  // namespace
}  // namespace tact
