#include <cli/table.hpp>

#include <algorithm>
#include <ostream>
#include <string_view>

namespace tact::cli {
namespace {

// Characters, not bytes: file names may be UTF-8.
std::size_t width(std::string_view text)
{
  const auto starts = [](unsigned char c) { return (c & 0xC0) != 0x80; };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts));
}

}  // namespace

void Table::print(const Console& console) const
{
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], width(row[c].text));

  const auto print_row = [&](const std::vector<Cell>& row) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (widths[c] == 0) continue;  // nothing in the whole column
      const std::size_t full = std::max(widths[c], width(columns_[c].header));
      const std::string padding(full - width(row[c].text), ' ');
      const std::string text = console.paint(row[c].text, row[c].tone);
      line += (line.empty() ? "" : "  ") + (columns_[c].right ? padding + text : text + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    console.out << line << '\n';
  };

  std::vector<Cell> header;
  for (const Column& column : columns_) header.push_back({column.header, Tone::faint});
  print_row(header);
  for (const auto& row : rows_) print_row(row);
}

}  // namespace tact::cli
