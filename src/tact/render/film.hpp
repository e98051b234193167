// Pictures one after the other as an MP4, by piping them to ffmpeg where it is installed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <tact/render/image.hpp>

namespace tact {

class FilmEncoder;

struct FilmOptions {
  int width = 1280;  // pixels, even: the pixel format that plays everywhere needs it
  int height = 720;
  double fps = 30.0;
  std::string title = {};
  std::string comment = {};        // what made the film
  std::string program = "ffmpeg";  // looked for along PATH
};

struct FilmResult {
  std::filesystem::path file;  // the film, or the folder of pictures
  int frames = 0;
  std::string command;  // makes the film from the pictures; empty when the film is there
};

// A film that is there whole after finish(), or not at all. Without ffmpeg the frames are written
// as FILE.frames/frame_00000.png and so on. Throws Error for odd sizes, WriteError when a frame
// cannot be stored or ffmpeg fails.
class Film {
 public:
  Film(const std::filesystem::path& file, const FilmOptions& options);
  ~Film();
  Film(const Film&) = delete;
  Film& operator=(const Film&) = delete;

  void add(const Image& image);
  FilmResult finish();

 private:
  std::filesystem::path file_;
  FilmOptions options_;
  std::unique_ptr<FilmEncoder> encoder_;  // empty without ffmpeg
  int frames_ = 0;
};

}  // namespace tact
