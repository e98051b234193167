// Writes a recording so that a kill at any moment, or a full disk, leaves all committed frames
// readable, and so that a resumed run ends with the same recording as an unbroken one.
//
//   DIR/recording.h5         the header, times, and a link to every committed frame
//   DIR/segments/00007.h5    the frames of one commit
//
// Frames gather in memory; commit() stores them as one more segment, waits until the disk has it,
// and then replaces recording.h5 by one that links to it. finish() merges all into recording.h5.
// The last frame is compressed while the caller goes on.
#pragma once

#include <filesystem>
#include <memory>

#include <tact/recording/recording.hpp>

namespace tact {

class RecordingWriter {
 public:
  // Makes the folder where there is none. A recording that is there already is replaced by the
  // first commit, not before. Its checkpoints are the caller's to remove (checkpoint.hpp).
  static RecordingWriter create(const std::filesystem::path& folder, const RecordingHeader& header);

  // Goes on after the first `frames` frames of the recording in the folder, as many as the
  // checkpoint tells; whatever was committed later is dropped. Error when there are fewer.
  static RecordingWriter resume(const std::filesystem::path& folder, int frames);

  // Frames that were not committed are lost.
  ~RecordingWriter();
  RecordingWriter(RecordingWriter&&) noexcept;
  RecordingWriter& operator=(RecordingWriter&&) noexcept;

  const RecordingHeader& header() const;
  int frame_count() const;      // with those not committed
  int committed_count() const;  // a checkpoint may cover these: commit first, then write it

  // Throws Error for a frame that does not fit the header or is not later than the last one.
  // Commits by itself when 32 MiB have gathered, so that memory stays bounded; when that throws
  // WriteError the frame has been taken all the same.
  void append(Frame frame);

  // These throw WriteError when the disk fails or is full. Nothing committed is lost by it, and
  // nothing gathered: the call may be repeated once there is room.
  void commit();
  void finish();  // the last call: commits, then merges, for which all must fit on the disk twice

 private:
  struct Impl;
  explicit RecordingWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tact
