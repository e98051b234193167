// tact new: a scene to begin with, every line explained.
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cli/commands.hpp>
#include <tact/core/error.hpp>
#include <tact/files/text_file.hpp>

namespace tact::cli {
namespace {

constexpr std::string_view template_scene =
    R"(// A scene of tact: a box, a ball and a block of jelly fall to the ground, and a sheet over them.
//
//   tact check NAME.json                    what would be simulated, or what is wrong
//   tact run NAME.json -o out/NAME          simulate
//   tact view out/NAME                      look at it in the browser
//   tact run NAME.json --set /mu=0 ...      another value for one run
//   tact schema                             all keys, for editors; docs/scenes.md tells them
//
// Units are SI: m, kg, s, N. The y axis points up.
{
  "dt": 0.005,  // s, of a step
  "time": 2,    // s, of the whole run
  "mu": 0.5,    // coefficient of friction of all pairs that say nothing else

  "bodies": [
    // Obstacles do not move, or move by keyframes ("motion"). A ground is a square at y = 0.
    {"name": "ground", "type": "obstacle", "ground": 2},

    // Rigid bodies: "box", "sphere", "capsule", "cylinder", or a closed "mesh" from a file.
    {"name": "box", "type": "rigid", "box": [0.2, 0.1, 0.1], "density": 500,
     "position": [-0.15, 0.1, 0], "rotation": {"axis": [0, 0, 1], "angle_degrees": 20}},
    {"name": "ball", "type": "rigid", "sphere": 0.06, "density": 800, "position": [0.15, 0.1, 0.1],
     "velocity": [0, 0, -0.5]},

    // Soft solids: Young's modulus (Pa), Poisson's ratio, kg/m^3.
    {"name": "jelly", "type": "soft", "box": [0.12, 0.12, 0.12], "cells": [4, 4, 4],
     "young": 2e4, "poisson": 0.4, "density": 1000, "position": [0.1, 0.1, -0.12]},

    // Cloth: a grid, or any mesh of triangles.
    {"name": "sheet", "type": "cloth", "grid": {"size": [0.7, 0.7], "vertices": [31, 31]},
     "position": [0, 0.3, 0]}
  ]

  // Held points:   "pins": [{"body": "sheet", "vertices": [0, 30]}]
  // Pairs:         "friction": [{"bodies": ["box", "ground"], "mu": 0.1}]
}
)";

struct NewOptions {
  std::string name;
  bool json = false;
};

// The scene in the words of its file's name.
std::string scene_text(const std::string& name)
{
  std::string text(template_scene);
  for (std::size_t at = text.find("NAME"); at != std::string::npos;
       at = text.find("NAME", at + name.size()))
    text.replace(at, 4, name);
  return text;
}

int write_new(const NewOptions& options, const Console& console)
{
  namespace fs = std::filesystem;
  if (options.name.empty()) throw Error("new: no name given, expected that of the scene to write");
  fs::path file = options.name;
  if (file.extension() != ".json") file += ".json";
  const std::string name = file.stem().string();
  if (name.find_first_of("\"\\\n") != std::string::npos)
    throw Error(fmt::format("new: found {}, expected a name without quotes", options.name));
  std::error_code error;
  if (fs::exists(file, error))
    throw Error(fmt::format("new: {} exists already, expected a new name", file.string()));
  if (!file.parent_path().empty() && !fs::is_directory(file.parent_path(), error))
    throw Error(fmt::format("new: found {}, expected a folder that exists ({} does not)",
                            options.name, file.parent_path().string()));
  write_text(file, scene_text(name));
  if (options.json)
    console.out << nlohmann::ordered_json({{"file", file.string()}}).dump(2) << '\n';
  else
    console.out << fmt::format("{}\n", file.string());
  return done;
}

Action declare_new(CLI::App& app)
{
  const auto options = std::make_shared<NewOptions>();
  app.add_option("NAME", options->name, "Of the scene; the file is NAME.json")->type_name("");
  app.add_flag("--json", options->json, "Print the name of the file as JSON");
  return [options](const Console& console) { return write_new(*options, console); };
}

}  // namespace

Command new_command()
{
  return {"new", "Write a scene to begin with, every line explained",
          "  tact new my-scene && tact run my-scene.json && tact view out/my-scene\n", declare_new};
}

}  // namespace tact::cli
