#include <tact/files/text_file.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <system_error>

#include <fmt/core.h>

#include <tact/core/printable.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;

// More than the text of a full 5,000 x 5,000 matrix, and far less than a runaway file.
constexpr std::uintmax_t max_bytes = std::uintmax_t{1} << 30;

constexpr std::size_t max_excerpt = 40;  // characters of foreign text that a message repeats

void require_readable(const fs::path& file)
{
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) throw Error(fmt::format("{}: no such file", file.string()));
  if (fs::is_directory(status))
    throw Error(fmt::format("{}: found a folder, expected a file", file.string()));
  if (!fs::is_regular_file(status))
    throw Error(fmt::format("{}: found a pipe or device, expected a file", file.string()));
  const std::uintmax_t bytes = fs::file_size(file, error);
  if (!error && bytes > max_bytes)
    throw Error(
        fmt::format("{}: found {} bytes, expected at most {}", file.string(), bytes, max_bytes));
}

[[noreturn]] void fail_to_write(const fs::path& file, int cause)
{
  throw WriteError(fmt::format("{}: cannot write: {}", file.string(),
                               cause ? std::strerror(cause) : "unknown cause"));
}

// Returns 0, or the errno of what went wrong. Closing counts: some file systems report there only
// that the disk is full.
int write_in_place(const fs::path& file, std::string_view text)
{
  errno = 0;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  if (out) out.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (out) out.close();
  if (out) return 0;
  return errno ? errno : EIO;
}

}  // namespace

std::string read_text(const fs::path& file)
{
  require_readable(file);
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!in) throw Error(fmt::format("{}: cannot read: {}", file.string(), std::strerror(errno)));
  return text;
}

void write_text(const fs::path& file, std::string_view text)
{
  std::error_code error;
  if (fs::exists(file, error) && !fs::is_regular_file(file, error)) {
    if (const int cause = write_in_place(file, text)) fail_to_write(file, cause);
    return;
  }
  // Renaming onto a symbolic link would replace the link, not what it points to.
  const fs::path target = fs::is_symlink(file, error) ? fs::weakly_canonical(file, error) : file;
  const fs::path temporary = fmt::format("{}.{}.tmp", target.string(), ::getpid());
  int cause = write_in_place(temporary, text);
  if (!cause) {
    fs::rename(temporary, target, error);
    cause = error.value();
  }
  if (cause) {
    fs::remove(temporary, error);
    fail_to_write(file, cause);
  }
}

std::string excerpt(std::string_view text)
{
  std::string shown = "\"";  // of whole characters
  std::size_t end = std::min(text.size(), max_excerpt);
  const auto inside = [text](std::size_t at) {  // a character of several bytes
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  for (int back = 0; back < 3 && inside(end); ++back) --end;
  shown += printable(text.substr(0, end));
  return shown + (text.size() > max_excerpt ? "...\"" : "\"");
}

}  // namespace tact
