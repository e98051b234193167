// tact view: a recording or a live simulation in the browser.
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cli/commands.hpp>
#include <cli/default_folder.hpp>
#include <cli/interrupt.hpp>
#include <cli/number_options.hpp>
#include <cli/set_option.hpp>
#include <cli/version.hpp>
#include <tact/core/error.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/viewer/live_session.hpp>
#include <tact/viewer/page.hpp>
#include <tact/viewer/recording_session.hpp>
#include <tact/viewer/server.hpp>

namespace tact::cli {
namespace {

namespace fs = std::filesystem;

struct ViewOptions {
  std::string shown = "falling-cloth";  // a scene, or the folder of a run
  std::vector<std::string> patches;     // of a scene
  std::string folder;                   // for saved problems; empty: out/<scene>/problems
  int port = 0;
  int threads = 0;  // 0: all
  bool json = false;
};

bool is_recording(const std::string& shown)
{
  return fs::is_directory(shown) || fs::path(shown).extension() == ".h5";
}

std::unique_ptr<Session> open_session(const ViewOptions& options)
{
  if (is_recording(options.shown)) {
    if (!options.patches.empty())
      throw Error("view: --set changes scenes, but " + options.shown + " is a recording");
    return open_recording_session(options.shown);
  }
  Scene scene = build_scene(read_scene(options.shown, options.patches));
  LiveOptions live{.version = version()};
  live.folder =
      options.folder.empty() ? default_folder(scene.name) / "problems" : fs::path(options.folder);
  return start_live_session(std::move(scene), live);
}

int view(const ViewOptions& options, const Console& console)
{
  std::optional<tbb::global_control> limit;
  if (options.threads > 0)
    limit.emplace(tbb::global_control::max_allowed_parallelism,
                  static_cast<std::size_t>(options.threads));
  const std::unique_ptr<Session> session = open_session(options);
  if (compressed_page().empty()) page_text();          // tells why there is none
  const char* token = std::getenv("TACT_VIEW_TOKEN");  // not an option: others see those
  ViewServer server(*session, {.port = options.port, .token = token ? token : ""});
  if (options.json)
    console.out << nlohmann::ordered_json{{"address", server.address()},
                                          {"port", server.port()},
                                          {"mode",
                                           is_recording(options.shown) ? "recording" : "live"}}
                       .dump()
                << std::endl;
  else
    console.out << server.address() << std::endl;  // at once: a program may wait for it
  console.tell("open this address in a browser; Ctrl-C ends it");
  const InterruptGuard interrupt;
  server.run(interrupt.requested());
  return done;
}

Action declare_view(CLI::App& app)
{
  const auto options = std::make_shared<ViewOptions>();
  app.add_option("SCENE", options->shown,
                 "The folder of a run, which is played, or a scene, which is simulated: a name of "
                 "`tact list scenes` or a JSON file; default: falling-cloth")
      ->type_name("");
  add_set_option(app, {options, &options->patches});
  app.add_option("-o,--output", options->folder,
                 "Folder for contact problems that are saved; default out/<scene>/problems")
      ->type_name("DIR");
  expect_integer(app.add_option("--threads", options->threads, "Default: all of the machine"), 1,
                 1024);
  expect_integer(app.add_option("--port", options->port, "Default: any that is free"), 0, 65535);
  app.add_flag("--json", options->json, "Print the address as JSON");
  return [options](const Console& console) { return view(*options, console); };
}

}  // namespace

Command view_command()
{
  return {"view", "Look at a recording or a live simulation in the browser",
          "  tact view out/falling-cloth\n"
          "  tact view bowling --port 8080\n",
          declare_view};
}

}  // namespace tact::cli
