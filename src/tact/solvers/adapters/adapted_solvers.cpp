#include <tact/solvers/adapters/adapted_solvers.hpp>

#include <algorithm>

#include <fmt/core.h>

namespace tact {
namespace {

// What all have by the same names.
template <class Options>
Options with_what_is_asked(Options own, const ContactOptions& options)
{
  own.tolerance = options.tolerance;
  own.law = options.law;
  own.keep_history = options.keep_history;
  return own;
}

template <class Options>
Options with_sweeps(Options own, const ContactOptions& options)
{
  own.min_sweeps = options.min_sweeps;
  if (options.max_iterations > 0) own.max_sweeps = options.max_iterations;
  return own;
}

template <class Options>
Options with_passes(Options own, const ContactOptions& options)
{
  own.min_passes = options.min_passes;
  if (options.max_iterations > 0) own.max_passes = options.max_iterations;
  return own;
}

template <class Report>
ContactReport what_is_told(const Report& solved)
{
  ContactReport report;
  report.status = solved.status;
  report.residuals = solved.residuals;
  report.history = solved.history;
  return report;
}

}  // namespace

NestedOptions asked_for(NestedOptions way, const ContactOptions& options)
{
  return with_passes(with_sweeps(with_what_is_asked(way, options), options), options);
}

IcaOptions asked_for(IcaOptions way, const ContactOptions& options)
{
  return with_passes(with_what_is_asked(way, options), options);
}

ProjectedOptions asked_for(ProjectedMethod method, const ContactOptions& options)
{
  ProjectedOptions projected =
      with_sweeps(with_what_is_asked(ProjectedOptions(), options), options);
  projected.method = method;
  projected.audit = options.audit;
  if (options.max_iterations > 0) projected.max_cg = options.max_iterations;
  return projected;
}

ContactReport contact_report(const NestedReport& solved)
{
  ContactReport report = what_is_told(solved);
  report.iterations = std::max(solved.passes, solved.sweeps);
  report.inexact = solved.inexact;
  report.note = fmt::format("{} passes, {} sweeps, {} factorisations, {} islands", solved.passes,
                            solved.sweeps, solved.factors, solved.islands);
  return report;
}

ContactReport contact_report(const ProjectedReport& solved)
{
  ContactReport report = what_is_told(solved);
  report.iterations = solved.cg_iterations + solved.sweeps;
  report.note = solved.note;
  report.audit = solved.audit;
  return report;
}

}  // namespace tact
