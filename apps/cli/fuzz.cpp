// tact fuzz: random scenes of free bodies, each judged by what free bodies keep.
#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cli/commands.hpp>
#include <cli/number_options.hpp>
#include <cli/output_file.hpp>
#include <cli/set_option.hpp>
#include <tact/core/error.hpp>
#include <tact/core/timer.hpp>
#include <tact/run/free_scene_judge.hpp>
#include <tact/samples/random_scene.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/scene/scene_writer.hpp>

namespace tact::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int block = 16;  // scenes that are judged before the next lines are printed

struct FuzzOptions {
  std::vector<std::string> files;  // judged instead of random scenes
  std::shared_ptr<std::vector<std::string>> patches = std::make_shared<std::vector<std::string>>();
  int seed = 1;
  int count = 100;
  int threads = 0;  // 0: all
  std::string write;
  bool json = false;
};

struct FuzzSummary {
  int scenes = 0, failed = 0, steps = 0, touching_steps = 0;
  int halvings = 0, cut_steps = 0, unconverged = 0, aborted = 0;

  void add(const FreeSceneReport& report)
  {
    ++scenes;
    failed += !report.failure().empty();
    aborted += !report.aborted.empty();
    steps += report.steps;
    touching_steps += report.touching_steps;
    halvings += report.halvings;
    cut_steps += report.cut_steps;
    unconverged += report.unconverged;
  }
};

Json figure_json(const WorstFigure& figure)
{
  return {{"worst", figure.value}, {"step", figure.step}};
}

Json to_json(const FreeSceneReport& report)
{
  Json json = {{"ok", report.failure().empty()},
               {"steps", report.steps},
               {"touching_steps", report.touching_steps},
               {"halvings", report.halvings},
               {"cut_steps", report.cut_steps},
               {"unconverged", report.unconverged},
               {"momentum", figure_json(report.momentum)},
               {"angular_momentum", figure_json(report.angular_momentum)},
               {"energy", figure_json(report.energy)},
               {"intersecting_pairs", figure_json(report.intersecting_pairs)}};
  if (!report.aborted.empty()) json["aborted"] = report.aborted;
  return json;
}

Json to_json(const FuzzSummary& sum, double seconds)
{
  return {{"scenes", sum.scenes},
          {"failed", sum.failed},
          {"aborted", sum.aborted},
          {"steps", sum.steps},
          {"touching_steps", sum.touching_steps},
          {"halvings", sum.halvings},
          {"cut_steps", sum.cut_steps},
          {"unconverged", sum.unconverged},
          {"seconds", seconds}};
}

std::string line_of(const FuzzSummary& sum, double seconds)
{
  return fmt::format(
      "{} scenes, {} steps, {} of them with contact, in {:.3g} s: {} scenes failed, {} of them "
      "aborted; {} halvings, {} cut steps, {} solves over tolerance\n",
      sum.scenes, sum.steps, sum.touching_steps, seconds, sum.failed, sum.aborted, sum.halvings,
      sum.cut_steps, sum.unconverged);
}

// Scenes by their numbers, and how they are called in what is printed.
class SceneSource {
 public:
  explicit SceneSource(const FuzzOptions& options) : options_(options) {}

  int count() const
  {
    return options_.files.empty() ? options_.count : static_cast<int>(options_.files.size());
  }
  SceneDescription scene(int i) const
  {
    if (options_.files.empty()) return random_scene(static_cast<std::uint64_t>(options_.seed) + i);
    return read_scene(options_.files[i], *options_.patches);
  }
  std::string name(int i) const
  {
    return options_.files.empty() ? fmt::format("seed {}", options_.seed + i) : options_.files[i];
  }
  Json json_name(int i) const
  {
    if (options_.files.empty()) return {{"seed", options_.seed + i}};
    return {{"file", options_.files[i]}};
  }

 private:
  const FuzzOptions& options_;
};

std::vector<FreeSceneReport> judge_block(const SceneSource& source, int first, int count)
{
  std::vector<FreeSceneReport> reports(count);
  tbb::parallel_for(0, count,
                    [&](int i) { reports[i] = judge_free_scene(source.scene(first + i)); });
  return reports;
}

void check_usage(const FuzzOptions& options)
{
  if (options.files.empty() && !options.patches->empty())
    throw Error("fuzz: --set: found no scene file, expected one to change");
  if (!options.files.empty() && !options.write.empty())
    throw Error("fuzz: --write: found scene files, expected a seed");
}

void write_one(const FuzzOptions& options)
{
  if (options.write.empty()) return;
  if (options.count != 1)
    throw Error(fmt::format("fuzz: --write: found {} scenes, expected --count 1", options.count));
  require_output("--write", options.write);
  write_scene(options.write, random_scene(static_cast<std::uint64_t>(options.seed)));
}

int fuzz(const FuzzOptions& options, const Console& console)
{
  const auto threads = options.threads > 0 ? static_cast<std::size_t>(options.threads)
                                           : std::max(1u, std::thread::hardware_concurrency());
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  check_usage(options);
  write_one(options);
  const Timer timer;
  FuzzSummary summary;
  Json scenes = Json::array();
  const SceneSource source(options);
  for (int first = 0; first < source.count(); first += block) {
    const auto reports = judge_block(source, first, std::min(block, source.count() - first));
    for (std::size_t i = 0; i < reports.size(); ++i) {
      const int scene = first + static_cast<int>(i);
      summary.add(reports[i]);
      const std::string failure = reports[i].failure();
      if (options.json) {
        scenes.push_back(source.json_name(scene));
        scenes.back().update(to_json(reports[i]));
      } else if (!failure.empty()) {
        console.out << fmt::format("{}: {}\n", source.name(scene), failure) << std::flush;
      }
    }
  }
  if (options.json) {
    Json all = to_json(summary, timer.seconds());
    all["results"] = std::move(scenes);
    console.out << all.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
  } else {
    console.out << line_of(summary, timer.seconds());
  }
  return summary.failed == 0 ? done : not_reached;
}

Action declare_fuzz(CLI::App& app)
{
  const auto options = std::make_shared<FuzzOptions>();
  constexpr int most = 1'000'000'000;
  app.add_option("SCENE", options->files, "Scenes of free bodies to judge instead of random ones")
      ->type_name("");
  add_set_option(app, options->patches);
  expect_integer(app.add_option("--seed", options->seed, "Of the first scene; default 1"), 0, most);
  expect_integer(app.add_option("--count", options->count, "Seeds from there on; default 100"), 1,
                 most);
  expect_integer(app.add_option("--threads", options->threads, "Default: all of the machine"), 1,
                 1024);
  app.add_option("--write", options->write,
                 "Write the one scene of --count 1 as a scene file, its meshes beside it")
      ->type_name("FILE");
  app.add_flag("--json", options->json, "Print all figures as JSON");
  return [options](const Console& console) { return fuzz(*options, console); };
}

}  // namespace

Command fuzz_command()
{
  return {"fuzz", "Judge random scenes of free bodies by what they must keep",
          "  tact fuzz --count 1000\n"
          "  tact fuzz --seed 17 --count 1 --write seed-17.json\n"
          "  tact fuzz seed-17.json --set /dt=0.001\n",
          declare_fuzz};
}

}  // namespace tact::cli
