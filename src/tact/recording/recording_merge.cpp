#include <tact/recording/recording_merge.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/core.h>

#include <tact/recording/atomic_file.hpp>
#include <tact/recording/reader_process.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;

// HDF5 cannot be trusted to close a file cleanly on a full disk, so the room is taken beforehand,
// where a failure is simple to tell. What is not used goes back when the file is closed.
void reserve(const fs::path& file, std::uintmax_t bytes)
{
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) throw_write_error(file, errno);
  const int cause = ::posix_fallocate(descriptor, 0, static_cast<off_t>(bytes));
  ::close(descriptor);
  if (cause) throw_write_error(file, cause);
}

std::uintmax_t bytes_of_segments(const fs::path& folder, const layout::FrameIndex& index)
{
  std::uintmax_t bytes = 0;
  for (const int segment : std::set(index.segments.begin(), index.segments.end())) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(layout::segment_file(folder, segment), error);
    if (!error) bytes += size;
  }
  return bytes;
}

std::uintmax_t room_for(const fs::path& folder, const fs::path& start,
                        const layout::FrameIndex& index)
{
  constexpr std::uintmax_t per_frame = 256;  // B, for its name in the group of all frames
  constexpr std::uintmax_t slack = 256 << 10;
  return fs::file_size(start) + slack + per_frame * index.times.size() +
         bytes_of_segments(folder, index);
}

void copy_frames(const hdf5::Handle& target, const fs::path& folder,
                 const layout::FrameIndex& index)
{
  hdf5::Handle source;
  int open_segment = -1;
  for (int k = 0; k < index.size(); ++k) {
    if (index.segments[k] != open_segment) {
      open_segment = index.segments[k];
      source.reset();
      source = hdf5::open_to_read(layout::segment_file(folder, open_segment));
    }
    layout::copy_frame(source, target, k);
  }
}

// Reads segments, which a former run or another program may have written: not in this process.
void write_merged(const fs::path& file, const fs::path& folder, const RecordingHeader& header,
                  const layout::FrameIndex& index)
{
  const fs::path start = part_of(file);
  {
    const hdf5::Handle target = hdf5::create_in_memory(start);
    layout::write_finished(target, header, index);
    AtomicFile out(file);
    out.write(hdf5::image(target));
    out.commit();
  }
  reserve(file, room_for(folder, file, index));
  const hdf5::Handle target = hdf5::open_to_extend(file);
  copy_frames(target, folder, index);
  hdf5::require(H5Fflush(target.id(), H5F_SCOPE_GLOBAL) >= 0, "write the merged recording");
}

// s: at the pace of a slow disk.
unsigned longest_merge(const fs::path& folder, const layout::FrameIndex& index)
{
  constexpr std::uintmax_t pace = 1 << 20;  // B/s
  const std::uintmax_t seconds = 60 + bytes_of_segments(folder, index) / pace;
  return static_cast<unsigned>(std::min<std::uintmax_t>(seconds, 1U << 30));
}

}  // namespace

fs::path merged_file(const fs::path& folder)
{
  return folder / "recording.merged.h5";
}

void merge_segments(const fs::path& folder, const RecordingHeader& header,
                    const layout::FrameIndex& index)
{
  const fs::path file = layout::recording_file(folder);
  const fs::path merged = merged_file(folder);
  try {
    ReaderProcess merging(
        [&](std::string_view) {
          const hdf5::Quiet quiet;
          write_merged(merged, folder, header, index);
          return std::string();
        },
        longest_merge(folder, index));
    merging.ask("");
    sync_to_disk(merged);
    rename_synced(merged, file);
  } catch (const Error& error) {
    std::error_code ignored;
    fs::remove(merged, ignored);
    throw WriteError(fmt::format("{}; all {} frames are readable in {} as they are", error.what(),
                                 index.size(), folder.string()));
  }
}

}  // namespace tact
