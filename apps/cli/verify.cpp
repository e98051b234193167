// tact verify: judges a recording without the simulator.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cli/commands.hpp>
#include <cli/number_options.hpp>
#include <cli/progress.hpp>
#include <tact/core/error.hpp>
#include <tact/core/timer.hpp>
#include <tact/run/verdict.hpp>
#include <tact/run/verify.hpp>

namespace tact::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t told_findings = 10;

struct VerifyCommandOptions {
  std::string recording;
  int threads = 0;  // 0: all
  bool json = false;
};

Json to_json(const VerifyReport& report, double seconds)
{
  Json findings = Json::array();
  for (const VerifyFinding& finding : report.findings)
    findings.push_back({{"frame", finding.frame}, {"text", finding.text}});
  const StepAccount& account = report.account;
  const auto recorded = [&](auto figure) { return report.unaccounted > 0 ? Json() : Json(figure); };
  return {{"frames", report.frames},
          {"triangles_max", report.triangles_max},
          {"intersecting_pairs", report.intersecting_pairs},
          {"residual_max", report.residual_max},
          {"momentum_error_max", report.momentum_error_max},
          {"ok", report.ok()},
          {"penetration_max", report.penetration_max},
          {"natural_max", report.natural_max},
          {"cone_violation_max", report.cone_violation_max},
          {"clearance_min",
           std::isfinite(account.clearance_min) ? Json(account.clearance_min) : Json()},
          {"contacts", report.contacts},
          {"cut_frames", report.cut_frames},
          {"momentum_left_max", report.momentum_left_max},
          {"joint_gap_max", report.joint_gap_max},
          {"joint_turn_max", report.joint_turn_max},
          {"steps", recorded(account.steps)},
          {"solves", recorded(account.solves)},
          {"unconverged", recorded(account.unconverged)},
          {"cut_steps", recorded(account.cut_steps)},
          {"halvings", recorded(account.halvings)},
          {"momentum_loss_max", recorded(account.momentum_loss_max)},
          {"energy_gain_max", recorded(account.energy_gain_max)},
          {"islands_max", recorded(account.islands_max)},
          {"island_contacts_max", recorded(account.island_contacts_max)},
          {"tolerance", report.tolerance ? Json(*report.tolerance) : Json()},
          {"finished", report.finished},
          {"seconds", seconds},
          {"findings", std::move(findings)}};
}

std::string steps_of(const VerifyReport& report)
{
  if (report.unaccounted > 0) return "figures of steps between frames are not recorded";
  const StepAccount& account = report.account;
  return fmt::format(
      "{}, of which a step lost up to {:.3g} of its momentum and gained up to {:.3g} J",
      account.steps, account.momentum_loss_max, account.energy_gain_max);
}

void print(const VerifyReport& report, double seconds, const Console& console)
{
  const auto line = [&](std::string_view name, const std::string& value) {
    console.out << fmt::format("{:<14}{}\n", name, value);
  };
  line("frames", fmt::format("{}{}, judged in {:.3g} s", report.frames,
                             report.finished ? "" : " (the run has not come to its end)", seconds));
  line("triangles", fmt::format("{}, {} intersecting pairs in all frames{}", report.triangles_max,
                                report.intersecting_pairs,
                                report.intersecting_pairs > 0
                                    ? fmt::format(", up to {:.3g} m deep", report.penetration_max)
                                    : ""));
  line("contacts", fmt::format("{}, residual at most {:.3g} m/s, cones kept to {:.3g} N s",
                               report.contacts, report.residual_max, report.cone_violation_max));
  line("momentum", fmt::format("of a body balances to {:.3g} of what acts on it, {:.3g} m/s",
                               report.momentum_error_max, report.momentum_left_max));
  if (report.joints > 0)
    line("joints", fmt::format("{}, open by at most {:.3g} m and {:.3g} rad", report.joints,
                               report.joint_gap_max, report.joint_turn_max));
  if (std::isfinite(report.account.clearance_min))
    line("clearance", fmt::format("at least {:.3g} m", report.account.clearance_min));
  line("steps", steps_of(report));
  console.out << (report.ok() ? console.paint("ok", Tone::good)
                              : console.paint("not ok", Tone::bad))
              << '\n';
}

void complain(const VerifyReport& report, const std::string& file, const Console& console)
{
  for (std::size_t i = 0; i < report.findings.size() && i < told_findings; ++i)
    console.complain(fmt::format("verify: {}: frame {}: {}", file, report.findings[i].frame,
                                 report.findings[i].text));
  if (report.findings.size() > told_findings)
    console.complain(fmt::format("verify: {}: {} more findings; --json tells all", file,
                                 report.findings.size() - told_findings));
}

int verify_recording(const VerifyCommandOptions& options, const Console& console)
{
  if (options.recording.empty())
    throw Error("verify: no recording given, expected the folder of a run");
  const auto threads = options.threads > 0 ? static_cast<std::size_t>(options.threads)
                                           : std::max(1u, std::thread::hardware_concurrency());
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  const Recording recording = Recording::open(options.recording);
  const Timer timer;
  VerifyReport report;
  {
    Progress progress(console, recording.frame_count());
    const VerifyOptions checks{
        .begin_frame = [&](int k) { progress.begin(fmt::format("frame {}", k)); }};
    report = verify(recording, checks);
  }
  if (options.json)
    console.out
        << to_json(report, timer.seconds()).dump(1, ' ', false, Json::error_handler_t::replace)
        << '\n';
  else
    print(report, timer.seconds(), console);
  complain(report, recording.file().string(), console);
  if (const std::string miss = miss_of(report.account, report.tolerance); !miss.empty())
    console.complain(miss);
  return report.ok() ? done : not_reached;
}

Action declare(CLI::App& app)
{
  const auto options = std::make_shared<VerifyCommandOptions>();
  app.add_option("DIR", options->recording, "The folder of a run, finished or not")->type_name("");
  expect_integer(app.add_option("--threads", options->threads, "Default: all of the machine"), 1,
                 1024);
  app.add_flag("--json", options->json, "Print the verdict as JSON");
  return [options](const Console& console) { return verify_recording(*options, console); };
}

}  // namespace

Command verify_command()
{
  return {"verify", "Judge a recording without the simulator",
          "  tact verify out/falling-cloth\n"
          "  tact verify out/letters --json --threads 2\n",
          declare};
}

}  // namespace tact::cli
