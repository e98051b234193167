#include <tact/render/film_encoder.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/recording/atomic_file.hpp>

extern char** environ;

namespace tact {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& path)
{
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

// The last line of what was written to a file.
std::string last_line(int descriptor)
{
  std::string text(4096, '\0');
  const off_t size = ::lseek(descriptor, 0, SEEK_END);
  const off_t from = std::max<off_t>(0, size - static_cast<off_t>(text.size()));
  const ssize_t count = ::pread(descriptor, text.data(), text.size(), from);
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  text.erase(text.find_last_not_of("\n ") + 1);
  return text.substr(text.find_last_of('\n') + 1);
}

}  // namespace

std::optional<fs::path> find_program(const std::string& name)
{
  if (name.find('/') != std::string::npos)
    return is_program(name) ? std::optional<fs::path>(name) : std::nullopt;
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable ? variable : "";
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    if (folder.empty()) continue;
    if (const fs::path path = fs::path(folder) / name; is_program(path)) return path;
  }
  return std::nullopt;
}

std::vector<std::string> film_arguments(const FilmOptions& options)
{
  return {"-loglevel", "error", "-nostdin", "-y",
          // what comes in
          "-f", "rawvideo", "-pix_fmt", "rgb24", "-video_size",
          fmt::format("{}x{}", options.width, options.height), "-framerate",
          fmt::format("{}", options.fps), "-i", "pipe:0",
          // what goes out: phones play yuv420p only, and browsers want the index in front
          "-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart",
          "-metadata", "title=" + options.title, "-metadata", "comment=" + options.comment, "-f",
          "mp4"};
}

FilmEncoder::FilmEncoder(const fs::path& program, const fs::path& file,
                         std::vector<std::string> arguments)
    : file_(file)
{
  // ffmpeg takes a name with a colon for a protocol unless it is told.
  arguments.insert(arguments.begin(), program.string());
  arguments.push_back("file:" + file.string());
  start(program, arguments);
}

void FilmEncoder::start(const fs::path& program, std::vector<std::string>& arguments)
{
  complaints_ = ::memfd_create("ffmpeg", MFD_CLOEXEC);
  int ends[2];
  if (complaints_ < 0 || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw_write_error(file_, errno);
  input_ = ends[0];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, complaints_, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, complaints_, STDERR_FILENO);
  // A group of its own: Ctrl-C is for tact, which then ends the film in order.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  const int error =
      ::posix_spawn(&process_, program.c_str(), &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (error == 0) return;
  process_ = -1;
  throw_write_error(file_, error);
}

FilmEncoder::~FilmEncoder()
{
  if (process_ >= 0) {  // not finished
    wait();
    std::error_code error;
    fs::remove(file_, error);
  }
  if (input_ >= 0) ::close(input_);
  if (complaints_ >= 0) ::close(complaints_);
}

void FilmEncoder::write(std::span<const std::byte> frame)
{
  while (!frame.empty()) {
    const ssize_t sent = ::send(input_, frame.data(), frame.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) fail();
    frame = frame.subspan(static_cast<std::size_t>(sent));
  }
}

int FilmEncoder::wait()
{
  ::close(input_);  // the end of the film
  input_ = -1;
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

void FilmEncoder::finish()
{
  if (const int status = wait(); !WIFEXITED(status) || WEXITSTATUS(status) != 0) fail();
}

void FilmEncoder::fail()
{
  if (process_ >= 0) wait();
  std::error_code error;
  fs::remove(file_, error);
  const std::string said = last_line(complaints_);
  throw WriteError(fmt::format("{}: cannot write: ffmpeg {}", file_.string(),
                               said.empty() ? "ended early" : "says: " + said));
}

}  // namespace tact
