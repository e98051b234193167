#include <filesystem>
#include <fstream>
#include <iterator>

#include <doctest/doctest.h>

#include <tact/core/error.hpp>
#include <tact/render/film.hpp>
#include <tact/render/film_encoder.hpp>

#include <files/temporary_folder.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;

Image grey(int width, int height, int level)
{
  Image image(width, height);
  for (std::uint8_t& byte : image.rgb) byte = static_cast<std::uint8_t>(level);
  return image;
}

int files_in(const fs::path& folder)
{
  return static_cast<int>(std::distance(fs::directory_iterator(folder), {}));
}

TEST_CASE("without ffmpeg a film is a folder of pictures and the command that joins them")
{
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "it's.mp4";
  Film film(file, {.width = 16, .height = 16, .fps = 25.0, .program = "no-such-program"});
  for (int i = 0; i < 3; ++i) film.add(grey(16, 16, 50 * i));
  const FilmResult result = film.finish();
  CHECK(result.frames == 3);
  CHECK(result.file == folder.path() / "it's.mp4.frames");
  CHECK(files_in(result.file) == 3);
  CHECK(fs::exists(result.file / "frame_00002.png"));
  CHECK(result.command.starts_with("ffmpeg -framerate 25 -i '"));
  CHECK(result.command.find("it'\\''s.mp4.frames/frame_%05d.png'") != std::string::npos);
  CHECK(result.command.find("-pix_fmt yuv420p -movflags +faststart") != std::string::npos);
}

TEST_CASE("with ffmpeg a film is an MP4 whose index comes first")
{
  if (!find_program("ffmpeg")) {
    MESSAGE("ffmpeg is not installed: not tested");
    return;
  }
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "a:b c.mp4";
  Film film(file, {.width = 64, .height = 48, .title = "letters", .comment = "made by tact"});
  for (int i = 0; i < 10; ++i) film.add(grey(64, 48, 20 * i));
  CHECK_FALSE(fs::exists(file));
  const FilmResult result = film.finish();
  CHECK(result.command.empty());
  CHECK(result.frames == 10);
  CHECK(files_in(folder.path()) == 1);
  std::ifstream in(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  CHECK(bytes.substr(4, 4) == "ftyp");
  CHECK(bytes.find("moov") < bytes.find("mdat"));
  CHECK(bytes.find("made by tact") != std::string::npos);
}

TEST_CASE("a film that is not finished leaves nothing behind")
{
  if (!find_program("ffmpeg")) return;
  const TemporaryFolder folder;
  {
    Film film(folder.path() / "a.mp4", {.width = 64, .height = 48});
    film.add(grey(64, 48, 100));
  }
  CHECK(files_in(folder.path()) == 0);
}

TEST_CASE("an encoder that fails is an error and not a signal")
{
  const TemporaryFolder folder;
  const auto make = [&](const std::string& program) {
    Film film(folder.path() / "a.mp4", {.width = 512, .height = 512, .program = program});
    for (int i = 0; i < 20; ++i) film.add(grey(512, 512, 0));  // more than any buffer holds
    film.finish();
  };
  CHECK_THROWS_WITH_AS(make("/bin/false"), doctest::Contains("ffmpeg ended early"), WriteError);
  const fs::path script =
      folder.file("talker", "#!/bin/sh\necho first\necho no space left >&2\nexit 1\n");
  fs::permissions(script, fs::perms::owner_all);
  CHECK_THROWS_WITH_AS(make(script.string()), doctest::Contains("says: no space left"), WriteError);
  CHECK_FALSE(fs::exists(folder.path() / "a.mp4"));
}

TEST_CASE("films have even sides and pictures of one size")
{
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(Film(folder.path() / "a.mp4", {.width = 15, .height = 16}),
                       "film: size is 15x16, expected even numbers > 0", Error);
  CHECK_THROWS_AS(Film(folder.path() / "a.mp4", {.fps = 0.0}), Error);
  Film film(folder.path() / "a.mp4", {.width = 16, .height = 16, .program = "no-such-program"});
  CHECK_THROWS_AS(film.add(grey(8, 8, 0)), Error);
}

}  // namespace
}  // namespace tact
