#include <doctest/doctest.h>

#include <algorithm>

#include <linalg/block_problems.hpp>
#include <tact/core/error.hpp>

using namespace tact;

TEST_CASE("a pattern has the diagonal and every couple in both triangles, each once")
{
  const Couples couples = {{3, 1}, {1, 3}, {2, 2}, {0, 3}, {3, 1}};
  const BlockPattern pattern(5, couples);
  CHECK(pattern.rows() == 5);
  CHECK(pattern.block_count() == 5 + 2 * 2);
  const std::vector<int> row_3(pattern.columns(3).begin(), pattern.columns(3).end());
  CHECK(row_3 == std::vector<int>{0, 1, 3});
  CHECK(pattern.columns(4).size() == 1);
  CHECK(pattern.slot(1, 3) == pattern.first_slot(1) + 1);
  CHECK(pattern.slot(1, 0) == -1);
  CHECK(pattern.slot(1, 4) == -1);
}

TEST_CASE("slots number the blocks row by row, and columns ascend, and the pattern is symmetric")
{
  Random random(1);
  for (const NamedPattern& named : all_patterns(random)) {
    CAPTURE(named.name);
    const BlockPattern& pattern = *named.pattern;
    int slot = 0;
    for (int row = 0; row < pattern.rows(); ++row) {
      const auto columns = pattern.columns(row);
      CHECK(std::is_sorted(columns.begin(), columns.end()));
      CHECK(pattern.first_slot(row) == slot);
      CHECK(pattern.diagonal_slot(row) == pattern.slot(row, row));
      for (const int column : columns) {
        CHECK(pattern.slot(row, column) == slot++);
        CHECK(pattern.slot(column, row) >= 0);
      }
    }
    CHECK(pattern.block_count() == slot);
  }
}

TEST_CASE("an empty pattern has no rows and no blocks")
{
  const BlockPattern none;
  CHECK(none.rows() == 0);
  CHECK(none.block_count() == 0);
  CHECK(none == BlockPattern(0, {}));
}

TEST_CASE("a couple that names no row is an error that says which")
{
  const Couples couples = {{0, 1}, {1, 4}};
  CHECK_THROWS_WITH_AS(BlockPattern(4, couples),
                       "BlockPattern: couple 1 names row 4, expected 0 to 3", Error);
  const Couples negative = {{-1, 0}};
  CHECK_THROWS_AS(BlockPattern(4, negative), Error);
  CHECK_THROWS_AS(BlockPattern(-1, {}), Error);
}
