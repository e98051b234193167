// A small recording to look at: a ball and a cloth that fall, and a slab below them.
#pragma once

#include <filesystem>

#include <files/temporary_folder.hpp>
#include <tact/geometry/shapes.hpp>
#include <tact/recording/recording.hpp>
#include <tact/recording/recording_writer.hpp>

namespace tact {

struct FallOptions {
  double slab = 20.0;  // m, its width; 0 for none
  int frames = 4;      // 0.1 s apart
  std::string scene_json = {};
};

inline Recording record(const std::filesystem::path& folder, const FallOptions& options)
{
  RecordingHeader header{.scene = "drop", .version = "1.2.3", .seed = 1, .dt = 0.01};
  header.scene_json = options.scene_json;
  std::vector<Vector3d> start;
  const auto add = [&](const char* name, const char* kind, const TriMesh& mesh,
                       const Vector3d& at) {
    RecordedBody body;
    body.name = name;
    body.kind = kind;
    body.first_vertex = static_cast<int>(start.size());
    body.vertex_count = mesh.vertex_count();
    body.triangles = mesh.triangles;
    body.q_first = header.q_size();
    body.v_first = header.v_size();
    header.bodies.push_back(body);
    for (const Vector3d& p : mesh.positions) start.push_back(p + at);
  };
  add("ball", "rigid", make_icosphere(0.2, 2), {0, 1.0, 0});
  header.bodies.back().q_size = 7;
  header.bodies.back().v_size = 6;
  add("cloth", "cloth", make_cloth(1.0, 1.0, 9, 9), {0, 1.5, 0});
  if (options.slab > 0.0)
    add("slab", "obstacle", make_box({options.slab, 1.0, options.slab}), {0, -0.5, 0});
  const int falling = header.bodies[1].first_vertex + header.bodies[1].vertex_count;

  RecordingWriter writer = RecordingWriter::create(folder, header);
  for (int k = 0; k < options.frames; ++k) {
    Frame frame;
    frame.step = 10 * k;
    frame.t = 0.1 * k;
    frame.vertices = start;
    const double fallen = 0.5 * 9.81 * frame.t * frame.t;
    frame.q = Eigen::Vector<double, 7>(0.0, 1.0 - fallen, 0.0, 0.0, 0.0, 0.0, 1.0);
    frame.v = Eigen::Vector<double, 6>(0.0, -9.81 * frame.t, 0.0, 0.0, 0.0, 0.0);
    for (int i = 0; i < falling; ++i) frame.vertices[i].y() -= fallen;
    writer.append(frame);
  }
  writer.finish();
  return Recording::open(folder);
}

}  // namespace tact
