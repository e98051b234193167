// tact run: simulates a scene into a folder.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cli/commands.hpp>
#include <cli/default_folder.hpp>
#include <cli/former_run.hpp>
#include <cli/interrupt.hpp>
#include <cli/number_options.hpp>
#include <cli/progress.hpp>
#include <cli/set_option.hpp>
#include <cli/version.hpp>
#include <tact/core/error.hpp>
#include <tact/core/memory_limit.hpp>
#include <tact/run/run.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/setup/step_options.hpp>

namespace tact::cli {
namespace {

namespace fs = std::filesystem;

struct RunCommandOptions {
  std::string scene;
  std::string folder;                // empty: out/<scene>
  std::vector<std::string> patches;  // --set, and what the options below stand for
  int steps = -1;                    // -1: as many as the time asks for
  int threads = 0;                   // 0: all
  double checkpoint = 10.0;
  std::string record_problems;  // empty: none
  bool resume = false;
  bool overwrite = false;
  bool json = false;
};

int hardware_threads()
{
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

// The scene without how long it runs: a checkpoint is good for a longer run too.
std::string identity_of(const Scene& scene)
{
  nlohmann::json json = nlohmann::json::parse(scene.resolved_json);
  json.erase("time");
  return json.dump();
}

// The K of "step=K" or "every=K".
std::optional<std::int64_t> number_after(std::string_view prefix, std::string_view text)
{
  if (!text.starts_with(prefix)) return std::nullopt;
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + prefix.size(), end, number);
  const bool good = read.ec == std::errc() && read.ptr == end && number >= 1;
  return good ? std::optional(number) : std::nullopt;
}

// all, unconverged, step=K or every=K.
RecordProblems parse_problems(const std::string& text)
{
  using When = RecordProblems::When;
  if (text == "all") return {.when = When::all};
  if (text == "unconverged") return {.when = When::unconverged};
  if (const auto step = number_after("step=", text)) return {.when = When::step, .step = *step};
  if (const auto every = number_after("every=", text)) return {.when = When::every, .step = *every};
  throw Error(
      fmt::format("--record-problems: found \"{}\", expected all, unconverged, step=K or every=K "
                  "with K >= 1",
                  text));
}

RunSettings settings_of(const Scene& scene, const RunCommandOptions& options)
{
  RunSettings settings;
  settings.folder = options.folder.empty() ? default_folder(scene.name) : fs::path(options.folder);
  settings.scene = scene.name;
  settings.version = version();
  settings.scene_json = scene.resolved_json;
  settings.identity = identity_of(scene);
  settings.seed = scene.run.seed;
  settings.threads = options.threads > 0 ? options.threads : hardware_threads();
  settings.dt = scene.run.dt;
  settings.steps = options.steps >= 0 ? options.steps : scene.run.steps();
  settings.every = scene.run.record.every;
  settings.checkpoint_seconds = options.checkpoint;
  settings.resume = options.resume;
  if (!options.record_problems.empty()) settings.problems = parse_problems(options.record_problems);
  settings.forces = scene.run.record.forces;
  settings.pattern = scene.run.record.pattern;
  settings.step = step_options(scene.run);
  return settings;
}

void require_folder(const fs::path& folder)
{
  if (fs::exists(folder) && !fs::is_directory(folder))
    throw Error(fmt::format("--output: {} is a file, expected a folder", folder.string()));
}

// Digits that the tolerance of a solver leaves, and no -0.
std::string digits(const Vector3d& v)
{
  const Vector3d rounded = (1e3 * v).array().round() / 1e3 + 0.0;
  return fmt::format("({:.3f}, {:.3f}, {:.3f})", rounded[0], rounded[1], rounded[2]);
}

std::string end_of(const BodyEnd& end)
{
  return fmt::format("ends at {} m with {} m/s", digits(end.centre), digits(end.velocity));
}

void print_summary(const RunReport& report, const RunSettings& settings, const Console& console)
{
  const RunTotals& totals = report.totals;
  const auto line = [&](std::string_view name, const std::string& value) {
    console.out << fmt::format("{:<14}{}\n", name, value);
  };
  line("scene", report.scene);
  line("steps", fmt::format("{} of {:g} ms", totals.account.steps, 1e3 * settings.dt));
  line("time",
       fmt::format("{:g} s simulated in {:.3g} s", totals.simulated_seconds, totals.wall_seconds));
  line("contacts", fmt::format("at most {}", totals.contacts_max));
  for (const BodyEnd& end : report.ends) line(end.body, end_of(end));
  line("state", report.state_hash);
  line("recording", (settings.folder / "recording.h5").string());
  line("report", (settings.folder / "report.json").string());
}

int tell_end(const RunReport& report, const RunSettings& settings, const RunCommandOptions& options,
             const Console& console)
{
  if (options.json)
    console.out << report_json(report);
  else
    print_summary(report, settings, console);
  const std::string refused = report.refused();
  if (!refused.empty()) console.tell(refused);
  const std::string miss = report.miss();
  if (!miss.empty()) console.complain(miss);  // however quiet
  if (report.finished) return miss.empty() ? done : not_reached;
  if (report.out_of_memory) {
    console.complain(report.failure +
                     "; what is finished is kept, and the same command with "
                     "--resume and more memory goes on");
    return not_reached;
  }
  if (!report.failure.empty()) {
    console.complain(report.failure);
    return failed;
  }
  console.tell(fmt::format("interrupted after step {}; the same command with --resume goes on",
                           report.totals.account.steps));
  return failed;
}

int run_scene(const RunCommandOptions& options, const Console& console)
{
  if (options.scene.empty())
    throw Error("run: no scene given; \"tact list scenes\" shows the built-in ones");
  const tbb::global_control limit(
      tbb::global_control::max_allowed_parallelism,
      static_cast<std::size_t>(options.threads > 0 ? options.threads : hardware_threads()));
  SceneDescription description = with_memory_for(
      "reading the scene", [&] { return read_scene(options.scene, options.patches); });
  const Scene scene = with_memory_for("building the bodies of the scene",
                                      [&] { return build_scene(std::move(description)); });
  const RunSettings settings = settings_of(scene, options);
  require_folder(settings.folder);
  if (!options.overwrite && !options.resume) refuse_to_replace(settings.folder);

  const InterruptGuard interrupt;
  RunReport report;
  {
    Progress progress(console, static_cast<int>(settings.steps));
    const auto tell = [&](const RunProgress& now) {
      progress.at(static_cast<int>(now.step),
                  fmt::format("t = {:.3f} s, {} contacts, residual {:.1e} m/s", now.t,
                              now.last.contacts, now.last.residual));
    };
    report = run(scene.world, settings, {.after_step = tell, .stop = &interrupt.requested()});
  }
  return tell_end(report, settings, options, console);
}

// An option that is another spelling of --set.
void add_patch_option(CLI::App& app, const std::shared_ptr<RunCommandOptions>& options,
                      const std::string& name, const std::string& pointer, const std::string& help)
{
  app.add_option_function<std::string>(
         name,
         [options, pointer](const std::string& value) {
           options->patches.push_back(pointer + "=" + value);
         },
         help)
      ->type_name("");
}

Action declare_run(CLI::App& app)
{
  const auto options = std::make_shared<RunCommandOptions>();
  app.add_option("SCENE", options->scene, "A name of `tact list scenes`, or a JSON file")
      ->type_name("");
  app.add_option("-o,--output", options->folder, "Folder to write to; default out/<scene>")
      ->type_name("DIR");
  add_patch_option(app, options, "--time", "/time", "Seconds to simulate");
  expect_integer(app.add_option("--steps", options->steps, "Steps to take, instead of a time"), 0,
                 1'000'000'000);
  add_patch_option(app, options, "--dt", "/dt", "Seconds a step");
  add_patch_option(app, options, "--solver", "/contact/solver", "A name of `tact list solvers`");
  add_patch_option(app, options, "--friction", "/contact/friction",
                   "disc (the round cone) or pyramid (four facets)");
  add_patch_option(app, options, "--tolerance", "/contact/tolerance",
                   "m/s, on the residual of contact");
  add_patch_option(app, options, "--seed", "/seed", "Of what the scene has of chance");
  add_patch_option(app, options, "--every", "/record/every", "Record each K-th step");
  expect_integer(app.add_option("--threads", options->threads, "Default: all of the machine"), 1,
                 1024);
  add_set_option(app, {options, &options->patches});
  expect_number_at_least(app.add_option("--checkpoint", options->checkpoint,
                                        "Seconds of wall time between checkpoints; default 10"),
                         0.0);
  app.add_option("--record-problems", options->record_problems,
                 "Write contact problems to DIR/problems: all, step=K, every=K, or unconverged")
      ->type_name("WHEN");
  app.add_flag("--resume", options->resume, "Go on from the checkpoint in the folder");
  app.add_flag("--overwrite", options->overwrite, "Replace the recording that is in the folder")
      ->excludes("--resume");
  app.add_flag("--json", options->json, "Print the report as JSON");
  return [options](const Console& console) { return run_scene(*options, console); };
}

}  // namespace

Command run_command()
{
  return {"run", "Simulate a scene",
          "  tact run falling-cloth -o out/cloth --time 1\n"
          "  tact run scene.json --set /mu=0.8 --threads 2 --resume\n"
          "  tact run letters --every 4 --record-problems unconverged\n",
          declare_run};
}

}  // namespace tact::cli
