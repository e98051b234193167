// The writers behind exports.hpp. Inside this layer only.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <tact/recording/exports.hpp>

namespace tact {

using ExportedFiles = std::vector<std::filesystem::path>;

ExportedFiles export_obj(const ExportJob& job);
ExportedFiles export_ply(const ExportJob& job);
ExportedFiles export_vtu(const ExportJob& job);
ExportedFiles export_usda(const ExportJob& job);
ExportedFiles export_glb(const ExportJob& job);
ExportedFiles export_csv(const ExportJob& job);
ExportedFiles export_poses(const ExportJob& job);

// FOLDER/frame_00042.obj: the number is that of the recording, whatever was selected.
std::filesystem::path frame_file(const ExportJob& job, int frame, std::string_view ending);

// "tact 1.2.3, scene stack": what an exported file says of its origin.
std::string origin(const RecordingHeader& header);

// Its kind's place in recorded_kinds.
int kind_number(const RecordedBody& body);

// The vertices of one body among those of a frame.
inline std::span<const Vector3d> part(const std::vector<Vector3d>& vertices,
                                      const RecordedBody& body)
{
  return std::span(vertices).subspan(static_cast<std::size_t>(body.first_vertex),
                                     static_cast<std::size_t>(body.vertex_count));
}

// Adds the bytes of a value as they lie in memory; all formats here are little endian.
template <class T>
void append_bytes(std::string& bytes, const T& value)
{
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

}  // namespace tact
