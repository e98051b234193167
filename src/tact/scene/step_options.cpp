#include <tact/scene/step_options.hpp>

#include <fmt/format.h>

#include <tact/core/error.hpp>

namespace tact {
namespace {

// The solvers that step: settings of one loop. The others solve stored problems.
NestedOptions solver_options(const std::string& name)
{
  if (name == "auto") return automatic_options();
  if (name == "anticipation") return anticipation_options();
  if (name == "nested") return accelerated_options();
  if (name == "ica") return ica_options();
  throw Error(fmt::format(
      "--solver: found \"{}\", expected auto, anticipation, nested or ica: the others solve stored "
      "problems (tact solve)",
      name));
}

}  // namespace

StepOptions step_options(const ContactSettings& settings)
{
  StepOptions options;
  options.contact.solver = solver_options(settings.solver);
  options.contact.delta = settings.delta;
  options.contact.solver.tolerance = settings.tolerance;
  options.contact.solver.law =
      settings.friction == "pyramid" ? FrictionLaw::pyramid : FrictionLaw::disc;
  options.contact.solver.kernel =
      settings.kernel == "standard" ? CouplingKernelKind::standard : CouplingKernelKind::low_rank;
  options.contact.measure_clearance = true;
  return options;
}

}  // namespace tact
