// Judges a recording anew, from what is in it alone: no stepper, no world.      docs/verify.md
//
//   geometry    no two triangles intersect, by the exact test; obstacles may overlap each other
//   contacts    points and gaps are those of the recorded vertices; natural map and cone violation,
//               measured by the contact law itself, are what the certificate says
//   momentum    of every body, the balance leaves what the record says it leaves, and over the mass
//               no more than the tolerance that the run asked of its solvers, in m/s
//   joints      the places of the bodies' vertices leave them open by no more than 1e-8 m and rad,
//               and by what the record says
//   goodness    what was asked holds: no solve above its tolerance, no step cut by the last resort,
//               by the figures of the record and in the words of verdict.hpp
//   frames      none is missing, damaged or out of order
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tact/recording/recording.hpp>

namespace tact {

// What does not hold, in one line that names the frame and the bodies.
struct VerifyFinding {
  int frame = 0;
  std::string text;
};

struct VerifyReport {
  int frames = 0;
  int triangles_max = 0;                 // in a frame
  std::int64_t intersecting_pairs = 0;   // of triangles, in all frames
  double penetration_max = 0.0;          // m: of the deepest of them
  double residual_max = 0.0;             // m/s: natural map, root mean square over active contacts
  double natural_max = 0.0;              // m/s: natural map of the worst contact
  double cone_violation_max = 0.0;       // N s
  double momentum_error_max = 0.0;       // relative, of the worst body
  int joints = 0;                        // of the recording
  double joint_gap_max = 0.0;            // m: of the worst joint, by the places of its bodies
  double joint_turn_max = 0.0;           // rad
  double momentum_left_max = 0.0;        // m/s: what it is out of balance by, over its mass
  std::int64_t contacts = 0;             // judged, in all frames
  int cut_frames = 0;                    // whose own step the last resort had to end
  StepAccount account = {};              // of the steps up to the last frame
  int unaccounted = 0;                   // frames without: of a recording of an older tact
  std::optional<double> tolerance = {};  // m/s, asked of solvers, where it is recorded
  bool finished = false;                 // the run came to its end
  std::vector<VerifyFinding> findings = {};  // by frame

  bool ok() const { return findings.empty(); }
  void find(int frame, std::string text);
  void add(const VerifyReport& frame);  // the next one
};

struct VerifyOptions {
  std::function<void(int frame)> begin_frame = [](int) {};  // told as the work goes on
};

// Frames run on the threads of the caller's oneTBB arena; the report does not depend on how many.
VerifyReport verify(const Recording& recording, const VerifyOptions& options = {});

// One frame, number k of the recording. `start`: frame 0, which joints are judged by; without it
// they are not.
VerifyReport verify_frame(const RecordingHeader& header, int k, const Frame& frame,
                          const Frame* start = nullptr);

}  // namespace tact
