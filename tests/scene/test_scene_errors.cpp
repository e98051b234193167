#include <filesystem>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>

#include <files/messages.hpp>
#include "wrong_scenes.hpp"

using namespace tact;

TEST_CASE("whatever is wrong with a scene is one line: file, JSON pointer, found, expected")
{
  const TemporaryFolder folder;
  write_wrong_files(folder);
  CHECK(wrong_scenes().size() >= 40);
  for (const WrongScene& wrong : wrong_scenes()) {
    CAPTURE(wrong.what);
    const auto file = folder.file("scene.json", wrong.text).string();
    const std::string message = message_of([&] { build_scene(read_scene(file, wrong.patches)); });
    check_complaint(message, wrong.patches.empty() ? ".json" : "", wrong.place, wrong.words);
  }
}

TEST_CASE("a file that is no scene is told by its name")
{
  CHECK(contains(message_of([] { read_scene("absent.json"); }), "absent.json: no such file"));
  CHECK(contains(message_of([] { read_scene("folder/absent"); }), "no such file"));
  const std::string message = message_of([] { read_scene("falling-cloht"); });
  CHECK(contains(message, "found the scene \"falling-cloht\""));
  CHECK(contains(message, "did you mean \"falling-cloth\"?"));
}

TEST_CASE("files that include each other over and over end in a message")
{
  const TemporaryFolder folder;
  for (int i = 0; i < 14; ++i) {  // 2^14 files if nobody counted
    folder.file(fmt::format("n{}.json", i),
                fmt::format(R"({{"include": ["n{0}.json", "n{0}.json"]}})", i + 1));
  }
  folder.file("n14.json", "{}");
  const std::string file = (folder.path() / "n0.json").string();
  CHECK(contains(message_of([&] { read_scene(file); }), "at most 1000 includes in all"));
}
