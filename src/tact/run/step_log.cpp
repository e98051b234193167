#include <tact/run/step_log.hpp>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/files/text_file.hpp>
#include <tact/recording/atomic_file.hpp>

namespace tact {
namespace {

constexpr std::string_view title =
    "step,t,contacts,passes,halvings,residual,unconverged,cut,kinetic,potential,momentum_loss,"
    "energy_gain,dynamics,broad_phase,narrow_phase,solve,output\n";

bool parse(const std::string& line, LoggedStep& step)
{
  long long number = 0;
  const int read = std::sscanf(  // NOLINT(cert-err34-c): the count of what was read is looked at
      line.c_str(), "%lld,%lf,%d,%d,%d,%lf,%d,%d,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &number,
      &step.t, &step.contacts, &step.passes, &step.halvings, &step.residual, &step.unconverged,
      &step.cut, &step.kinetic, &step.potential, &step.momentum_loss, &step.energy_gain,
      &step.phases.dynamics, &step.phases.broad_phase, &step.phases.narrow_phase,
      &step.phases.solve, &step.output);
  step.step = number;
  return read == 17;
}

}  // namespace

void StepLog::start()
{
  write_text(file_, title);
  lines_.clear();
}

void StepLog::go_on_after(std::int64_t step)
{
  if (!std::filesystem::exists(file_)) return start();
  std::string kept(title);
  std::istringstream text(read_text(file_));
  LoggedStep logged;
  for (std::string line; std::getline(text, line) && !text.eof();)
    if (parse(line, logged) && logged.step <= step) kept += line + '\n';
  write_text(file_, kept);
  lines_.clear();
}

void StepLog::add(const LoggedStep& s)
{
  fmt::format_to(std::back_inserter(lines_),
                 "{},{:.9g},{},{},{},{:.4g},{},{},{:.9g},{:.9g},{:.4g},{:.4g},", s.step, s.t,
                 s.contacts, s.passes, s.halvings, s.residual, s.unconverged, s.cut, s.kinetic,
                 s.potential, s.momentum_loss, s.energy_gain);
  fmt::format_to(std::back_inserter(lines_), "{:.4g},{:.4g},{:.4g},{:.4g},{:.4g}\n",
                 s.phases.dynamics, s.phases.broad_phase, s.phases.narrow_phase, s.phases.solve,
                 s.output);
}

void StepLog::commit()
{
  std::ofstream out(file_, std::ios::app | std::ios::binary);
  out << lines_ << std::flush;
  if (!out) throw_write_error(file_, errno);
  lines_.clear();
}

std::vector<LoggedStep> read_step_log(const std::filesystem::path& file)
{
  std::istringstream text(read_text(file));
  std::string line;
  std::getline(text, line);
  if (line + '\n' != title)
    throw Error(fmt::format("{}: line 1 is not that of a log of steps", file.string()));
  std::vector<LoggedStep> steps;
  for (int number = 2; std::getline(text, line) && !text.eof(); ++number)
    if (!parse(line, steps.emplace_back()))
      throw Error(fmt::format("{}: line {} is not that of a step", file.string(), number));
  return steps;
}

}  // namespace tact
