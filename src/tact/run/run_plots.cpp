#include <tact/run/run_plots.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/files/svg_chart.hpp>
#include <tact/recording/wrench.hpp>
#include <tact/run/step_log.hpp>

namespace tact {
namespace {

constexpr std::size_t most_points = 200;  // a series: what a chart can show
constexpr std::size_t most_pairs = 6;     // of bodies

// Runs of equally many points become one each, in the middle of their time.
enum class Gather { mean, largest };
std::vector<Vector2d> thinned(const std::vector<Vector2d>& points, Gather gather)
{
  const std::size_t each = (points.size() + most_points - 1) / most_points;
  std::vector<Vector2d> thin;
  for (std::size_t first = 0; first < points.size(); first += each) {
    const std::size_t last = std::min(first + each, points.size());
    Vector2d sum = Vector2d::Zero();
    double most = points[first].y();
    for (std::size_t i = first; i < last; ++i) {
      sum += points[i];
      most = std::max(most, points[i].y());
    }
    const Vector2d mean = sum / static_cast<double>(last - first);
    thin.emplace_back(mean.x(), gather == Gather::mean ? mean.y() : most);
  }
  return thin;
}

template <class Value>
Series series_of(std::string label, const std::vector<LoggedStep>& steps, Gather gather,
                 const Value& value)
{
  std::vector<Vector2d> points;
  for (const LoggedStep& step : steps) points.emplace_back(step.t, value(step));
  return {.label = std::move(label), .points = thinned(points, gather)};
}

Chart over_time(std::string title, std::string y_label, Axis y_axis = Axis::linear)
{
  return {.title = std::move(title),
          .x_label = "time, s",
          .y_label = std::move(y_label),
          .y_axis = y_axis,
          .series = {}};
}

Chart residual_chart(const std::vector<LoggedStep>& steps)
{
  Chart chart = over_time("Residual of each step", "m/s", Axis::logarithmic);
  chart.series.push_back(series_of("the worst", steps, Gather::largest,
                                   [](const LoggedStep& s) { return s.residual; }));
  chart.series.push_back(
      series_of("mean", steps, Gather::mean, [](const LoggedStep& s) { return s.residual; }));
  return chart;
}

Chart contacts_chart(const std::vector<LoggedStep>& steps)
{
  Chart chart = over_time("Contacts, and passes of refinement", "number of them");
  chart.series.push_back(series_of("contacts", steps, Gather::largest,
                                   [](const LoggedStep& s) { return s.contacts; }));
  chart.series.push_back(
      series_of("passes", steps, Gather::largest, [](const LoggedStep& s) { return s.passes; }));
  return chart;
}

Chart energy_chart(const std::vector<LoggedStep>& steps)
{
  Chart chart = over_time("Energy at the end of each step", "J");
  chart.series.push_back(
      series_of("kinetic", steps, Gather::mean, [](const LoggedStep& s) { return s.kinetic; }));
  chart.series.push_back(
      series_of("potential", steps, Gather::mean, [](const LoggedStep& s) { return s.potential; }));
  chart.series.push_back(series_of("both", steps, Gather::mean,
                                   [](const LoggedStep& s) { return s.kinetic + s.potential; }));
  chart.series.push_back(series_of("gained from nowhere in a step", steps, Gather::largest,
                                   [](const LoggedStep& s) { return s.energy_gain; }));
  return chart;
}

Chart phases_chart(const std::vector<LoggedStep>& steps)
{
  Chart chart = over_time("Wall time of a step by phase", "ms");
  const auto add = [&](const char* label, double PhaseSeconds::*phase) {
    chart.series.push_back(series_of(label, steps, Gather::mean,
                                     [&](const LoggedStep& s) { return 1e3 * (s.phases.*phase); }));
  };
  add("dynamics", &PhaseSeconds::dynamics);
  add("broad phase", &PhaseSeconds::broad_phase);
  add("narrow phase", &PhaseSeconds::narrow_phase);
  add("solve", &PhaseSeconds::solve);
  chart.series.push_back(
      series_of("output", steps, Gather::mean, [](const LoggedStep& s) { return 1e3 * s.output; }));
  return chart;
}

// The pairs of bodies that push each other most over the run; a frame without contact counts as 0
// N.
Chart forces_chart(const Recording& recording)
{
  const RecordingHeader& header = recording.header();
  std::map<std::pair<int, int>, std::vector<Vector2d>> pairs;
  for (int k = 0; k < recording.frame_count(); ++k) {
    for (const BodyWrench& w : net_wrenches(header, recording.frame(k)))
      if (w.body > w.partner || w.partner < 0)
        pairs[{w.body, w.partner}].emplace_back(k, w.wrench.force.norm());
  }
  if (pairs.empty()) throw Error("no contact forces in this recording");
  std::vector<std::pair<double, std::pair<int, int>>> by_sum;
  for (const auto& [pair, points] : pairs) {
    double sum = 0.0;
    for (const Vector2d& p : points) sum += p.y();
    by_sum.emplace_back(-sum, pair);
  }
  std::sort(by_sum.begin(), by_sum.end());
  by_sum.resize(std::min(by_sum.size(), most_pairs));
  Chart chart = over_time("Contact forces between bodies", "N");
  for (const auto& [sum, pair] : by_sum) {
    std::vector<Vector2d> points;
    for (const double t : recording.times()) points.emplace_back(t, 0.0);
    for (const Vector2d& p : pairs[pair]) points[static_cast<std::size_t>(p.x())].y() = p.y();
    const std::string partner = pair.second < 0 ? "world" : header.bodies[pair.second].name;
    chart.series.push_back({.label = header.bodies[pair.first].name + " and " + partner,
                            .points = thinned(points, Gather::mean)});
  }
  return chart;
}

Chart chart_of(const std::filesystem::path& folder, std::string_view name)
{
  if (name == "forces") return forces_chart(Recording::open(folder));
  const std::vector<LoggedStep> steps = read_step_log(folder / "steps.csv");
  if (steps.empty()) throw Error(fmt::format("{}: no steps yet", folder.string()));
  if (name == "residual") return residual_chart(steps);
  if (name == "contacts") return contacts_chart(steps);
  if (name == "energy") return energy_chart(steps);
  return phases_chart(steps);
}

}  // namespace

const std::vector<RunPlot>& run_plots()
{
  static const std::vector<RunPlot> plots = {
      {"residual", "of the contact problem of every step, m/s"},
      {"contacts", "and passes of refinement, of every step"},
      {"energy", "kinetic and potential, and what a step gained from nowhere, J"},
      {"phases", "where the time of every step went, ms"},
      {"forces", "between the pairs of bodies that push each other most, N"}};
  return plots;
}

std::string plot_run(const std::filesystem::path& folder, std::string_view name)
{
  std::vector<std::string> names;
  for (const RunPlot& plot : run_plots()) names.emplace_back(plot.name);
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw Error(fmt::format("plot: unknown chart \"{}\", expected {}{}", name,
                            fmt::join(names, ", "), did_you_mean(std::string(name), names)));
  return to_svg({chart_of(folder, name)}, 1);
}

}  // namespace tact
