#include <doctest/doctest.h>

#include <limits>
#include <string>

#include <tact/files/svg_chart.hpp>

using namespace tact;

namespace {

int count(const std::string& text, const std::string& part)
{
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

Chart chart(Axis axis, std::vector<Vector2d> points)
{
  return {"a < b & c", "x", "y", axis, axis, {{"line", std::move(points)}}};
}

}  // namespace

TEST_CASE("a chart shows every point that its axes can show, and no other")
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Vector2d> points = {{1, 1}, {10, 100}, {0, 5}, {-1, 5}, {nan, 5}, {5, nan}};
  CHECK(count(to_svg({chart(Axis::linear, points)}), "<circle") == 4);
  CHECK(count(to_svg({chart(Axis::logarithmic, points)}), "<circle") == 2);
}

TEST_CASE("text is escaped, empty charts are drawn, and pictures of many charts are whole")
{
  const std::string svg = to_svg({chart(Axis::linear, {}), chart(Axis::logarithmic, {{3, 3}})}, 2);
  CHECK(svg.find("a &lt; b &amp; c") != std::string::npos);
  CHECK(count(svg, "<g ") == 2);
  CHECK(count(svg, "</g>") == 2);
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
}

TEST_CASE("same data, same text")
{
  const Chart one = chart(Axis::logarithmic, {{1, 2}, {3, 4}});
  CHECK(to_svg({one}) == to_svg({one}));
}
