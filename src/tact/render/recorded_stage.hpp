// How a recording is shown: colours, ground and camera, the same for all of its frames.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <tact/recording/recording.hpp>
#include <tact/render/render.hpp>

namespace tact {

class RecordedStage {
 public:
  // Looks at some sixty frames spread over the recording. Keeps a reference to it. `aspect` is
  // width over height of the pictures.
  RecordedStage(const Recording& recording, double aspect);

  // Sees everything that moves, and the obstacles around it that are not much larger.
  const Camera& camera() const { return camera_; }

  // What frame k shows. The scene views into `vertices`, which are those of the frame, and into the
  // recording.
  RenderScene scene(int k, std::span<const Vector3d> vertices) const;

 private:
  struct Survey;

  void find_ground(const Survey& survey);
  void place_camera(const Survey& survey, double aspect);
  void dress_bodies(const Survey& survey);

  const Recording& recording_;
  std::vector<RenderMesh> meshes_;  // of the bodies, without vertices
  std::vector<char> hidden_;        // bodies that the ground stands for
  Ground ground_;
  Camera camera_;
};

// The frames that a film shows which plays the times (s, ascending) at `speed` times their pace
// with `fps` pictures a second: for each picture the frame nearest to its time.
std::vector<int> film_frames(std::span<const double> times, double fps, double speed);

}  // namespace tact
