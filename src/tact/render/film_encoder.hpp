// ffmpeg as a process of its own, fed with raw frames.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tact/render/film.hpp>

namespace tact {

// The program of this name along PATH, or the path itself when it has a slash.
std::optional<std::filesystem::path> find_program(const std::string& name);

// What ffmpeg is told, but for the name of the file.
std::vector<std::string> film_arguments(const FilmOptions& options);

// Writes to `file`, which is removed again unless finish() was reached. Every failure throws
// WriteError with what ffmpeg said last.
class FilmEncoder {
 public:
  FilmEncoder(const std::filesystem::path& program, const std::filesystem::path& file,
              std::vector<std::string> arguments);
  ~FilmEncoder();
  FilmEncoder(const FilmEncoder&) = delete;
  FilmEncoder& operator=(const FilmEncoder&) = delete;

  void write(std::span<const std::byte> frame);
  void finish();

 private:
  void start(const std::filesystem::path& program, std::vector<std::string>& arguments);
  int wait();  // its status as waitpid tells it
  [[noreturn]] void fail();

  std::filesystem::path file_;
  pid_t process_ = -1;
  int input_ = -1;       // a socket, so that a dead ffmpeg is an error here and not a signal
  int complaints_ = -1;  // an unnamed file that takes its stderr
};

}  // namespace tact
