// Frames in, frames out.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include <recording/sample.hpp>
#include <tact/recording/recording.hpp>
#include <tact/recording/recording_writer.hpp>

namespace tact {

inline void write_frames(RecordingWriter& writer, int first, int end)
{
  for (int k = first; k < end; ++k) writer.append(sample_frame(writer.header(), k));
}

// As many frames as expected, each as it was written.
inline void check_frames(const Recording& recording, int count)
{
  REQUIRE(recording.frame_count() == count);
  for (int k = 0; k < count; ++k) {
    CAPTURE(k);
    const Frame expected = sample_frame(recording.header(), k);
    CHECK(same_bits(recording.frame(k), expected));
    CHECK(recording.times()[k] == expected.t);
    CHECK(recording.steps()[k] == expected.step);
  }
}

inline void make_recording(const std::filesystem::path& folder, const RecordingHeader& header,
                           int frames)
{
  RecordingWriter writer = RecordingWriter::create(folder, header);
  write_frames(writer, 0, frames);
  writer.finish();
}

inline std::string bytes_of(const std::filesystem::path& file)
{
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace tact
