#include <tact/files/svg_chart.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/core.h>
#include <fmt/format.h>

#include <tact/files/svg_text.hpp>

namespace tact {
namespace {

constexpr double chart_width = 560.0, chart_height = 330.0;              // of one chart, pixels
constexpr double left = 68.0, right = 138.0, top = 40.0, bottom = 52.0;  // margins of its frame
constexpr std::array colours = {"#0b6e99", "#d1495b", "#2e933c", "#8a4fff", "#c77d0a", "#555555"};

// From a value to a place on the frame, in [0, 1].
struct Scale {
  Axis axis = Axis::linear;
  double low = 0.0, high = 1.0;

  bool shows(double value) const
  {
    return std::isfinite(value) && (axis == Axis::linear || value > 0.0);
  }
  double coordinate(double value) const { return axis == Axis::linear ? value : std::log10(value); }
  double place(double value) const { return (coordinate(value) - low) / (high - low); }

  std::vector<double> ticks() const;
};

// Steps of 1, 2 or 5 times a power of ten, about five of them; on a logarithmic axis powers of ten,
// with 2 and 5 between them where there are few.
std::vector<double> Scale::ticks() const
{
  std::vector<double> values;
  if (axis == Axis::logarithmic) {
    const bool few = high - low < 2.5;
    for (int power = static_cast<int>(std::floor(low)); power <= high; ++power) {
      for (const double step : {1.0, 2.0, 5.0}) {
        if (step > 1.0 && !few) continue;
        const double value = step * std::pow(10.0, power);
        if (coordinate(value) >= low - 1e-9 && coordinate(value) <= high + 1e-9)
          values.push_back(value);
      }
    }
    return values;
  }
  const double rough = (high - low) / 5.0, power = std::pow(10.0, std::floor(std::log10(rough)));
  const double step = rough / power > 5.0   ? 10.0 * power
                      : rough / power > 2.0 ? 5.0 * power
                      : rough / power > 1.0 ? 2.0 * power
                                            : power;
  for (double value = std::ceil(low / step) * step; value <= high + 1e-9 * step; value += step) {
    values.push_back(std::abs(value) < 1e-9 * step ? 0.0 : value);
  }
  return values;
}

Scale scale_of(const Chart& chart, int component)
{
  Scale scale;
  scale.axis = component == 0 ? chart.x_axis : chart.y_axis;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Series& series : chart.series) {
    for (const Vector2d& point : series.points) {
      if (!scale.shows(point[component])) continue;
      low = std::min(low, scale.coordinate(point[component]));
      high = std::max(high, scale.coordinate(point[component]));
    }
  }
  if (!(low <= high)) return scale;  // nothing to show
  if (scale.axis == Axis::linear && component == 1) low = std::min(low, 0.0);
  const double margin = high > low ? 0.04 * (high - low) : 0.5;
  scale.low = low - margin;
  scale.high = high + margin;
  return scale;
}

class Svg {
 public:
  explicit Svg(std::size_t charts, int columns) : columns_(columns)
  {
    const auto rows = (static_cast<int>(charts) + columns - 1) / columns;
    append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        chart_width * std::min<int>(columns, static_cast<int>(charts)), chart_height * rows);
  }

  void add(const Chart& chart, int index);
  std::string take() { return out_ + "</svg>\n"; }

 private:
  template <class... Args>
  void append(fmt::format_string<Args...> format, Args&&... args)
  {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  const char* colour(const Series& series);
  double x(double value) const { return left + (chart_width - left - right) * x_.place(value); }
  double y(double value) const
  {
    return chart_height - bottom - (chart_height - top - bottom) * y_.place(value);
  }
  void frame(const Chart& chart);
  void draw(const Series& series);
  void legend(const Chart& chart);

  int columns_;
  std::string out_;
  std::vector<std::string> labels_;
  Scale x_, y_;
};

const char* Svg::colour(const Series& series)
{
  const std::string& label = series.colour_of.empty() ? series.label : series.colour_of;
  const auto it = std::find(labels_.begin(), labels_.end(), label);
  const auto place = static_cast<std::size_t>(it - labels_.begin());
  if (it == labels_.end()) labels_.push_back(label);
  return colours[place % colours.size()];
}

void Svg::frame(const Chart& chart)
{
  const double x_end = chart_width - right, y_end = chart_height - bottom;
  for (const double tick : x_.ticks()) {
    append(
        "<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" stroke=\"#e4e4e4\"/>\n"
        "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\" fill=\"#333\">{4:g}</text>\n",
        x(tick), top, y_end, y_end + 16, tick);
  }
  for (const double tick : y_.ticks()) {
    append(
        "<line x1=\"{0}\" y1=\"{1:.1f}\" x2=\"{2}\" y2=\"{1:.1f}\" stroke=\"#e4e4e4\"/>\n"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\" fill=\"#333\">{5:g}</text>\n",
        left, y(tick), x_end, left - 6, y(tick) + 4, tick);
  }
  append("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#888\"/>\n",
         left, top, x_end - left, y_end - top);
  append("<text x=\"{}\" y=\"24\" text-anchor=\"middle\" font-size=\"14\">{}</text>\n",
         0.5 * (left + x_end), svg_text(chart.title));
  append("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", 0.5 * (left + x_end),
         chart_height - 14, svg_text(chart.x_label));
  append("<text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
         0.5 * (top + y_end), svg_text(chart.y_label));
}

void Svg::draw(const Series& series)
{
  const char* stroke = colour(series);
  std::string path;
  for (const Vector2d& point : series.points) {
    if (!x_.shows(point[0]) || !y_.shows(point[1])) continue;
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : " L", x(point[0]), y(point[1]));
    if (series.line_only) continue;
    append("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>\n", x(point[0]), y(point[1]),
           series.markers_only ? 2.0 : 3.0, stroke);
  }
  if (series.markers_only || path.empty()) return;
  append("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{}/>\n", path, stroke,
         series.dashed ? " stroke-dasharray=\"5 4\"" : "");
}

void Svg::legend(const Chart& chart)
{
  constexpr double room = 16.0;  // letters of the usual size; longer labels are smaller
  const double x_start = chart_width - right + 10.0;  // beside the frame, where it hides nothing
  double line = top + 12.0;
  for (const Series& series : chart.series) {
    const auto letters = static_cast<double>(series.label.size());
    const std::string size =
        letters > room ? fmt::format(" font-size=\"{:.1f}\"", 12.0 * room / letters) : "";
    append(
        "<line x1=\"{0}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\" stroke=\"{3}\" "
        "stroke-width=\"2.5\"{4}/>\n"
        "<text x=\"{5}\" y=\"{6}\"{7}>{8}</text>\n",
        x_start, line - 4, x_start + 20, colour(series),
        series.dashed ? " stroke-dasharray=\"5 4\"" : "", x_start + 26, line, size,
        svg_text(series.label));
    line += 16.0;
  }
}

void Svg::add(const Chart& chart, int index)
{
  x_ = scale_of(chart, 0);
  y_ = scale_of(chart, 1);
  const int row = index / columns_, column = index % columns_;
  append("<g transform=\"translate({} {})\">\n", chart_width * column, chart_height * row);
  frame(chart);
  for (const Series& series : chart.series) draw(series);
  legend(chart);
  append("</g>\n");
}

}  // namespace

std::string to_svg(const std::vector<Chart>& charts, int columns)
{
  Svg svg(charts.size(), std::max(1, columns));
  int index = 0;
  for (const Chart& chart : charts) svg.add(chart, index++);
  return svg.take();
}

}  // namespace tact
