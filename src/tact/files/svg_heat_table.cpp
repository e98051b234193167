#include <tact/files/svg_heat_table.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/core.h>
#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/files/svg_text.hpp>

namespace tact {
namespace {

// Pixels.
constexpr double name_width = 130.0, cell_width = 96.0, cell_height = 20.0;
constexpr double title_height = 34.0, head_height = 22.0, gap_below = 16.0;
constexpr std::array<double, 3> full_colour = {209.0, 73.0, 91.0};  // red, green, blue

double height_of(const HeatTable& table)
{
  return title_height + head_height + cell_height * static_cast<double>(table.rows.size()) +
         gap_below;
}

// 0 at `low` and below, 1 at `high` and above; what is not a number is as bad as can be.
double heat_of(const HeatTable& table, double value)
{
  if (!(value < table.high)) return 1.0;
  if (value <= table.low) return 0.0;
  return std::log(value / table.low) / std::log(table.high / table.low);
}

std::string colour_of(double heat)
{
  std::array<int, 3> mixed{};
  for (std::size_t k = 0; k < 3; ++k)
    mixed[k] = static_cast<int>(std::lround(255.0 + heat * (full_colour[k] - 255.0)));
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

std::string text_of(const HeatCell& cell)
{
  if (cell.missing) return "-";
  const std::string number = cell.value == 0.0 ? "0" : fmt::format("{:.0e}", cell.value);
  return cell.struck ? fmt::format("{} *", number) : number;
}

class HeatTableSvg {
 public:
  std::string take(double width, double height) const
  {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{2}</svg>\n",
        width, height, out_);
  }

  void add(const HeatTable& table, double top)
  {
    text(12.0, top + 22.0, "start", "font-size=\"14\"", table.title);
    const double first_row = top + title_height + head_height;
    for (std::size_t j = 0; j < table.columns.size(); ++j)
      text(centre(j), first_row - 7.0, "middle", "fill=\"#444\"", table.columns[j]);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const double y = first_row + cell_height * static_cast<double>(i);
      text(name_width - 8.0, y + 14.0, "end", "", table.rows[i]);
      for (std::size_t j = 0; j < table.columns.size(); ++j)
        add_cell(table, table.cells[i * table.columns.size() + j], centre(j), y);
    }
  }

 private:
  static double centre(std::size_t column)
  {
    return name_width + cell_width * (static_cast<double>(column) + 0.5);
  }

  void add_cell(const HeatTable& table, const HeatCell& cell, double middle, double y)
  {
    fmt::format_to(std::back_inserter(out_),
                   "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" "
                   "stroke=\"#ccc\"/>\n",
                   middle - 0.5 * cell_width, y, cell_width, cell_height,
                   cell.missing ? "#eeeeee" : colour_of(heat_of(table, cell.value)));
    text(middle, y + 14.0, "middle", cell.struck ? "font-style=\"italic\"" : "", text_of(cell));
  }

  void text(double x, double y, const char* anchor, const char* style, const std::string& words)
  {
    fmt::format_to(std::back_inserter(out_),
                   "<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" {}>{}</text>\n", x, y, anchor, style,
                   svg_text(words));
  }

  std::string out_;
};

}  // namespace

std::string to_svg(const std::vector<HeatTable>& tables)
{
  HeatTableSvg svg;
  double height = 0.0;
  std::size_t columns = 0;
  for (const HeatTable& table : tables) {
    if (table.cells.size() != table.rows.size() * table.columns.size())
      throw Error(fmt::format("table \"{}\": found {} cells, expected {} rows of {}", table.title,
                              table.cells.size(), table.rows.size(), table.columns.size()));
    svg.add(table, height);
    height += height_of(table);
    columns = std::max(columns, table.columns.size());
  }
  return svg.take(name_width + cell_width * static_cast<double>(columns) + 12.0, height);
}

}  // namespace tact
