#include <tact/recording/folder_lock.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include <fmt/core.h>

#include <tact/core/error.hpp>

namespace tact {

FolderLock::FolderLock(const std::filesystem::path& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
{
  if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return;
  ::close(descriptor_);
  throw Error(
      fmt::format("{}: another run is writing to this folder; choose another folder or "
                  "wait for its end",
                  folder.string()));
}

FolderLock::~FolderLock()
{
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace tact
