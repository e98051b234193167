#include <filesystem>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cli/run_command.hpp>
#include <tact/files/text_file.hpp>

#include "recorded_scene.hpp"

namespace tact::cli {
namespace {

namespace fs = std::filesystem;

TEST_CASE("tact render makes a picture of the frame that was asked for")
{
  const TemporaryFolder folder;
  record(folder.path() / "run", {});
  const std::string run = (folder.path() / "run").string();
  const std::vector<std::string> small = {"--size", "64x48"};
  const auto call = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"render", run});
    arguments.insert(arguments.end(), small.begin(), small.end());
    return in_process(arguments);
  };
  CHECK(call({"--frame", "1"}).out == run + "/frame_00001.png\n");
  CHECK(fs::exists(run + "/frame_00001.png"));
  CHECK(call({"--frame", "-1"}).code == done);
  CHECK(fs::exists(run + "/frame_00003.png"));
  const std::string out = (folder.path() / "last.png").string();
  const Result result = call({"--out", out, "--json", "--threads", "1", "--camera", "3 2 4 0 1 0"});
  CHECK(result.code == done);
  const auto json = nlohmann::json::parse(result.out);
  CHECK(json["file"] == out);
  CHECK(json["width"] == 64);
  CHECK(json["height"] == 48);
  CHECK(json["frames"] == 1);
  CHECK(json["seconds"] > 0.0);
  CHECK(fs::exists(out));
}

TEST_CASE("a scene's camera is taken unless another is asked for")
{
  const TemporaryFolder folder;
  const auto picture = [&](const char* run, const std::string& scene, const char* camera) {
    const fs::path place = folder.path() / run;
    record(place, {.scene_json = scene});
    std::vector<std::string> arguments = {"render", place.string(), "--size",
                                          "64x48",  "--frame",      "0"};
    if (camera[0] != 0) arguments.insert(arguments.end(), {"--camera", camera});
    CHECK(in_process(arguments).code == done);
    return read_text(place / "frame_00000.png");
  };
  const std::string given =
      R"({"camera": {"from": [3, 2, 4], "to": [0, 1, 0], "field_of_view": 25}})";
  const std::string by_scene = picture("scene", given, "");
  CHECK(by_scene == picture("option", "{}", "3 2 4 0 1 0 25"));
  CHECK(by_scene != picture("neither", "{}", ""));
  CHECK(picture("both", given, "1 2 4 0 1 0 25") != by_scene);
  // What is no camera of ours does no harm.
  CHECK(picture("odd", R"({"camera": {"from": "here"}})", "") == picture("none", "", ""));
}

TEST_CASE("tact render makes a film of the whole run")
{
  const TemporaryFolder folder;
  record(folder.path() / "run", {});
  const Result result = in_process({"render", (folder.path() / "run").string(), "--size", "64x48",
                                    "--fps", "20", "--json", "--quiet"});
  CAPTURE(result.err);
  CHECK(result.code == done);
  const auto json = nlohmann::json::parse(result.out);
  CHECK(json["frames"] == 7);  // 0.3 s at 20 a second, both ends
  CHECK(fs::exists(json["file"].get<std::string>()));
}

TEST_CASE("tact render says what is wrong and writes nothing")
{
  const TemporaryFolder folder;
  record(folder.path() / "run", {});
  const std::string run = (folder.path() / "run").string();
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& words) {
    check_refused(in_process(arguments), words);
  };
  refused({"render"}, "no recording given");
  refused({"render", folder.path().string()}, folder.path().string());
  refused({"render", run, "--frame", "4"}, "--frame: found 4, expected -4 to 3");
  refused({"render", run, "--frame", "-5"}, "--frame: found -5, expected -4 to 3");
  refused({"render", run, "--frame", "x"}, "--frame: found \"x\"");
  refused({"render", run, "--size", "64"}, "--size: found \"64\", expected WIDTHxHEIGHT");
  refused({"render", run, "--size", "0x10"}, "--size: found \"0x10\"");
  refused({"render", run, "--size", "99999x10"}, "--size: found \"99999x10\"");
  refused({"render", run, "--size", "65x48"}, "even numbers for a film");
  refused({"render", run, "--camera", "1 2 3"}, "--camera: found 3 numbers");
  refused({"render", run, "--fps", "0"}, "--fps: found \"0\"");
  refused({"render", run, "--out", "a.gif"}, "ends in .png or .mp4");
  refused({"render", run, "--out", "a.mp4", "--frame", "0"}, "expected .png for a single frame");
  refused({"render", run, "--out", run + "/none/a.png"}, "a folder that exists");
  refused({"render", run, "--fraem", "0"}, "did you mean \"--frame\"?");
  CHECK(std::distance(fs::directory_iterator(run), {}) == 1);  // the recording
}

}  // namespace
}  // namespace tact::cli
