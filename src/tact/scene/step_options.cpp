#include <tact/scene/step_options.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <tact/core/error.hpp>

namespace tact {
namespace {

constexpr std::array<std::string_view, 8> solver_names = {
    "auto", "anticipation", "nested", "ica", "pcg-pgs", "pgs", "nncg", "apgd"};

void set_solver(const ContactSettings& settings, ContactStepOptions& options)
{
  const std::string& name = settings.solver;
  const std::optional<ProjectedMethod> method = projected_method(name);
  if (method && *method != ProjectedMethod::mprgp) {
    options.projected.emplace();
    options.projected->method = *method;
    options.projected->audit = settings.audit;
    return;
  }
  if (name == "auto") return;
  if (name == "anticipation")
    options.solver = anticipation_options();
  else if (name == "nested")
    options.solver = accelerated_options();
  else if (name == "ica")
    options.solver = ica_options();
  else
    throw Error(fmt::format(
        "--solver: found \"{}\", expected auto, anticipation, nested, ica, pcg-pgs, pgs, nncg or "
        "apgd: the others solve stored problems (tact solve)",
        name));
}

void set_nonconvex(const std::string& name, ContactStepOptions& options)
{
  if (name == "none") return;
  if (options.projected)
    throw Error(fmt::format(
        "/nonconvex: found \"{}\" with a solver of regions, expected \"none\", or the solver auto, "
        "anticipation, nested or ica",
        name));
  for (const NonconvexMethod method :
       {NonconvexMethod::selection, NonconvexMethod::max_form, NonconvexMethod::sum_form})
    if (name == tact::name(method)) options.nonconvex = method;
}

}  // namespace

std::span<const std::string_view> stepping_solvers()
{
  return solver_names;
}

StepOptions step_options(const ContactSettings& settings)
{
  StepOptions options;
  options.contact.solver = automatic_options();
  set_solver(settings, options.contact);
  options.contact.delta = settings.delta;
  options.contact.solver.tolerance = settings.tolerance;
  options.contact.solver.law =
      settings.friction == "pyramid" ? FrictionLaw::pyramid : FrictionLaw::disc;
  options.contact.rows_per_pair = settings.rows_per_pair;
  if (settings.rows_per_pair == 0) options.contact.rows_per_patch = 0;
  options.contact.solver.kernel =
      settings.kernel == "standard" ? CouplingKernelKind::standard : CouplingKernelKind::low_rank;
  options.contact.measure_clearance = true;
  // Free motion is found well below what contacts are solved to.
  options.dynamics.pcg.tolerance = std::clamp(1e-4 * settings.tolerance, 1e-12, 1e-7);
  return options;
}

StepOptions step_options(const RunOptions& run)
{
  StepOptions options = step_options(run.contact);
  if (run.integrator == "explicit") options.integrator = IntegratorKind::semi_implicit_euler;
  set_nonconvex(run.nonconvex, options.contact);
  return options;
}

}  // namespace tact
