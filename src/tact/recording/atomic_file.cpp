#include <tact/recording/atomic_file.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include <tact/core/error.hpp>

namespace tact {

namespace fs = std::filesystem;

void throw_write_error(const fs::path& file, int cause)
{
  throw WriteError(fmt::format("{}: cannot write: {}", file.string(),
                               cause ? std::strerror(cause) : "unknown cause"));
}

fs::path part_of(const fs::path& file)
{
  return file.string() + ".part";
}

AtomicFile::AtomicFile(fs::path file, Durability durability)
    : file_(std::move(file)), part_(part_of(file_)), durability_(durability)
{
  descriptor_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw_write_error(file_, errno);
}

AtomicFile::~AtomicFile()
{
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(part_.c_str());
}

void AtomicFile::fail(int cause) const
{
  throw_write_error(file_, cause);
}

void AtomicFile::write(std::span<const std::byte> bytes)
{
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::write(std::string_view text)
{
  write(std::as_bytes(std::span(text)));
}

void AtomicFile::commit()
{
  if (durability_ == Durability::synced && ::fsync(descriptor_) != 0) fail(errno);
  // Closing counts: some file systems report there only that the disk is full.
  if (::close(std::exchange(descriptor_, -1)) != 0) {
    const int cause = errno;
    ::unlink(part_.c_str());
    fail(cause);
  }
  if (::rename(part_.c_str(), file_.c_str()) != 0) {
    const int cause = errno;
    ::unlink(part_.c_str());
    fail(cause);
  }
  if (durability_ == Durability::synced) sync_to_disk(file_.parent_path());
}

void sync_to_disk(const fs::path& path)
{
  const fs::path named = path.empty() ? fs::path(".") : path;
  const int descriptor = ::open(named.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw_write_error(named, errno);
  const int cause = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  // Some file systems cannot sync a folder and say so; a new name is then as safe as they make it.
  if (cause && cause != EINVAL) throw_write_error(named, cause);
}

void rename_synced(const fs::path& from, const fs::path& to)
{
  if (::rename(from.c_str(), to.c_str()) != 0) throw_write_error(to, errno);
  sync_to_disk(to.parent_path());
}

void make_folder(const fs::path& folder)
{
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder, error))
    throw WriteError(fmt::format("{}: cannot make the folder: {}", folder.string(),
                                 error ? error.message() : "a file has this name"));
}

}  // namespace tact
