#include <tact/run/run_report.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <tact/core/error.hpp>
#include <tact/run/verdict.hpp>

namespace tact {

StepAccount account_of(const StepReport& step, std::int64_t number, double t)
{
  StepAccount account{.steps = 1,
                      .solves = step.solves,
                      .unconverged = step.unconverged,
                      .cut_steps = step.cut_steps > 0 ? 1 : 0,
                      .halvings = step.halvings,
                      .islands_max = step.islands,
                      .island_contacts_max = step.island_contacts,
                      .missed_residual = step.missed_residual,
                      .momentum_loss_max = step.momentum_loss,
                      .energy_gain_max = step.energy_gain,
                      .clearance_min = step.clearance};
  if (account.missed()) {
    account.first_missed = number;
    account.first_missed_t = t;
  }
  return account;
}

void RunTotals::add(const StepReport& step, const StepAccount& own, double dt)
{
  account.add(own);
  unrecorded.add(own);
  simulated_seconds += dt;
  phases += step.seconds;
  contacts += step.contacts;
  contacts_max = std::max<std::int64_t>(contacts_max, step.contacts);
  if (static_cast<int>(cmr_passes.size()) < step.passes) cmr_passes.resize(step.passes, 0);
  if (step.passes > 0) ++cmr_passes[step.passes - 1];
  residual_max = std::max(residual_max, step.residual);
  joint_gap_max = std::max(joint_gap_max, step.joint_gap);
  joint_turn_max = std::max(joint_turn_max, step.joint_turn);
  substeps += step.substeps;
  substeps_max = std::max<std::int64_t>(substeps_max, step.substeps);
  audit += step.audit;
  groups_max = std::max<std::int64_t>(groups_max, step.groups);
  union_solves += step.union_solves;
  form_solves += step.form_solves;
  refused += step.refused;
}

void RunTotals::add(const FrameCertificate& certificate)
{
  momentum_error_max = std::max(momentum_error_max, certificate.body_momentum_error);
}

void RunTotals::add(const FramePenetration& found)
{
  intersecting_pairs = std::max(intersecting_pairs, found.pairs);
  penetration_max = std::max(penetration_max, found.depth);
}

std::string RunReport::refused() const
{
  if (totals.refused == 0) return {};
  return fmt::format("{} does not take {} islands of contacts, which auto solved{}{}", solver,
                     totals.refused, refusal.empty() ? "" : "; the first is between ", refusal);
}

std::string RunReport::miss() const
{
  std::string text = miss_of(totals.account, tolerance);
  if (totals.intersecting_pairs > 0)
    text += fmt::format("{}Surfaces intersect: {} of triangles in a frame, up to {:.3g} m deep.",
                        text.empty() ? "" : " ",
                        totals.intersecting_pairs == 1
                            ? "a pair"
                            : fmt::format("{} pairs", totals.intersecting_pairs),
                        totals.penetration_max);
  return text;
}

namespace {

// In both directions: every number of an account, of the totals, in the order of the file.
template <class Account, class Visit>
void for_each_number(Account& account, const Visit& visit)
{
  visit(account.steps);
  visit(account.solves);
  visit(account.unconverged);
  visit(account.cut_steps);
  visit(account.halvings);
  visit(account.islands_max);
  visit(account.island_contacts_max);
  visit(account.first_missed);
  visit(account.first_missed_t);
  visit(account.missed_residual);
  visit(account.momentum_loss_max);
  visit(account.energy_gain_max);
  visit(account.clearance_min);
}

template <class Totals, class Visit>
void for_each_total(Totals& totals, const Visit& visit)
{
  for_each_number(totals.account, visit);
  for_each_number(totals.unrecorded, visit);
  visit(totals.simulated_seconds);
  visit(totals.wall_seconds);
  visit(totals.phases.dynamics);
  visit(totals.phases.broad_phase);
  visit(totals.phases.narrow_phase);
  visit(totals.phases.solve);
  visit(totals.output_seconds);
  visit(totals.contacts);
  visit(totals.contacts_max);
  visit(totals.residual_max);
  visit(totals.momentum_error_max);
  visit(totals.intersecting_pairs);
  visit(totals.penetration_max);
  visit(totals.joint_gap_max);
  visit(totals.joint_turn_max);
  visit(totals.substeps);
  visit(totals.substeps_max);
  visit(totals.audit.regions);
  visit(totals.audit.unsolved);
  visit(totals.audit.ambiguous);
  visit(totals.audit.difference);
  visit(totals.audit.residual);
  visit(totals.audit.spread);
  visit(totals.groups_max);
  visit(totals.union_solves);
  visit(totals.form_solves);
  visit(totals.refused);
}

}  // namespace

// Counts are far below 2^53, so doubles hold them exactly.
NamedArray to_array(const RunTotals& totals)
{
  NamedArray array{.name = "totals", .doubles = {}, .bytes = {}};
  for_each_total(totals, [&](const auto& x) { array.doubles.push_back(static_cast<double>(x)); });
  array.doubles.insert(array.doubles.end(), totals.cmr_passes.begin(), totals.cmr_passes.end());
  return array;
}

RunTotals totals_from(const NamedArray& array)
{
  RunTotals totals;
  std::size_t next = 0;
  for_each_total(totals, [&](auto& x) {
    if (next >= array.doubles.size()) throw Error("checkpoint: its totals are incomplete");
    x = static_cast<std::remove_reference_t<decltype(x)>>(array.doubles[next++]);
  });
  totals.cmr_passes.assign(array.doubles.begin() + static_cast<std::ptrdiff_t>(next),
                           array.doubles.end());
  return totals;
}

namespace {

using Json = nlohmann::ordered_json;

Json finite_or_null(double x)
{
  return std::isfinite(x) ? Json(x) : Json();
}

// What was found is told, and that nothing was only where all was looked at.
template <class Figure>
Json judged(const RunReport& report, Figure figure)
{
  return report.judged || report.totals.intersecting_pairs > 0 ? Json(figure) : Json();
}

Json to_json(const Vector3d& v)
{
  return {v[0], v[1], v[2]};
}

Json to_json(const Wrench& wrench)
{
  return {{"force", to_json(wrench.force)}, {"torque", to_json(wrench.torque)}};
}

Json to_json(const BodyForces& forces)
{
  Json partners = Json::object();
  for (const ForceSummary& partner : forces.partners)
    partners[partner.body] = {{"mean", to_json(partner.mean)}, {"last", to_json(partner.last)}};
  return {{"seconds", forces.seconds},
          {"mean", to_json(forces.total.mean)},
          {"last", to_json(forces.total.last)},
          {"partners", std::move(partners)}};
}

void add_joints(const RunReport& report, Json& json)
{
  json["joint_gap_max"] = report.totals.joint_gap_max;
  json["joint_turn_max"] = report.totals.joint_turn_max;
  for (const JointForce& joint : report.joints) {
    Json& own = json["joints"][joint.joint] = to_json(joint.on_b);
    own["motor"] = joint.motor;
    own["friction"] = joint.friction;
    own["limit"] = joint.limit;
  }
}

}  // namespace

std::string report_json(const RunReport& report)
{
  const RunTotals& totals = report.totals;
  const StepAccount& account = totals.account;
  nlohmann::ordered_json json = {
      {"scene", report.scene},
      {"version", report.version},
      {"seed", report.seed},
      {"threads", report.threads},
      {"steps", account.steps},
      {"simulated_seconds", totals.simulated_seconds},
      {"wall_seconds", totals.wall_seconds},
      {"phase_seconds",
       {{"dynamics", totals.phases.dynamics},
        {"broad_phase", totals.phases.broad_phase},
        {"narrow_phase", totals.phases.narrow_phase},
        {"solve", totals.phases.solve},
        {"output", totals.output_seconds}}},
      {"contacts_max", totals.contacts_max},
      {"contacts_mean",
       account.steps > 0 ? static_cast<double>(totals.contacts) / static_cast<double>(account.steps)
                         : 0.0},
      {"cmr_passes", totals.cmr_passes},
      {"halvings", account.halvings},
      {"cut_steps", account.cut_steps},
      {"substeps", totals.substeps},
      {"substeps_max", totals.substeps_max},
      {"solves", account.solves},
      {"unconverged", account.unconverged},
      {"refused_islands", totals.refused},
      {"residual_max", totals.residual_max},
      {"tolerance", report.tolerance},
      {"intersecting_pairs", judged(report, totals.intersecting_pairs)},
      {"penetration_max", judged(report, totals.penetration_max)},
      {"clearance_min", finite_or_null(account.clearance_min)},
      {"momentum_error_max", totals.momentum_error_max},
      {"momentum_loss_max", account.momentum_loss_max},
      {"energy_gain_max", account.energy_gain_max},
      {"islands_max", account.islands_max},
      {"island_contacts_max", account.island_contacts_max},
      {"devices", Json::array({"cpu"})},
      {"state_hash", report.state_hash},
      {"finished", report.finished}};
  if (totals.audit.regions > 0)
    json["audit"] = {
        {"regions", totals.audit.regions},           {"unsolved", totals.audit.unsolved},
        {"difference_max", totals.audit.difference}, {"residual_max", totals.audit.residual},
        {"ambiguous", totals.audit.ambiguous},       {"spread_max", totals.audit.spread}};
  if (totals.union_solves > 0)
    json["unions"] = {{"groups_max", totals.groups_max},
                      {"solves", totals.union_solves},
                      {"by_form", totals.form_solves}};
  for (const BodyForces& forces : report.forces) json["forces"][forces.body] = to_json(forces);
  for (const BodyEnd& end : report.ends)
    json["ends"][end.body] = {{"centre", to_json(end.centre)}, {"velocity", to_json(end.velocity)}};
  if (!report.joints.empty()) add_joints(report, json);
  if (totals.refused > 0) json["refused"] = report.refused();
  if (const std::string miss = report.miss(); !miss.empty()) json["missed"] = miss;
  if (!report.failure.empty()) json["failure"] = report.failure;
  return json.dump(2) + "\n";
}

}  // namespace tact
