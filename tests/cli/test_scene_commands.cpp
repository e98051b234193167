// Scenes as the commands check, list and schema see them, and as run refuses them.
#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <files/temporary_folder.hpp>
#include <scene/wrong_scenes.hpp>
#include <tact/core/printable.hpp>
#include <tact/scene/built_in_scenes.hpp>
#include <tact/scene/schema.hpp>

#include "run_command.hpp"

namespace fs = std::filesystem;
using namespace tact;
using namespace tact::cli;
using nlohmann::json;

namespace {

int files_in(const fs::path& folder)
{
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) count += entry.exists();
  return count;
}

}  // namespace

TEST_CASE("whatever a file holds, what is said of it is one line of clean UTF-8")
{
  const TemporaryFolder folder;
  const auto refusal = [&folder](const std::string& name, const std::string& bytes) {
    const Result result = in_process({"check", folder.file(name, bytes).string()});
    CAPTURE(result.err);
    CHECK(result.code == wrong_input);
    REQUIRE(!result.err.empty());
    const std::string line = result.err.substr(0, result.err.size() - 1);
    CHECK(line == printable(line));
    return line;
  };
  refusal("badutf.json", "{\"name\":\"\xff\xfe\",\"bodies\":[{\"name\":\"\xa8(\"}]}");
  refusal("bin.obj", "\xbb\xcb\x97\x94\x45m\x1b[2J\x9b\n");
  const std::string turned = refusal("a.json",
                                     "{\"bodies\":[{\"name\":\"\xe2\x80\xaeoh\","
                                     "\"type\":\"rigid\",\"\xe2\x80\xae\":1}]}");
  CHECK(turned.find("\\u202e") != std::string::npos);
  CHECK(refusal("empty.json", "{}").find("a scene has /bodies") != std::string::npos);
}

TEST_CASE("the limit that a number breaks is told, also where every number has it")
{
  const TemporaryFolder folder;
  const auto file = folder.file("high.json", R"({"dt": 1e308, "bodies": [
      {"name": "a", "type": "rigid", "box": [1, 1, 1]}]})");
  check_refused(in_process({"check", file.string()}), "/dt: found 1e+308, expected a number > 0");
  check_refused(in_process({"check", file.string()}), "at most 1");
  const auto seed = folder.file("seed.json", R"({"seed": -1, "bodies": [
      {"name": "a", "type": "rigid", "box": [1, 1, 1]}]})");
  const std::string told = in_process({"check", seed.string()}).err;
  CHECK(told.ends_with("expected an integer from 0 to 9007199254740992\n"));  // and only once
}

TEST_CASE("tact run refuses every wrong scene with exit 2 and writes nothing")
{
  const TemporaryFolder folder;
  write_wrong_files(folder);
  const std::string file = folder.file("scene.json", "").string();
  const int before = files_in(folder.path());
  for (const WrongScene& wrong : wrong_scenes()) {
    CAPTURE(wrong.what);
    folder.file("scene.json", wrong.text);
    std::vector<std::string> words{"run", file, "-o", (folder.path() / "out").string()};
    for (const std::string& patch : wrong.patches) {
      words.push_back("--set");
      words.push_back(patch);
    }
    check_refused(in_process(words), wrong.words);
    CHECK(files_in(folder.path()) == before);
  }
}

TEST_CASE("tact check tells the size of a scene")
{
  const TemporaryFolder folder;
  const std::string file = folder
                               .file("one.json", R"({"bodies": [  // one of each
      {"name": "a", "type": "cloth", "grid": {"size": [1, 1], "vertices": [3, 4]}},
      {"name": "b", "type": "soft", "box": [1, 1, 1], "cells": [1, 1, 1], "position": [5, 0, 0]},
      {"name": "c", "type": "rigid", "box": [1, 1, 1], "position": [9, 0, 0]}]})")
                               .string();
  const Result text = in_process({"check", file});
  CHECK(text.code == done);
  CHECK(text.out.find("scene \"one\" of 3 bodies, 28 vertices, 36 triangles, 6 tetrahedra, 66 "
                      "freedoms; 200 steps of 5 ms") != std::string::npos);
  const json report = json::parse(in_process({"check", file, "--json"}).out)["files"][0];
  CHECK(report["ok"] == true);
  CHECK(report["kind"] == "scene");
  CHECK(report["freedoms"] == 3 * 12 + 3 * 8 + 6);
  CHECK(in_process({"check", "chain"}).code == done);
}

TEST_CASE("tact check tells what is wrong with a scene")
{
  const TemporaryFolder folder;
  const std::string file =
      folder.file("scene.json", R"({"bodies": [{"name": "a", "type": "rigid", "sphere": -1}]})")
          .string();
  check_refused(in_process({"check", file}), "scene.json: /bodies/0/sphere: found -1");
}

TEST_CASE("tact list scenes has one line a scene")
{
  const Result text = in_process({"list", "scenes"});
  CHECK(text.code == done);
  const json listed = json::parse(in_process({"list", "scenes", "--json"}).out)["scenes"];
  REQUIRE(listed.size() == built_in_scenes().size());
  for (const json& scene : listed) {
    CHECK(text.out.find("\n  " + scene["name"].get<std::string>() + " ") != std::string::npos);
    CHECK(!scene["summary"].get<std::string>().empty());
  }
}

TEST_CASE("tact schema prints the schema and nothing else")
{
  const Result result = in_process({"schema"});
  CHECK(result.code == done);
  CHECK(result.err.empty());
  CHECK(result.out == scene_schema());
  CHECK(json::parse(result.out)["$schema"] == "https://json-schema.org/draft/2020-12/schema");
}
