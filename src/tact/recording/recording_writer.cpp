#include <tact/recording/recording_writer.hpp>

#include <algorithm>
#include <cassert>
#include <new>
#include <optional>
#include <shared_mutex>
#include <system_error>

#include <fmt/core.h>
#include <tbb/task_group.h>

#include <tact/core/error.hpp>
#include <tact/core/memory_limit.hpp>
#include <tact/recording/atomic_file.hpp>
#include <tact/recording/folder_lock.hpp>
#include <tact/recording/reader_process.hpp>
#include <tact/recording/recording_layout.hpp>
#include <tact/recording/recording_merge.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t gathered_limit = 32 << 20;  // B before compression

std::size_t bytes_of(const Frame& frame)
{
  return frame.vertices.size() * sizeof(Vector3d) +
         frame.contacts.size() * sizeof(RecordedContact) +
         static_cast<std::size_t>(frame.q.size() + frame.v.size()) * sizeof(double);
}

void require_size(const char* what, std::size_t found, int expected)
{
  if (found != static_cast<std::size_t>(expected))
    throw Error(fmt::format("recording: the frame has {} {}, expected {}", found, what, expected));
}

// Writing to a file in memory fails for want of it alone.
template <class Work>
void in_memory(Work&& work)
{
  constexpr const char* name = "the recording";
  try {
    const hdf5::Quiet quiet;
    with_memory_for(name, work);
  } catch (const hdf5::Failure&) {
    hdf5::silence();  // it would not come to its end at the program's, and say so
    throw OutOfMemory(name);
  }
}

void write_synced(const fs::path& file, const hdf5::Handle& contents)
{
  AtomicFile out(file, Durability::synced);
  out.write(hdf5::image(contents));
  out.commit();
}

// A finished recording serves as the first segment of its continuation, without being copied where
// the file system knows links.
void adopt_as_segment(const fs::path& recording, const fs::path& segment)
{
  make_folder(segment.parent_path());
  std::error_code error;
  fs::remove(segment, error);
  fs::create_hard_link(recording, segment, error);
  if (error) fs::copy_file(recording, segment, error);
  if (error) throw_write_error(segment, error.value());
  sync_to_disk(segment);
  sync_to_disk(segment.parent_path());
}

}  // namespace

struct RecordingWriter::Impl {
  Impl(const fs::path& where, RecordingHeader what)
      : folder(where), header(std::move(what)), lock(where)
  {
  }

  fs::path folder;
  RecordingHeader header;
  FolderLock lock;
  layout::FrameIndex index;  // of all frames, committed first
  int committed = 0;
  bool replaced = false;  // recording.h5 is ours

  hdf5::Handle segment;  // in memory: the frames that are not committed
  int segment_number = 0;
  std::size_t gathered = 0;  // B

  // The frame that was appended last, while it is being packed or until it is written.
  tbb::task_group packing;
  Frame frame;
  std::optional<layout::PackedFrame> packed;
  bool pending = false;

  ~Impl()
  {
    const hdf5::Quiet quiet;
    const BeyondMemoryLimit safety;  // a wait that throws would end the program
    packing.wait();
    segment.reset();
  }

  void pack(Frame next);
  void write_pending();
  void commit();
  void begin_segment(int number);
  void write_index() const;
  void drop_unlinked() const;
};

void RecordingWriter::Impl::pack(Frame next)
{
  frame = std::move(next);
  packed.reset();
  pending = true;
  const BeyondMemoryLimit start;  // oneTBB waits for ever for a task that it could not begin
  packing.run([this] {
    const std::shared_lock beside(no_copies_now());
    try {
      packed = layout::pack(frame);
    } catch (...) {  // comes up again in write_pending(), on the caller's thread
    }
  });
}

// It is the last of the index.
void RecordingWriter::Impl::write_pending()
{
  if (!pending) return;
  packing.wait();
  if (!packed) packed = layout::pack(frame);
  layout::write_frame(segment, index.size() - 1, *packed);
  pending = false;
}

void RecordingWriter::Impl::begin_segment(int number)
{
  segment.reset();
  segment_number = number;
  gathered = 0;
  segment = hdf5::create_in_memory(layout::segment_file(folder, number));
  hdf5::create_group(segment, "frames");
}

void RecordingWriter::Impl::write_index() const
{
  const fs::path file = layout::recording_file(folder);
  const hdf5::Handle contents = hdf5::create_in_memory(file);
  layout::write_linked(contents, header, index);
  write_synced(file, contents);
}

void RecordingWriter::Impl::commit()
{
  write_pending();
  make_folder(layout::segment_folder(folder));
  write_synced(layout::segment_file(folder, segment_number), segment);
  write_index();
  committed = index.size();
  if (!replaced) drop_unlinked();
  replaced = true;
  begin_segment(segment_number + 1);
}

// Segments of a former recording, or committed after the checkpoint that was resumed, and what a
// kill left half-written. None is in the way of anything, so that it does not matter if one stays.
void RecordingWriter::Impl::drop_unlinked() const
{
  std::error_code ignored;
  fs::remove(merged_file(folder), ignored);
  fs::remove(part_of(merged_file(folder)), ignored);
  for (const auto& entry : fs::directory_iterator(layout::segment_folder(folder), ignored))
    if (entry.path().extension() == ".part") fs::remove(entry.path(), ignored);
  for (const int number : layout::segments_in(folder))
    if (std::find(index.segments.begin(), index.segments.end(), number) == index.segments.end())
      fs::remove(layout::segment_file(folder, number), ignored);
}

RecordingWriter::RecordingWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl))
{
}
RecordingWriter::RecordingWriter(RecordingWriter&&) noexcept = default;
RecordingWriter& RecordingWriter::operator=(RecordingWriter&&) noexcept = default;
RecordingWriter::~RecordingWriter() = default;

RecordingWriter RecordingWriter::create(const fs::path& folder, const RecordingHeader& header)
{
  validate(header);
  make_folder(folder);
  auto impl = std::make_unique<Impl>(folder, header);
  const std::vector<int> former = layout::segments_in(folder);
  in_memory([&] { impl->begin_segment(former.empty() ? 0 : former.back() + 1); });
  return RecordingWriter(std::move(impl));
}

RecordingWriter RecordingWriter::resume(const fs::path& folder, int frames)
{
  const hdf5::Quiet quiet;
  const fs::path file = layout::recording_file(folder);
  const Recording former = Recording::open(folder);
  if (frames < 0 || frames > former.frame_count())
    throw Error(fmt::format("{}: found {} frames, expected at least the {} of the checkpoint",
                            file.string(), former.frame_count(), frames));
  auto impl = std::make_unique<Impl>(folder, former.header());
  if (former.finished()) adopt_as_segment(file, layout::segment_file(folder, 0));
  impl->index = former.index();
  impl->index.keep(frames);
  impl->committed = frames;
  impl->write_index();
  impl->replaced = true;
  impl->drop_unlinked();
  const std::vector<int>& used = impl->index.segments;
  impl->begin_segment(used.empty() ? 0 : *std::max_element(used.begin(), used.end()) + 1);
  return RecordingWriter(std::move(impl));
}

const RecordingHeader& RecordingWriter::header() const
{
  return impl_->header;
}

int RecordingWriter::frame_count() const
{
  return impl_->index.size();
}

int RecordingWriter::committed_count() const
{
  return impl_->committed;
}

void RecordingWriter::append(Frame frame)
{
  const RecordingHeader& header = impl_->header;
  require_size("vertices", frame.vertices.size(), header.vertex_count());
  require_size("entries of q", static_cast<std::size_t>(frame.q.size()), header.q_size());
  require_size("entries of v", static_cast<std::size_t>(frame.v.size()), header.v_size());
  if (!frame.momentum.empty())
    require_size("balances of momentum", frame.momentum.size(),
                 static_cast<int>(header.bodies.size()));
  if (!frame.joints.empty())
    require_size("reactions of joints", frame.joints.size(),
                 static_cast<int>(header.joints.size()));
  const std::vector<double>& times = impl_->index.times;
  if (!times.empty() && !(frame.t > times.back()))
    throw Error(fmt::format("recording: found a frame at t = {} s, expected one after {} s",
                            frame.t, times.back()));
  assert(impl_->segment.valid());  // nothing comes after finish()
  in_memory([&] {
    impl_->write_pending();
    impl_->index.add(frame.t, frame.step, impl_->segment_number);
    impl_->gathered += bytes_of(frame);
    impl_->pack(std::move(frame));
  });
  if (impl_->gathered >= gathered_limit) commit();
}

void RecordingWriter::commit()
{
  if (impl_->committed == impl_->index.size() && impl_->replaced) return;
  in_memory([&] { impl_->commit(); });
}

void RecordingWriter::finish()
{
  commit();
  const hdf5::Quiet quiet;
  merge_segments(impl_->folder, impl_->header, impl_->index);
  impl_->segment.reset();
  std::error_code ignored;  // the recording is whole without them
  fs::remove_all(layout::segment_folder(impl_->folder), ignored);
}

}  // namespace tact
