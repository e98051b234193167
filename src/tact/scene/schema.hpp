// The tables of scene files for others to read: editors (JSON Schema) and people (Markdown).
#pragma once

#include <string>

namespace tact {

// JSON Schema, draft 2020-12, indented and with a newline at its end. It says what the tables say:
// keys, types, ranges, defaults, which keys go together. What no schema can say (that files exist,
// names are unique, surfaces do not intersect) is left to `tact check`.
std::string scene_schema();

// The tables of docs/scenes.md: one a heading, in the order in which they are met.
std::string scene_key_tables();

// The built-in scenes and their parameters, likewise.
std::string built_in_scene_tables();

}  // namespace tact
