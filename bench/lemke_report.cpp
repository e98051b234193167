// Tables, JSON and plots of `tact bench lemke`.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bench/lemke.hpp>
#include <bench/machine.hpp>
#include <bench/statistics.hpp>
#include <tact/files/svg_chart.hpp>

namespace tact {
namespace {

constexpr std::array lemke_methods = {"standard", "structural", "reduced", "cone"};

// Figures of [Lloyd05] Sec. VII in ms: Java 1.4.2 on a Pentium III of 1 GHz, 2005.
struct Published {
  const char* source;
  const char* family;
  int n;
  int m;
  const char* method;
  double ms;
};
constexpr const char* paper = "[Lloyd05]";
constexpr std::array<Published, 20> published = {{
    {paper, "peg-in-hole", 8, 1, "standard", 6.18},
    {paper, "peg-in-hole", 8, 1, "structural", 2.55},
    {paper, "peg-in-hole", 8, 1, "reduced", 1.08},
    {paper, "peg-in-hole", 16, 1, "standard", 30.0},
    {paper, "peg-in-hole", 16, 1, "reduced", 2.0},
    {paper, "peg-in-hole", 32, 1, "standard", 400.75},
    {paper, "peg-in-hole", 32, 1, "structural", 26.63},
    {paper, "peg-in-hole", 32, 1, "reduced", 4.58},
    {paper, "single-body", 8, 1, "standard", 5.2},
    {paper, "single-body", 8, 1, "structural", 2.1},
    {paper, "single-body", 8, 1, "reduced", 0.57},
    {paper, "single-body", 16, 1, "standard", 50.9},
    {paper, "single-body", 16, 1, "structural", 12.5},
    {paper, "single-body", 16, 1, "reduced", 1.34},
    {paper, "block-stack", 4, 1, "standard", 2.1},
    {paper, "block-stack", 4, 1, "structural", 1.45},
    {paper, "block-stack", 4, 1, "reduced", 1.32},
    {paper, "block-stack", 32, 5, "standard", 2136.0},
    {paper, "block-stack", 32, 5, "structural", 224.0},
    {paper, "block-stack", 32, 5, "reduced", 96.0},
}};

const LemkeRow* find(const std::vector<LemkeRow>& rows, const std::string& family, int n, int m,
                     const std::string& method)
{
  const auto it = std::find_if(rows.begin(), rows.end(), [&](const LemkeRow& row) {
    return row.family == family && row.n == n && row.m == m && row.method == method;
  });
  return it == rows.end() ? nullptr : &*it;
}

double exponent_of(const std::vector<LemkeRow>& rows, const std::string& method, int up_to)
{
  std::vector<double> n, us;
  for (const LemkeRow& row : rows) {
    if (row.family != "peg-in-hole" || row.method != method || row.n > up_to) continue;
    n.push_back(row.n);
    us.push_back(row.median_us);
  }
  return growth_exponent(n, us);
}

// What the paper expects a solve to cost, up to a factor, by contacts n and bodies m.
struct ExpectedCost {
  const char* method;
  const char* formula;
  double (*of)(double n, double m);
};
constexpr ExpectedCost expected_costs[] = {
    {"standard", "n^3", [](double n, double) { return n * n * n; }},
    {"structural", "n^2 + n m^2", [](double n, double m) { return n * n + n * m * m; }},
    {"reduced", "n m + m^3", [](double n, double m) { return n * m + m * m * m; }}};

// Of the time over stacks, whose n and m both vary, in the expected cost: 1 where it is right.
double stack_exponent(const std::vector<LemkeRow>& rows, const std::string& method,
                      const ExpectedCost& cost)
{
  std::vector<double> x, us;
  for (const LemkeRow& row : rows) {
    if (row.family != "block-stack" || row.method != method || !row.in_paper) continue;
    x.push_back(cost.of(row.n, row.m));
    us.push_back(row.median_us);
  }
  return growth_exponent(x, us);
}

double smallest_share(const std::vector<LemkeRow>& rows, const std::string& method, bool paper_only)
{
  double share = 1.0;
  for (const LemkeRow& row : rows) {
    if (row.method == method && (row.in_paper || !paper_only)) share = std::min(share, row.solved);
  }
  return share;
}

constexpr int any_size = std::numeric_limits<int>::max();

Series measured(const std::vector<LemkeRow>& rows, const std::string& family,
                const std::string& method, int up_to = any_size)
{
  Series series{method, {}, false, false, {}};
  for (const LemkeRow& row : rows) {
    if (row.family == family && row.method == method && row.n <= up_to)
      series.points.emplace_back(row.n, row.median_us);
  }
  std::sort(series.points.begin(), series.points.end(),
            [](const Vector2d& a, const Vector2d& b) { return a[0] < b[0]; });
  return series;
}

Series from_paper(const std::string& family, const std::string& method)
{
  Series series{method + ", 2005", {}, false, true, method};
  for (const Published& figure : published) {
    if (figure.source == paper && family == figure.family && method == figure.method) {
      series.points.emplace_back(figure.n, 1000.0 * figure.ms);
    }
  }
  return series;
}

Chart chart_of(const std::vector<LemkeRow>& rows, const std::string& title,
               const std::string& family, bool with_paper)
{
  Chart chart{title, "contacts n", "median time (us)", Axis::logarithmic, Axis::logarithmic, {}};
  for (const char* method : lemke_methods) chart.series.push_back(measured(rows, family, method));
  for (const char* method : lemke_methods) {
    Series series = from_paper(family, method);
    if (with_paper && !series.points.empty()) chart.series.push_back(std::move(series));
  }
  return chart;
}

Chart close_up(const std::vector<LemkeRow>& rows, const std::string& title,
               const std::string& family)
{
  Chart chart{title, "contacts n", "median time (us)", Axis::linear, Axis::linear, {}};
  for (const char* method : {"structural", "reduced", "cone"}) {
    Series series = measured(rows, family, method, 32);  // the paper's sizes
    series.markers_only = family != "peg-in-hole";
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

std::vector<Claim> lemke_claims(const std::vector<LemkeRow>& rows)
{
  std::vector<Claim> claims = {
      {"share solved by cone, worst batch", smallest_share(rows, "cone", false), 1.0, true, false},
      {"share solved by reduced at the paper's sizes", smallest_share(rows, "reduced", true), 1.0,
       true, false},
      {"share solved by structural at the paper's sizes", smallest_share(rows, "structural", true),
       1.0, true, false},
      {"share solved by standard", smallest_share(rows, "standard", false), 1.0, true, false},
  };
  const LemkeRow* standard = find(rows, "peg-in-hole", 32, 1, "standard");
  const LemkeRow* reduced = find(rows, "peg-in-hole", 32, 1, "reduced");
  const LemkeRow* cone = find(rows, "peg-in-hole", 32, 1, "cone");
  if (standard && reduced && cone) {
    claims.push_back(
        {"standard / cone, peg n = 32", standard->median_us / cone->median_us, 500.0, true});
    claims.push_back(
        {"standard / reduced, peg n = 32", standard->median_us / reduced->median_us, 26.0, true});
  }
  if (find(rows, "peg-in-hole", 256, 1, "cone")) {
    claims.push_back(
        {"exponent of cone in n, peg n = 8..256", exponent_of(rows, "cone", 256), 0.8});
    claims.push_back(
        {"exponent of reduced in n, peg n = 8..256", exponent_of(rows, "reduced", 256), 1.3});
  }
  for (const ExpectedCost& cost : expected_costs)
    claims.push_back({fmt::format("stacks: exponent of {} in {}", cost.method, cost.formula),
                      stack_exponent(rows, cost.method, cost), 1.15});
  claims.push_back({"stacks: exponent of cone in n m + m^3",
                    stack_exponent(rows, "cone", expected_costs[2]), 1.15});
  const auto time = [&](const char* name, const char* family, int n, int m, double bound) {
    if (const LemkeRow* row = find(rows, family, n, m, "cone")) {
      claims.push_back({name, row->median_us, bound});
    }
  };
  time("cone, peg n = 16, us", "peg-in-hole", 16, 1, 4.0);
  time("cone, peg n = 32, us", "peg-in-hole", 32, 1, 6.0);
  time("cone, peg n = 64, us", "peg-in-hole", 64, 1, 10.0);
  time("cone, stack m = 5 n = 32, us", "block-stack", 32, 5, 100.0);
  return claims;
}

std::string lemke_table(const std::vector<LemkeRow>& rows, const std::vector<Claim>& claims,
                        bool quick)
{
  std::string out;
  const auto line = std::back_inserter(out);
  fmt::format_to(
      line,
      "{}\nmedian and 90 % of the instances, each the best of some repetitions; from the "
      "problem as stored to velocities and impulses\n\n",
      machine_description());
  fmt::format_to(line,
                 "{:<12} {:>3} {:>4} {:<11} {:>11} {:>11} {:>7} {:>7} {:>9} {:>8} {:>7}  {}\n",
                 "family", "m", "n", "method", "median us", "p90 us", "pivots", "solved",
                 "residual", "restarts", "other", "published");
  int instances = 0, restarts = 0;
  double worst = 0.0, share = 1.0;
  for (const LemkeRow& row : rows) {
    if (row.family == "stress") {
      instances += row.instances;
      restarts += row.restarts;
      worst = std::max(worst, row.residual_max);
      share = std::min(share, row.solved);
      continue;
    }
    std::string beside;
    for (const Published& figure : published) {
      if (row.family == figure.family && row.n == figure.n && row.m == figure.m &&
          row.method == figure.method && (row.family != "single-body" || row.n == 16)) {
        beside += fmt::format("{}{:g} us {}", beside.empty() ? "" : "; ", 1000.0 * figure.ms,
                              figure.source);
      }
    }
    fmt::format_to(line,
                   "{:<12} {:>3} {:>4} {:<11} {:>11.2f} {:>11.2f} {:>7.0f} {:>7.3f} {:>9.1e} {:>8} "
                   "{:>7.2f}  {}\n",
                   row.family, row.m, row.n, row.method, row.median_us, row.p90_us, row.pivots,
                   row.solved, row.residual_max, row.restarts, row.other_answer, beside);
  }
  fmt::format_to(
      line,
      "\nother: share of answers whose velocity differs from that of cone; with friction "
      "there may be several\n");
  if (instances > 0) {
    fmt::format_to(
        line,
        "stress set: {} problems, smallest share solved {:.3f}, residual {:.1e}, {} restarts\n",
        instances, share, worst, restarts);
  }
  out += claims_table(claims, quick);
  for (const char* method : lemke_methods) {
    const double exponent = exponent_of(rows, method, any_size);
    fmt::format_to(line, "  growth of {} on pegs: n^{:.2f}\n", method, exponent);
  }
  return out;
}

std::string lemke_json(const std::vector<LemkeRow>& rows, const std::vector<Claim>& claims)
{
  nlohmann::ordered_json out = {{"bench", "lemke"}, {"machine", machine_description()}};
  out["rows"] = nlohmann::ordered_json::array();
  for (const LemkeRow& row : rows) {
    out["rows"].push_back({{"family", row.family},
                           {"problem", row.problem},
                           {"n", row.n},
                           {"m", row.m},
                           {"d", row.d},
                           {"method", row.method},
                           {"instances", row.instances},
                           {"median_us", row.median_us},
                           {"p90_us", row.p90_us},
                           {"pivots", row.pivots},
                           {"solved", row.solved},
                           {"residual_max", row.residual_max},
                           {"restarts", row.restarts},
                           {"other_answer", row.other_answer}});
  }
  out["published"] = nlohmann::ordered_json::array();
  for (const Published& figure : published) {
    out["published"].push_back({{"source", figure.source},
                                {"family", figure.family},
                                {"n", figure.n},
                                {"m", figure.m},
                                {"method", figure.method},
                                {"median_us", 1000.0 * figure.ms}});
  }
  out["fits"] = nlohmann::ordered_json::object();
  for (const char* method : lemke_methods) {
    const double exponent = exponent_of(rows, method, any_size);
    if (std::isfinite(exponent)) out["fits"][fmt::format("{}_exponent", method)] = exponent;
  }
  for (const ExpectedCost& cost : expected_costs)
    out["fits"][fmt::format("{}_stack_exponent_in_{}", cost.method, cost.formula)] =
        stack_exponent(rows, cost.method, cost);
  out["fits"]["claims"] = to_json(claims);
  return out.dump(1) + "\n";
}

std::string lemke_plot(const std::vector<LemkeRow>& rows)
{
  return to_svg({chart_of(rows, "Fig. 4: peg in hole", "peg-in-hole", true),
                 close_up(rows, "Fig. 5: peg in hole, close-up", "peg-in-hole"),
                 chart_of(rows, "Fig. 6: single bodies", "single-body", true),
                 close_up(rows, "Fig. 7: single bodies, close-up", "single-body"),
                 chart_of(rows, "Fig. 9: stacked blocks", "block-stack", true),
                 close_up(rows, "Fig. 9, close-up", "block-stack")},
                2);
}

}  // namespace tact
