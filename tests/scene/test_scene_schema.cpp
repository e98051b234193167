#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <tact/files/text_file.hpp>
#include <tact/scene/built_in_scenes.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/scene/schema.hpp>
#include <tact/setup/scene_builder.hpp>

#include <files/messages.hpp>
#include "wrong_scenes.hpp"

namespace fs = std::filesystem;
using namespace tact;
using nlohmann::json;

namespace {

const fs::path root = TACT_ROOT;

// The text between two lines that say where generated tables begin and end.
std::string between(const std::string& text, const std::string& name)
{
  const std::string begin = "<!-- " + name + " -->\n\n", end = "<!-- end of " + name + " -->";
  const std::size_t from = text.find(begin), to = text.find(end);
  REQUIRE(from != text.npos);
  REQUIRE(to != text.npos);
  return text.substr(from + begin.size(), to - from - begin.size());
}

std::vector<fs::path> scene_files()
{
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root / "scenes"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  return files;
}

// Wrong scenes whose fault a schema can tell: keys, types, ranges, keys that do not go together.
std::vector<json> wrong_by_schema()
{
  const std::vector<std::string> told = {
      "expected a number", "expected an array",    "found nothing",       "expected an integer",
      "unknown key",       "expected at most one", "expected exactly one"};
  std::vector<json> wrong;
  for (const WrongScene& scene : wrong_scenes()) {
    const json document = json::parse(scene.text, nullptr, false);
    const bool by_keys = std::any_of(told.begin(), told.end(), [&](const std::string& words) {
      return contains(scene.words, words);
    });
    if (document.is_object() && scene.patches.empty() && by_keys) wrong.push_back(document);
  }
  return wrong;
}

}  // namespace

TEST_CASE("the schema in the repository is the one that tact prints")
{
  // When it is not: schema/update build/release/tact
  CHECK(read_text(root / "schema" / "tact.scene.schema.json") == scene_schema());
}

TEST_CASE("the tables of docs/scenes.md are those that scene files are read by")
{
  const std::string page = read_text(root / "docs" / "scenes.md");
  CHECK(between(page, "keys") == scene_key_tables());
  CHECK(between(page, "scenes") == built_in_scene_tables());
}

TEST_CASE("every scene file of the repository builds")
{
  CHECK(!scene_files().empty());
  for (const fs::path& file : scene_files()) {
    CAPTURE(file.string());
    CHECK(message_of([&] { build_scene(read_scene(file.string())); }) == "");
  }
}

TEST_CASE("an independent validator agrees with the schema on right and wrong scenes")
{
  if (std::system("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null") != 0) {
    MESSAGE("skipped: python3-jsonschema is not installed");
    return;
  }
  const TemporaryFolder folder;
  json right = json::array();
  for (const fs::path& file : scene_files()) {
    right.push_back(json::parse(read_scene(file.string()).resolved));
    right.push_back(json::parse(read_text(file), nullptr, true, true));  // with its comments
  }
  for (const BuiltInScene& scene : built_in_scenes()) right.push_back({{"scene", scene.name}});
  const std::vector<json> wrong = wrong_by_schema();
  CHECK(wrong.size() >= 20);
  const auto cases = folder.file("cases.json", json{{"right", right}, {"wrong", wrong}}.dump());
  const auto schema = folder.file("schema.json", scene_schema());
  const std::string script = (root / "tests" / "scene" / "validate_scenes").string();
  CHECK(std::system(
            ("'" + script + "' '" + schema.string() + "' '" + cases.string() + "'").c_str()) == 0);
}
