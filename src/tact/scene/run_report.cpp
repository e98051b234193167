#include <tact/scene/run_report.hpp>

#include <algorithm>

#include <nlohmann/json.hpp>

#include <tact/core/error.hpp>

namespace tact {

void RunTotals::add(const StepReport& step, double dt)
{
  ++steps;
  simulated_seconds += dt;
  phases += step.seconds;
  contacts += step.contacts;
  contacts_max = std::max<std::int64_t>(contacts_max, step.contacts);
  if (static_cast<int>(cmr_passes.size()) < step.passes) cmr_passes.resize(step.passes, 0);
  if (step.passes > 0) ++cmr_passes[step.passes - 1];
  halvings += step.halvings;
  residual_max = std::max(residual_max, step.residual);
  substeps += step.substeps;
  substeps_max = std::max<std::int64_t>(substeps_max, step.substeps);
  solves += step.solves;
  unconverged += step.unconverged;
  audit += step.audit;
  groups_max = std::max<std::int64_t>(groups_max, step.groups);
  union_solves += step.union_solves;
  form_solves += step.form_solves;
}

void RunTotals::add(const FrameCertificate& certificate)
{
  if (certificate.cut > 0) return;  // the fail-safe takes momentum away by design
  momentum_error_max = std::max(momentum_error_max, certificate.body_momentum_error);
}

// Counts are far below 2^53, so doubles hold them exactly.
NamedArray to_array(const RunTotals& totals)
{
  NamedArray array{.name = "totals", .doubles = {}, .bytes = {}};
  array.doubles = {static_cast<double>(totals.steps),
                   totals.simulated_seconds,
                   totals.wall_seconds,
                   totals.phases.dynamics,
                   totals.phases.broad_phase,
                   totals.phases.narrow_phase,
                   totals.phases.solve,
                   totals.output_seconds,
                   static_cast<double>(totals.contacts),
                   static_cast<double>(totals.contacts_max),
                   static_cast<double>(totals.halvings),
                   totals.residual_max,
                   totals.momentum_error_max,
                   static_cast<double>(totals.substeps),
                   static_cast<double>(totals.substeps_max),
                   static_cast<double>(totals.solves),
                   static_cast<double>(totals.unconverged),
                   static_cast<double>(totals.audit.regions),
                   static_cast<double>(totals.audit.unsolved),
                   static_cast<double>(totals.audit.ambiguous),
                   totals.audit.difference,
                   totals.audit.residual,
                   totals.audit.spread,
                   static_cast<double>(totals.groups_max),
                   static_cast<double>(totals.union_solves),
                   static_cast<double>(totals.form_solves)};
  array.doubles.insert(array.doubles.end(), totals.cmr_passes.begin(), totals.cmr_passes.end());
  return array;
}

RunTotals totals_from(const NamedArray& array)
{
  const std::vector<double>& x = array.doubles;
  constexpr int fixed = 26;
  if (static_cast<int>(x.size()) < fixed) throw Error("checkpoint: its totals are incomplete");
  RunTotals totals;
  totals.steps = static_cast<std::int64_t>(x[0]);
  totals.simulated_seconds = x[1];
  totals.wall_seconds = x[2];
  totals.phases = {x[3], x[4], x[5], x[6]};
  totals.output_seconds = x[7];
  totals.contacts = static_cast<std::int64_t>(x[8]);
  totals.contacts_max = static_cast<std::int64_t>(x[9]);
  totals.halvings = static_cast<std::int64_t>(x[10]);
  totals.residual_max = x[11];
  totals.momentum_error_max = x[12];
  totals.substeps = static_cast<std::int64_t>(x[13]);
  totals.substeps_max = static_cast<std::int64_t>(x[14]);
  totals.solves = static_cast<std::int64_t>(x[15]);
  totals.unconverged = static_cast<std::int64_t>(x[16]);
  totals.audit = {.regions = static_cast<long>(x[17]),
                  .unsolved = static_cast<long>(x[18]),
                  .ambiguous = static_cast<long>(x[19]),
                  .difference = x[20],
                  .residual = x[21],
                  .spread = x[22]};
  totals.groups_max = static_cast<std::int64_t>(x[23]);
  totals.union_solves = static_cast<std::int64_t>(x[24]);
  totals.form_solves = static_cast<std::int64_t>(x[25]);
  totals.cmr_passes.assign(x.begin() + fixed, x.end());
  return totals;
}

namespace {

using Json = nlohmann::ordered_json;

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

}  // namespace

nlohmann::ordered_json to_json(const RunReport& report)
{
  const RunTotals& totals = report.totals;
  nlohmann::ordered_json json = {
      {"scene", report.scene},
      {"version", report.version},
      {"seed", report.seed},
      {"threads", report.threads},
      {"steps", totals.steps},
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
       totals.steps > 0 ? static_cast<double>(totals.contacts) / static_cast<double>(totals.steps)
                        : 0.0},
      {"cmr_passes", totals.cmr_passes},
      {"halvings", totals.halvings},
      {"substeps", totals.substeps},
      {"substeps_max", totals.substeps_max},
      {"solves", totals.solves},
      {"unconverged", totals.unconverged},
      {"residual_max", totals.residual_max},
      {"penetration_max", 0.0},  // proved: a step is committed only if its whole motion is free
      {"momentum_error_max", totals.momentum_error_max},
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
  if (!report.failure.empty()) json["failure"] = report.failure;
  return json;
}

}  // namespace tact
