// Scenes as `tact run` makes them, at the size and for the time that they have, and what `tact
// verify` says of their recordings.
#pragma once

#include <string>
#include <vector>

#include <tact/run/run.hpp>
#include <tact/run/verify.hpp>
#include <tact/setup/scene_builder.hpp>

namespace tact::test {

struct FullRun {
  Scene scene;
  RunReport report;
  VerifyReport verdict;
  Recording recording;

  double seconds() const { return report.totals.simulated_seconds; }
  Frame last() const { return recording.frame(recording.frame_count() - 1); }
  // The frame nearest to a time (s).
  Frame at(double t) const;
  int body(std::string_view name) const { return scene.world.find(name); }
  // Surface vertices of a body in a frame.
  std::vector<Vector3d> vertices(const Frame& frame, int body) const;
  // Its centre of mass, m, and what velocity that has, m/s.
  Vector3d centre(const Frame& frame, int body) const;
  Vector3d velocity(const Frame& frame, int body) const;
  // Kinetic energy of a frame over its mass, as a speed (m/s): root mean square over all mass.
  double speed(const Frame& frame) const;
};

// Runs the scene into build/full/<label> and adds its row to the summary. Frames are `every` steps
// apart. Checks what every scene owes: it ends, all solves reach their tolerance, no step is cut,
// nothing intersects, and the recording holds.
FullRun full_run(const std::string& label, const std::string& scene,
                 const std::vector<std::string>& patches = {}, int every = 1);

}  // namespace tact::test
