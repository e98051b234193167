// Scenes with one thing wrong, and what must be said about it. The same list is read in-process and
// by the program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <files/temporary_folder.hpp>

namespace tact {

struct WrongScene {
  std::string what;
  std::string text;   // of scene.json
  std::string place;  // JSON pointer, or line
  std::string words;
  std::vector<std::string> patches = {};
};

// The files that wrong scenes name: meshes with defects, includes in a circle.
void write_wrong_files(const TemporaryFolder& folder);

const std::vector<WrongScene>& wrong_scenes();

}  // namespace tact
