#include <cli/command_line.hpp>

#include <algorithm>
#include <exception>
#include <ostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cli/commands.hpp>
#include <cli/version.hpp>
#include <tact/core/error.hpp>
#include <tact/core/memory_limit.hpp>
#include <tact/core/printable.hpp>
#include <tact/files/text_file.hpp>

namespace tact::cli {
namespace {

constexpr std::string_view root_examples =
    "  tact run falling-cloth                    simulate a scene into out/falling-cloth\n"
    "  tact view out/falling-cloth               look at it in the browser\n"
    "  tact render out/falling-cloth --out a.mp4 make a film of it\n"
    "  tact verify out/falling-cloth             judge the recording without the simulator\n"
    "  tact solve problem.json --solver all      a stored contact problem, by every solver\n"
    "  tact list scenes                          what there is to choose from\n";

// The command line as CLI11 sees it, and what belongs to each command.
struct Grammar {
  struct Entry {
    Command command;
    CLI::App* app;
    Action action;
  };

  CLI::App app{
      "Frictional contact of rigid bodies, cloth and soft solids by complementarity: hard, "
      "checked, "
      "certified."};
  std::vector<Entry> entries;
  bool quiet = false;
  bool verbose = false;
  bool no_color = false;
  bool version = false;
  std::string memory;  // empty: a share of what there is

  const Entry* chosen() const
  {
    const auto it = std::find_if(entries.begin(), entries.end(),
                                 [](const Entry& entry) { return entry.app->parsed(); });
    return it == entries.end() ? nullptr : &*it;
  }
};

void build(Grammar& grammar)
{
  CLI::App& app = grammar.app;
  app.name("tact");
  app.allow_extras();            // judged below, with the nearest spelling
  app.require_subcommand(0, 1);  // what follows the first command is never taken for a second
  app.get_formatter()->column_width(32);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.get_formatter()->label("Subcommands", "Commands");
  app.add_flag("--quiet", grammar.quiet, "Nothing on stderr but what is wrong");
  app.add_flag("--verbose", grammar.verbose, "Tell each step on stderr");
  app.add_option("--memory", grammar.memory,
                 "Most that may be taken, as 800M or 2.5G; default: 80 % of what is free")
      ->type_name("SIZE");
  app.add_flag("--no-color", grammar.no_color, "No colour (also: NO_COLOR in the environment)");
  app.add_flag("--version", grammar.version, "Version, commit, build type and threads");
  for (const Command& command : {run_command(), view_command(), render_command(), verify_command(),
                                 plot_command(), info_command(), diff_command(), export_command(),
                                 new_command(), check_command(), list_command(), schema_command(),
                                 solve_command(), ccd_command(), bench_command(), fuzz_command()}) {
    CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
    sub->fallthrough();  // --quiet and its like may follow the command
    sub->footer("Every command also takes --quiet, --verbose, --no-color and --memory SIZE.");
    grammar.entries.push_back({command, sub, command.declare(*sub)});
  }
}

int print_help(const Grammar& grammar, const Console& console)
{
  const Grammar::Entry* entry = grammar.chosen();
  console.out << "Examples:\n" << (entry ? entry->command.examples : root_examples) << '\n';
  console.out << (entry ? entry->app->help("tact") : grammar.app.help());
  return done;
}

std::vector<std::string> known_options(const Grammar& grammar)
{
  std::vector<std::string> names{"--help"};
  const auto collect = [&names](const CLI::App& app) {
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  };
  collect(grammar.app);
  if (const Grammar::Entry* entry = grammar.chosen()) collect(*entry->app);
  return names;
}

[[noreturn]] void reject_word(const Grammar& grammar, const std::string& word)
{
  const Grammar::Entry* entry = grammar.chosen();
  const std::string who = entry ? fmt::format("{}: ", entry->command.name) : "";
  if (word.starts_with('-')) {
    const std::string option = word.substr(0, word.find('='));
    throw Error(fmt::format("{}unknown option {}{}", who, option,
                            did_you_mean(option, known_options(grammar))));
  }
  if (entry) throw Error(fmt::format("{}found \"{}\", expected nothing more", who, word));
  std::vector<std::string> names;
  for (const auto& known : grammar.entries) names.emplace_back(known.command.name);
  names.emplace_back("--help");
  throw Error(fmt::format("unknown command \"{}\"{}", word, did_you_mean(word, names)));
}

[[noreturn]] void reject_value(const Grammar& grammar, const CLI::ParseError& error)
{
  std::string message = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error))
    message = message.substr(0, message.find(':')) + ": found no value or several, expected one";
  const Grammar::Entry* entry = grammar.chosen();
  throw Error(entry ? fmt::format("{}: {}", entry->command.name, message) : message);
}

int run_chosen(const Grammar& grammar, Console& console)
{
  if (grammar.version) {
    console.out << version_text();
    return done;
  }
  const std::vector<std::string> unknown = grammar.app.remaining(true);
  if (!unknown.empty()) reject_word(grammar, unknown.front());
  const Grammar::Entry* entry = grammar.chosen();
  if (!entry) throw Error("no command given; \"tact --help\" shows what there is");
  console.no_color = grammar.no_color;
  if (grammar.quiet)
    console.verbosity = Verbosity::quiet;
  else if (grammar.verbose)
    console.verbosity = Verbosity::verbose;
  const MemoryLimit limit(grammar.memory.empty()
                              ? default_memory_limit()
                              : parse_memory_limit(grammar.memory, machine_memory().total));
  return with_memory_for(fmt::format("tact {}", entry->command.name),
                         [&] { return entry->action(console); });
}

int parse_and_run(const std::vector<std::string>& arguments, Console& console)
{
  Grammar grammar;
  build(grammar);
  try {
    grammar.app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    return print_help(grammar, console);
  } catch (const CLI::ParseError& error) {
    reject_value(grammar, error);
  }
  return run_chosen(grammar, console);
}

}  // namespace

int run(const std::vector<std::string>& arguments, Console console)
{
  try {
    return parse_and_run(arguments, console);
  } catch (const WriteError& error) {
    console.complain(error.what());
    return failed;
  } catch (const Error& error) {
    console.complain(error.what());
    return wrong_input;
  } catch (const std::exception& error) {
    console.complain(told(error));
    return wants_memory(error) ? not_reached : failed;
  }
}

}  // namespace tact::cli
