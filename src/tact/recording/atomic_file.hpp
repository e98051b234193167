// Files that are there whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace tact {

enum class Durability {
  renamed,  // a reader never sees half a file; a power cut may lose it
  synced    // on the disk when commit() returns
};

// Writes NAME.part and renames it to NAME on commit(). Without commit() the .part goes away and
// NAME stays as it was. Every failure throws WriteError with the name and the cause. Not buffered:
// write in large pieces.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path file, Durability durability = Durability::renamed);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  void commit();

 private:
  [[noreturn]] void fail(int cause) const;

  std::filesystem::path file_;
  std::filesystem::path part_;
  Durability durability_;
  int descriptor_ = -1;
};

// The name that an AtomicFile has until it is committed; what a kill leaves behind has it too.
std::filesystem::path part_of(const std::filesystem::path& file);

// Forces to the disk what a file holds, or which names a folder holds. Throws WriteError.
void sync_to_disk(const std::filesystem::path& path);

// Renames and forces the new name to the disk. Throws WriteError.
void rename_synced(const std::filesystem::path& from, const std::filesystem::path& to);

// Makes the folder and those above it where they are missing. Throws WriteError.
void make_folder(const std::filesystem::path& folder);

[[noreturn]] void throw_write_error(const std::filesystem::path& file, int cause);

}  // namespace tact
