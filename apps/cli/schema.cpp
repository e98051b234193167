// tact schema: the JSON Schema of scene files, or their keys as Markdown.
#include <memory>
#include <ostream>

#include <CLI/CLI.hpp>

#include <cli/commands.hpp>
#include <tact/scene/schema.hpp>

namespace tact::cli {
namespace {

struct SchemaOptions {
  bool keys = false;
  bool scenes = false;
};

int print_schema(const SchemaOptions& options, const Console& console)
{
  if (options.keys) console.out << scene_key_tables();
  if (options.scenes) console.out << built_in_scene_tables();
  if (!options.keys && !options.scenes) console.out << scene_schema();
  return done;
}

Action declare_schema(CLI::App& app)
{
  const auto options = std::make_shared<SchemaOptions>();
  app.add_flag("--keys", options->keys, "Instead: tables of all keys, in Markdown");
  app.add_flag("--scenes", options->scenes, "Instead: tables of the built-in scenes' parameters");
  return [options](const Console& console) { return print_schema(*options, console); };
}

}  // namespace

Command schema_command()
{
  return {"schema", "Print the JSON Schema of scene files",
          "  tact schema > tact.scene.schema.json   then in a scene: \"$schema\": "
          "\"./tact.scene.schema.json\"\n"
          "  tact schema --keys | less              every key there is\n",
          declare_schema};
}

}  // namespace tact::cli
