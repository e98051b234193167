// Scenes by name: files and built-in ones, with changes from the command line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tact/setup/scene_description.hpp>

namespace tact {

// The scene that a user means by `scene`: the name of a built-in one, or a file. `patches` are
// texts
// "/json/pointer=value" (scene_patch.hpp), applied in their order before anything else is read; for
// a built-in scene the document is {"scene": NAME}.
//
// Throws Error with one line for whatever is wrong: FILE: /json/pointer: found ..., expected ...
SceneDescription read_scene(const std::string& scene, const std::vector<std::string>& patches = {});

// The same from the text of a scene file. Includes and meshes are looked for beside `file`, which
// need not exist itself.
SceneDescription read_scene_text(const std::filesystem::path& file, const std::string& text,
                                 const std::vector<std::string>& patches = {});

// Whether the text names a built-in scene or a file with a key that only scenes have, sound JSON or
// not.
bool is_scene(const std::string& scene);

}  // namespace tact
