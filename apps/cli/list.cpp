// tact list: what there is, one line each.
#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cli/benches.hpp>
#include <cli/commands.hpp>
#include <tact/core/error.hpp>
#include <tact/run/problem_solve.hpp>
#include <tact/scene/built_in_scenes.hpp>

namespace tact::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ListOptions {
  std::string topic;
  bool json = false;
};

// One entry is an object of texts; every entry of a topic has the same keys.
Json scenes_json()
{
  Json entries = Json::array();
  for (const BuiltInScene& scene : built_in_scenes())
    entries.push_back(
        {{"name", scene.name}, {"summary", scene.summary}, {"parameters", parameter_names(scene)}});
  return entries;
}

Json solvers_json()
{
  Json entries = Json::array();
  for (const SolverEntry& solver : all_solvers()) {
    const SolverGuide& guide = solver.guide;
    entries.push_back({{"name", solver.name},
                       {"kind", solver.kind},
                       {"summary", guide.summary},
                       {"accuracy", guide.accuracy},
                       {"friction", guide.friction},
                       {"needs", guide.needs},
                       {"cost", guide.cost},
                       {"use", guide.use}});
  }
  return entries;
}

Json benches_json()
{
  Json entries = Json::array();
  for (const Bench& bench : benches())
    entries.push_back({{"name", bench.name}, {"summary", bench.summary}});
  return entries;
}

Json everything_json()
{
  Json all = Json::object();
  all["scenes"] = scenes_json();
  all["solvers"] = solvers_json();
  all["benches"] = benches_json();
  return all;
}

Json chosen_json(const std::string& topic)
{
  Json all = everything_json();
  if (topic.empty()) return all;
  std::vector<std::string> topics;
  for (const auto& [name, entries] : all.items()) topics.push_back(name);
  if (!all.contains(topic))
    throw Error(fmt::format("list: found \"{}\", expected scenes, solvers or benches{}", topic,
                            did_you_mean(topic, topics)));
  Json chosen = Json::object();
  chosen[topic] = all[topic];
  return chosen;
}

// What a solver is for, below its line; only where solvers alone are asked for.
void print_guide(const Json& solver, std::ostream& out)
{
  const auto text = [&](const char* key) { return solver[key].get<std::string>(); };
  const std::string friction = text("friction") == "both" ? "cone or pyramid" : text("friction");
  out << fmt::format("      {}; friction: {}; needs {}\n", text("accuracy"), friction,
                     text("needs"))
      << fmt::format("      cost: {}\n      for {}\n", text("cost"), text("use"));
}

void print_topic(const std::string& topic, const Json& entries, bool alone, std::ostream& out)
{
  out << topic << '\n';
  if (entries.empty()) out << "  none yet\n";
  std::size_t longest = 0;
  const auto label = [](const Json& entry) { return entry["name"].get<std::string>(); };
  for (const Json& entry : entries) longest = std::max(longest, label(entry).size());
  for (const Json& entry : entries) {
    const std::string kind =
        entry.contains("kind") ? fmt::format("{:<9}", entry["kind"].get<std::string>()) : "";
    out << fmt::format("  {:<{}}  {}{}\n", label(entry), longest, kind,
                       entry["summary"].get<std::string>());
    if (alone && topic == "solvers") print_guide(entry, out);
  }
  if (topic == "solvers")
    out << "  `auto` picks by class and size and falls back; `all` runs every one of the kind\n"
           "  (docs/solvers has a page on each)\n";
}

int list(const ListOptions& options, const Console& console)
{
  const Json chosen = chosen_json(options.topic);
  if (options.json) {
    console.out << chosen.dump(1) << '\n';
    return done;
  }
  bool first = true;
  for (const auto& [topic, entries] : chosen.items()) {
    if (!first) console.out << '\n';
    first = false;
    print_topic(topic, entries, chosen.size() == 1, console.out);
  }
  return done;
}

Action declare_list(CLI::App& app)
{
  const auto options = std::make_shared<ListOptions>();
  app.add_option("TOPIC", options->topic, "scenes, solvers or benches; all of them when left out")
      ->type_name("");
  app.add_flag("--json", options->json, "Print the list as JSON");
  return [options](const Console& console) { return list(*options, console); };
}

}  // namespace

Command list_command()
{
  return {"list", "List scenes, solvers and benches",
          "  tact list solvers\n"
          "  tact list --json\n",
          declare_list};
}

}  // namespace tact::cli
