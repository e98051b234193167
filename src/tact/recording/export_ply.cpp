// Stanford PLY, binary little endian: doubles, and the number of its body with each vertex.
#include <cstdint>

#include <fmt/core.h>

#include <tact/recording/atomic_file.hpp>
#include <tact/recording/export_formats.hpp>

namespace tact {
namespace {

std::string one_line(std::string text)
{
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

std::string ply_header(const RecordingHeader& header, std::size_t triangles)
{
  std::string text =
      fmt::format("ply\nformat binary_little_endian 1.0\ncomment {}\n", one_line(origin(header)));
  for (std::size_t i = 0; i < header.bodies.size(); ++i)
    text += fmt::format("comment body {} {} {}\n", i, header.bodies[i].kind,
                        one_line(header.bodies[i].name));
  text += fmt::format("element vertex {}\n", header.vertex_count());
  text += "property double x\nproperty double y\nproperty double z\nproperty int body\n";
  text += fmt::format("element face {}\n", triangles);
  return text + "property list uchar int vertex_indices\nend_header\n";
}

std::string face_bytes(const RecordingHeader& header)
{
  std::string bytes;
  for (const RecordedBody& body : header.bodies)
    for (const Triangle& triangle : body.triangles) {
      append_bytes(bytes, std::uint8_t{3});
      for (const int corner : triangle)
        append_bytes<std::int32_t>(bytes, body.first_vertex + corner);
    }
  return bytes;
}

std::string vertex_bytes(const RecordingHeader& header, const std::vector<Vector3d>& vertices)
{
  std::string bytes;
  bytes.reserve(vertices.size() * (3 * sizeof(double) + sizeof(std::int32_t)));
  std::int32_t number = 0;
  for (const RecordedBody& body : header.bodies) {
    for (const Vector3d& p : part(vertices, body)) {
      for (const double x : p) append_bytes(bytes, x);
      append_bytes(bytes, number);
    }
    ++number;
  }
  return bytes;
}

}  // namespace

ExportedFiles export_ply(const ExportJob& job)
{
  const RecordingHeader& header = job.recording.header();
  std::size_t triangles = 0;
  for (const RecordedBody& body : header.bodies) triangles += body.triangles.size();
  const std::string start = ply_header(header, triangles);
  const std::string faces = face_bytes(header);
  make_folder(job.folder);
  ExportedFiles files;
  for (const int k : job.frames) {
    job.begin_frame(k);
    AtomicFile file(frame_file(job, k, "ply"));
    file.write(start);
    file.write(vertex_bytes(header, job.recording.vertices(k)));
    file.write(faces);
    file.commit();
    files.push_back(frame_file(job, k, "ply"));
  }
  return files;
}

}  // namespace tact
