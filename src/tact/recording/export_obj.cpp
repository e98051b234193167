// Wavefront OBJ: all bodies of a frame in one file, `o NAME` each.
#include <algorithm>
#include <iterator>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <tact/recording/atomic_file.hpp>
#include <tact/recording/export_formats.hpp>

namespace tact {
namespace {

std::string object_name(std::string name)
{
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return c <= ' '; }, '_');
  return name.empty() ? "unnamed" : name;
}

// The `f` lines of each body; they are the same in every frame.
std::vector<std::string> face_lines(const RecordingHeader& header)
{
  std::vector<std::string> lines;
  for (const RecordedBody& body : header.bodies) {
    std::string text;
    const int first = body.first_vertex + 1;  // OBJ counts from 1 over the whole file
    for (const auto& [a, b, c] : body.triangles)
      fmt::format_to(std::back_inserter(text), FMT_COMPILE("f {} {} {}\n"), a + first, b + first,
                     c + first);
    lines.push_back(std::move(text));
  }
  return lines;
}

}  // namespace

ExportedFiles export_obj(const ExportJob& job)
{
  const RecordingHeader& header = job.recording.header();
  const std::vector<std::string> faces = face_lines(header);
  make_folder(job.folder);
  ExportedFiles files;
  fmt::memory_buffer text;
  for (const int k : job.frames) {
    job.begin_frame(k);
    const std::vector<Vector3d> vertices = job.recording.vertices(k);
    text.clear();
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "# {}, frame {}, t = {} s\n", object_name(origin(header)), k,
                   job.recording.times()[k]);
    for (std::size_t i = 0; i < faces.size(); ++i) {
      fmt::format_to(out, "o {}\n", object_name(header.bodies[i].name));
      for (const Vector3d& p : part(vertices, header.bodies[i]))
        fmt::format_to(out, FMT_COMPILE("v {:.17g} {:.17g} {:.17g}\n"), p[0], p[1], p[2]);
      text.append(faces[i]);
    }
    AtomicFile file(frame_file(job, k, "obj"));
    file.write(std::string_view(text.data(), text.size()));
    file.commit();
    files.push_back(frame_file(job, k, "obj"));
  }
  return files;
}

}  // namespace tact
