// tact diff: where two recordings part, and by how much.
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cli/commands.hpp>
#include <cli/number_options.hpp>
#include <tact/core/error.hpp>
#include <tact/run/recording_difference.hpp>

namespace tact::cli {
namespace {

using Json = nlohmann::ordered_json;

struct DiffOptions {
  std::string a, b;
  double tolerance = 0.0;  // m
  bool json = false;
};

Json difference_json(const std::optional<FrameDifference>& frame)
{
  if (!frame) return nullptr;
  return {{"step", frame->step},
          {"t", frame->t},
          {"body", frame->body},
          {"distance", frame->distance},
          {"velocity", frame->velocity}};
}

std::string difference_words(const FrameDifference& frame)
{
  return fmt::format("step {} at {:.6g} s, {}: {:.3g} m apart, velocities by {:.3g}", frame.step,
                     frame.t, frame.body, frame.distance, frame.velocity);
}

void print_difference(const RecordingDifference& found, const Console& console)
{
  const auto line = [&](std::string_view name, const std::string& value) {
    console.out << fmt::format("{:<10}{}\n", name, value);
  };
  for (const std::string& setting : found.settings) line("setting", setting);
  line("compared", fmt::format("{} frames of the same step", found.compared));
  if (found.only_a + found.only_b > 0)
    line("alone",
         fmt::format("{} frames of the first, {} of the second", found.only_a, found.only_b));
  if (found.first) line("first", difference_words(*found.first));
  if (found.worst) line("worst", difference_words(*found.worst));
}

int diff(const DiffOptions& options, const Console& console)
{
  if (options.a.empty() || options.b.empty())
    throw Error("diff: expected two recordings: the folders of runs");
  const RecordingDifference found =
      difference(Recording::open(options.a), Recording::open(options.b));
  const bool same = found.same(options.tolerance);
  if (options.json) {
    const Json report = {{"same", same},
                         {"identical", !found.first.has_value()},
                         {"compared", found.compared},
                         {"only_a", found.only_a},
                         {"only_b", found.only_b},
                         {"settings", found.settings},
                         {"first", difference_json(found.first)},
                         {"worst", difference_json(found.worst)}};
    console.out << report.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  } else {
    print_difference(found, console);
    const char* likeness = same ? "the same" : "not the same";
    const char* verdict = found.first ? likeness : "the same, bit for bit";
    console.out << console.paint(verdict, same ? Tone::good : Tone::bad) << '\n';
  }
  return same ? done : not_reached;
}

Action declare_diff(CLI::App& app)
{
  const auto options = std::make_shared<DiffOptions>();
  app.add_option("A", options->a, "The folder of a run")->type_name("");
  app.add_option("B", options->b, "That of another, of the same bodies")->type_name("");
  expect_number_at_least(app.add_option("--tolerance", options->tolerance,
                                        "m: places may differ by that; default 0, the same bits"),
                         0.0);
  app.add_flag("--json", options->json, "Print the differences as JSON");
  return [options](const Console& console) { return diff(*options, console); };
}

}  // namespace

Command diff_command()
{
  return {"diff", "Compare two recordings: the first step that differs, and by how much",
          "  tact diff out/letters out/letters-resumed\n"
          "  tact diff out/a out/b --tolerance 1e-6 --json\n",
          declare_diff};
}

}  // namespace tact::cli
