// Tables, JSON and plots of `tact bench collision`.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bench/collision.hpp>
#include <bench/machine.hpp>
#include <bench/statistics.hpp>
#include <tact/files/svg_chart.hpp>

namespace tact {
namespace {

constexpr std::array scenes = {"long pile", "cube pile", "wide cloth", "square cloth"};
constexpr std::array collision_methods = {"trees", "hash"};
constexpr double claimed_collision_exponent = 1.15;
constexpr double claimed_cost_of_motion = 1.5;

std::vector<CollisionRow> growing(const CollisionResults& results, const std::string& scene,
                                  const std::string& method)
{
  std::vector<CollisionRow> rows;
  for (const CollisionRow& row : results.rows)
    if (row.scene == scene && row.method == method && row.threads == 1) rows.push_back(row);
  return rows;
}

QueryTally sum_of(const std::vector<QueryTally>& tallies)
{
  QueryTally sum;
  sum.family = "all";
  for (const QueryTally& tally : tallies) {
    sum.queries += tally.queries;
    sum.contacts += tally.contacts;
    sum.missed += tally.missed;
    sum.late += tally.late;
    sum.invented += tally.invented;
    sum.early += tally.early;
    sum.mean_us += tally.mean_us * static_cast<double>(tally.queries);
  }
  if (sum.queries > 0) sum.mean_us /= static_cast<double>(sum.queries);
  return sum;
}

Series series_of(const std::vector<CollisionRow>& rows, const std::string& label,
                 double (*time)(const CollisionRow&))
{
  Series series{label, {}, false, false, {}};
  for (const CollisionRow& row : rows) series.points.emplace_back(row.triangles, time(row));
  return series;
}

Chart phases_chart(const CollisionResults& results, const std::string& scene)
{
  const std::vector<CollisionRow> trees = growing(results, scene, "trees");
  Chart chart{scene + ": time of one step, one thread",
              "triangles",
              "median time (ms)",
              Axis::logarithmic,
              Axis::logarithmic,
              {}};
  chart.series = {
      series_of(trees, "all", [](const CollisionRow& row) { return row.total_ms(); }),
      series_of(trees, "broad phase", [](const CollisionRow& row) { return row.broad_ms; }),
      series_of(trees, "proximity", [](const CollisionRow& row) { return row.proximity_ms; }),
      series_of(trees, "continuous", [](const CollisionRow& row) { return row.ccd_ms; }),
      series_of(growing(results, scene, "hash"), "broad phase by hash",
                [](const CollisionRow& row) { return row.broad_ms; })};
  return chart;
}

void add_tally(std::string& out, const QueryTally& t)
{
  fmt::format_to(std::back_inserter(out), "{:<20} {:>9} {:>9} {:>7} {:>5} {:>9} {:>6} {:>9.3f}\n",
                 t.family, t.queries, t.contacts, t.missed, t.late, t.invented, t.early, t.mean_us);
}

nlohmann::ordered_json to_json(const TogetherRow& row)
{
  return {{"scene", row.scene},     {"speed", row.speed},
          {"spin", row.spin},       {"triangles", row.triangles},
          {"pairs", row.pairs},     {"pairs_at_rest", row.pairs_at_rest},
          {"look_ms", row.look_ms}, {"look_at_rest_ms", row.look_at_rest_ms},
          {"step_ms", row.step_ms}, {"looks", row.looks}};
}

// What motion costs at most, of what does move together: a ground stays where it is.
template <class Ratio>
double worst_cost(const std::vector<TogetherRow>& rows, const Ratio& ratio)
{
  double worst = 0.0;
  for (const TogetherRow& row : rows)
    if (row.scene != "over ground") worst = std::max(worst, ratio(row));
  return worst;
}

double step_at_rest(const std::vector<TogetherRow>& rows, const std::string& scene)
{
  for (const TogetherRow& row : rows)
    if (row.scene == scene && row.speed == 0.0 && row.spin == 0.0) return row.step_ms;
  return 0.0;
}

// What a stepper pays is claimed. A look from scratch at what turns by a quarter of a radian in one
// step is at the edge of it: a goal.
std::vector<Claim> claims_of_motion(const std::vector<TogetherRow>& rows)
{
  const auto claim = [&](const std::string& what, const auto& ratio) {
    return Claim{.name = "common motion: " + what + ", times that at rest",
                 .value = worst_cost(rows, ratio),
                 .bound = claimed_cost_of_motion};
  };
  Claim pairs = claim("pairs", [](const TogetherRow& row) {
    return static_cast<double>(row.pairs) / static_cast<double>(row.pairs_at_rest);
  });
  pairs.timed = false;
  Claim look = claim("time of a look",
                     [](const TogetherRow& row) { return row.look_ms / row.look_at_rest_ms; });
  look.goal = true;
  const Claim step = claim("time of a step", [&](const TogetherRow& row) {
    return row.step_ms / step_at_rest(rows, row.scene);
  });
  return {pairs, look, step};
}

void add_together(std::string& out, const std::vector<TogetherRow>& rows)
{
  const auto line = std::back_inserter(out);
  fmt::format_to(line, "\n{:<14} {:>6} {:>6} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>6}\n",
                 "moves together", "m/s", "rad/s", "triangles", "pairs", "at rest", "look ms",
                 "at rest", "step ms", "looks");
  for (const TogetherRow& row : rows)
    fmt::format_to(line,
                   "{:<14} {:>6g} {:>6g} {:>9} {:>9} {:>9} {:>9.2f} {:>9.2f} {:>9.2f} {:>6}\n",
                   row.scene, row.speed, row.spin, row.triangles, row.pairs, row.pairs_at_rest,
                   row.look_ms, row.look_at_rest_ms, row.step_ms, row.looks);
}

// Nothing in a quick run, which has one size of each scene.
void add_growth(std::string& out, const CollisionResults& results)
{
  for (const char* scene : scenes)
    for (const char* method : collision_methods) {
      const CollisionGrowth growth = collision_growth(results, scene, method);
      if (std::isfinite(growth.in_triangles))
        fmt::format_to(std::back_inserter(out),
                       "  {:<12} {:<6} time grows as triangles^{:.2f}, pairs^{:.2f}\n", scene,
                       method, growth.in_triangles, growth.in_pairs);
    }
}

nlohmann::ordered_json to_json(const CollisionRow& row)
{
  return {{"scene", row.scene},
          {"method", row.method},
          {"threads", row.threads},
          {"triangles", row.triangles},
          {"pairs", row.pairs},
          {"contacts", row.contacts},
          {"crossings", row.crossings},
          {"broad_ms", row.broad_ms},
          {"proximity_ms", row.proximity_ms},
          {"ccd_ms", row.ccd_ms},
          {"total_ms", row.total_ms()},
          {"first_broad_ms", row.first_ms}};
}

nlohmann::ordered_json to_json(const QueryTally& t)
{
  return {{"family", t.family}, {"queries", t.queries}, {"contacts", t.contacts},
          {"missed", t.missed}, {"late", t.late},       {"invented", t.invented},
          {"early", t.early},   {"mean_us", t.mean_us}};
}

// Of queries that went wrong, whatever the machine.
Claim exactly_none(const std::string& name, long long count)
{
  return {.name = name, .value = static_cast<double>(count), .bound = 0.0, .timed = false};
}

}  // namespace

CollisionGrowth collision_growth(const CollisionResults& results, const std::string& scene,
                                 const std::string& method)
{
  std::vector<double> triangles, pairs, ms;
  for (const CollisionRow& row : growing(results, scene, method)) {
    triangles.push_back(row.triangles);
    pairs.push_back(static_cast<double>(row.pairs));
    ms.push_back(row.total_ms());
  }
  return {growth_exponent(triangles, ms), growth_exponent(pairs, ms)};
}

std::vector<Claim> collision_claims(const CollisionResults& results)
{
  const QueryTally all = sum_of(results.queries);
  std::vector<Claim> claims = {exactly_none("motion queries: contacts missed", all.missed),
                               exactly_none("motion queries: times too late", all.late),
                               exactly_none("motion queries: contacts invented", all.invented),
                               exactly_none("motion queries: times early by > 1e-9", all.early)};
  for (const Claim& claim : claims_of_motion(results.together)) claims.push_back(claim);
  for (const std::string scene : scenes) {
    const CollisionGrowth growth = collision_growth(results, scene, "trees");
    if (!std::isfinite(growth.in_triangles)) continue;
    // A square cloth of 5,000 triangles has three layers, one of 200,000 sixteen: what its time is
    // to be compared with is the number of pairs.
    const bool by_pairs = scene == "square cloth";
    claims.push_back({fmt::format("exponent, {}, in {}", scene, by_pairs ? "pairs" : "triangles"),
                      by_pairs ? growth.in_pairs : growth.in_triangles,
                      claimed_collision_exponent});
  }
  return claims;
}

std::string collision_table(const CollisionResults& results)
{
  std::string out;
  const auto line = std::back_inserter(out);
  fmt::format_to(line, "{}\nmedian time of one step, in ms; of one thread, its processor time\n\n",
                 machine_description());
  fmt::format_to(line, "{:<12} {:<6} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n",
                 "scene", "broad", "threads", "triangles", "pairs", "contacts", "crossings",
                 "broad ms", "prox. ms", "ccd ms", "all ms");
  for (const CollisionRow& row : results.rows)
    fmt::format_to(
        line, "{:<12} {:<6} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f}\n",
        row.scene, row.method, row.threads, row.triangles, row.pairs, row.contacts, row.crossings,
        row.broad_ms, row.proximity_ms, row.ccd_ms, row.total_ms());
  add_together(out, results.together);
  fmt::format_to(line, "\n{:<20} {:>9} {:>9} {:>7} {:>5} {:>9} {:>6} {:>9}\n", "motion queries",
                 "queries", "contacts", "missed", "late", "invented", "early", "mean us");
  for (const QueryTally& tally : results.queries) add_tally(out, tally);
  add_tally(out, sum_of(results.queries));
  out += claims_table(collision_claims(results));
  fmt::format_to(line, "\n");
  add_growth(out, results);
  return out;
}

std::string collision_json(const CollisionResults& results)
{
  nlohmann::ordered_json out = {{"bench", "collision"}, {"machine", machine_description()}};
  out["rows"] = nlohmann::ordered_json::array();
  for (const CollisionRow& row : results.rows) out["rows"].push_back(to_json(row));
  out["published"] = nlohmann::ordered_json::array();  // no paper of ours times detection alone
  out["fits"] = nlohmann::ordered_json::object();
  for (const char* scene : scenes)
    for (const char* method : collision_methods) {
      const CollisionGrowth growth = collision_growth(results, scene, method);
      if (std::isfinite(growth.in_triangles))
        out["fits"]["growth"].push_back({{"scene", scene},
                                         {"method", method},
                                         {"in_triangles", growth.in_triangles},
                                         {"in_pairs", growth.in_pairs}});
    }
  out["fits"]["claims"] = to_json(collision_claims(results));
  out["together"] = nlohmann::ordered_json::array();
  for (const TogetherRow& row : results.together) out["together"].push_back(to_json(row));
  out["queries"] = nlohmann::ordered_json::array();
  for (const QueryTally& tally : results.queries) out["queries"].push_back(to_json(tally));
  return out.dump(1) + "\n";
}

std::string collision_plot(const CollisionResults& results)
{
  std::vector<Chart> charts;
  for (const char* scene : scenes) charts.push_back(phases_chart(results, scene));
  return to_svg(charts, 2);
}

}  // namespace tact
