#include <tact/files/coupling_pattern_svg.hpp>

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <tact/contact/contact_regions.hpp>

namespace tact {
namespace {

constexpr double side = 260.0, gap = 40.0, title = 54.0, legend = 22.0;  // pixels

// Filled where the matrix can differ from zero, with lines between the sets of contacts.
std::string matrix_picture(const std::vector<PatternRun>& runs, const CouplingPattern& pattern,
                           double x, double y)
{
  std::string out;
  const auto line = std::back_inserter(out);
  const double cell = side / std::max(1, pattern.contacts);
  fmt::format_to(line,
                 "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{}\" height=\"{}\" fill=\"#ffffff\" "
                 "stroke=\"#555555\"/>\n<path fill=\"#0b6e99\" d=\"",
                 x, y, side, side);
  for (const PatternRun& run : runs) {
    const double width = (run.last - run.first) * cell;
    fmt::format_to(line, "M{:.2f} {:.2f}h{:.2f}v{:.2f}h{:.2f}z", x + run.first * cell,
                   y + run.row * cell, width, cell, -width);
  }
  out += "\"/>\n";
  for (const int cut : {pattern.deformable, pattern.deformable + pattern.rigid}) {
    if (cut == 0 || cut == pattern.contacts) continue;
    const double at = cut * cell;
    fmt::format_to(line,
                   "<path stroke=\"#d1495b\" fill=\"none\" d=\"M{:.2f} {:.2f}v{}M{:.2f} "
                   "{:.2f}h{}\"/>\n",
                   x + at, y, side, x, y + at, side);
  }
  return out;
}

std::string text_at(double x, double y, const std::string& text)
{
  return fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", x, y, text);
}

}  // namespace

std::vector<NamedPattern> island_patterns(const ContactProblem& problem,
                                          std::span<const std::string> names, int at_most)
{
  ContactRegions islands;
  islands.update(elements_by_components(problem));
  std::vector<NamedPattern> patterns;
  for (const ContactRegion& island : islands.regions()) {
    if (static_cast<int>(patterns.size()) == at_most) break;
    const auto contacts = islands.contacts().subspan(island.first, island.size());
    patterns.push_back({names[contacts.front()], coupling_pattern(problem, contacts)});
  }
  std::stable_sort(patterns.begin(), patterns.end(),
                   [](const NamedPattern& a, const NamedPattern& b) { return a.name < b.name; });
  return patterns;
}

std::string coupling_pattern_svg(const std::vector<NamedPattern>& patterns)
{
  const double width = gap + static_cast<double>(patterns.size()) * (side + gap);
  const double height = title + 2.0 * (side + legend) + 2.0 * gap;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#ffffff\"/>\n",
      width, height);
  double x = gap;
  for (const auto& [name, pattern] : patterns) {
    out += text_at(x, 20.0, name);
    out += text_at(x, 38.0,
                   fmt::format("{} contacts: {} deformable, {} rigid, {} mixed", pattern.contacts,
                               pattern.deformable, pattern.rigid, pattern.mixed));
    double y = title;
    out += matrix_picture(pattern.full, pattern, x, y);
    y += side + 16.0;
    out += text_at(x, y, fmt::format("B: {} blocks", CouplingPattern::entries(pattern.full)));
    y += gap - 10.0;
    out += matrix_picture(pattern.sparse, pattern, x, y);
    y += side + 16.0;
    out += text_at(x, y,
                   fmt::format("B_s: {} blocks; B_d: rank {} of {} rigid bodies",
                               CouplingPattern::entries(pattern.sparse), pattern.dense_rank,
                               pattern.rigid_bodies));
    x += side + gap;
  }
  return out + "</svg>\n";
}

}  // namespace tact
