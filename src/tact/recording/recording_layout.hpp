// Where things stand in a recording's files. Inside this layer only.
//
//   /                 attributes: format, format_version, tact_version, scene, seed, dt,
//                     contact_distance, friction, tolerance, units, finished
//   /gravity          three numbers
//   /scene_json       the resolved scene
//   /joints/00000     attributes of a joint, where there are any
//   /bodies/00000     attributes of a body, its triangles and masses
//   /t, /step         of every frame
//   /segment          of every frame, the number of its segment; only while not finished
//   /frames/00000000  vertices, q, v, contacts, momentum, joints; attributes step, t, dt,
//                     certificate, account
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <tact/recording/hdf5.hpp>
#include <tact/recording/recording.hpp>

namespace tact::layout {

std::filesystem::path recording_file(const std::filesystem::path& folder);
std::filesystem::path segment_folder(const std::filesystem::path& folder);
std::filesystem::path segment_file(const std::filesystem::path& folder, int segment);

// The numbers of the segments in a folder, ascending.
std::vector<int> segments_in(const std::filesystem::path& folder);

// What is known of the frames without reading them.
struct FrameIndex {
  std::vector<double> times;
  std::vector<std::int64_t> steps;
  std::vector<std::int32_t> segments;

  int size() const { return static_cast<int>(times.size()); }
  void add(double t, std::int64_t step, int segment);
  void keep(int count);
};

// A recording.h5 up to its frames: a group for them to be put in, or links to those in segments.
void write_finished(const hdf5::Handle& file, const RecordingHeader& header,
                    const FrameIndex& index);
void write_linked(const hdf5::Handle& file, const RecordingHeader& header, const FrameIndex& index);

struct Contents {
  hdf5::Handle file;
  RecordingHeader header;
  FrameIndex index;
  bool finished = false;
};

// Throws Error that names the file when it is damaged, foreign or of a newer format.
Contents open_contents(const std::filesystem::path& file);

std::string frame_group(int k);  // "/frames/00000007"

// A frame ready to be written. To make one calls nothing of HDF5, so that any thread may.
struct PackedFrame {
  std::int64_t step = 0;
  double t = 0.0, dt = 0.0;
  FrameCertificate certificate;
  StepAccount account;
  hdf5::PackedTable vertices, q, v, contacts, momentum;
  std::optional<hdf5::PackedTable> joints;  // where there are any
};
PackedFrame pack(const Frame& frame);

void write_frame(const hdf5::Handle& file, int k, const PackedFrame& frame);
void copy_frame(const hdf5::Handle& source, const hdf5::Handle& target, int k);
Frame read_frame(const hdf5::Handle& group, const RecordingHeader& header);
std::vector<Vector3d> read_vertices(const hdf5::Handle& group, int expected_count);
std::vector<RecordedContact> read_contacts(const hdf5::Handle& group);

}  // namespace tact::layout
