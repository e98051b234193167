#include <doctest/doctest.h>

#include <string>

#include <files/messages.hpp>
#include <tact/files/svg_heat_table.hpp>

using namespace tact;

TEST_CASE("cells of a heat table go from white to the full colour by powers of ten")
{
  HeatTable table{"a < b", {"x"}, {"1", "2", "3", "4"}, {}, 1e-4, 1.0};
  table.cells = {{1e-5}, {1e-2}, {7.0}, {0.0, true, false}};
  const std::string svg = to_svg({table});
  CHECK(contains(svg, "a &lt; b"));
  CHECK(contains(svg, "fill=\"#ffffff\" stroke"));
  CHECK(contains(svg, "fill=\"#e8a4ad\" stroke"));  // half way, by the logarithm
  CHECK(contains(svg, "fill=\"#d1495b\" stroke"));
  CHECK(contains(svg, "fill=\"#eeeeee\" stroke"));  // nothing was measured
}

TEST_CASE("a heat table with a cell too few is refused")
{
  const HeatTable table{"short", {"x", "y"}, {"1"}, {{1.0}}};
  CHECK(message_of([&] { (void)to_svg({table}); }) ==
        "table \"short\": found 1 cells, expected 1 rows of 2");
}
