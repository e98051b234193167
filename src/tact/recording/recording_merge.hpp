// All frames of a recording in one file. Inside this layer only.
#pragma once

#include <filesystem>

#include <tact/recording/recording_layout.hpp>

namespace tact {

// Writes recording.h5 anew, on the disk when this returns, with the frames themselves where there
// were links to segments. Compressed data is copied as it is. Throws WriteError and leaves the old
// recording.h5 when there is no room for another copy of everything.
void merge_segments(const std::filesystem::path& folder, const RecordingHeader& header,
                    const layout::FrameIndex& index);

// Its name until it is whole.
std::filesystem::path merged_file(const std::filesystem::path& folder);

}  // namespace tact
