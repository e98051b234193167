// One writer a folder.
#pragma once

#include <filesystem>

namespace tact {

// Held while it lives, gone with its process however that ends. Throws Error when another holds the
// folder. File systems without locks grant it to all.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace tact
