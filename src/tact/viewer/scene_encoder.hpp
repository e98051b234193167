// From recorded or simulated frames to messages for the page. docs/viewer.md describes them.
#pragma once

#include <vector>

#include <tact/recording/recording.hpp>
#include <tact/run/verdict.hpp>
#include <tact/viewer/message.hpp>
#include <tact/viewer/quantised.hpp>

namespace tact {

// What the page has to know of a body to draw it.
enum class BodyTrack : std::uint8_t {
  pose,      // keeps its shape: a rotation and a place
  vertices,  // deforms: every vertex, in 16 bits of the body's box
};

struct BodyPose {
  std::array<float, 4> rotation{0.0f, 0.0f, 0.0f, 1.0f};  // unit quaternion x y z w
  std::array<float, 3> place{};  // m: a vertex that starts at x is at rotation x + place
};

// Header and first frame of what is shown; each message stands for itself, so that any may be left
// out. Keeps its memory from frame to frame.
class SceneEncoder {
 public:
  // Keeps a reference to the header.
  SceneEncoder(const RecordingHeader& header, const Frame& first);

  const RecordingHeader& header() const { return *header_; }
  std::span<const Vector3d> start() const { return start_; }  // vertices of the first frame

  // "type": "scene": bodies, triangles, vertices of the first frame, and `extra`.
  std::string scene(nlohmann::json extra) const;

  // "type": "frame": poses and vertices, contacts, certificate, and `extra`; arrays that were added
  // to `message` already are sent with it.
  std::string frame(const Frame& frame, nlohmann::json extra, MessageWriter message = {});

  // How the body got from the first frame to this one.
  BodyTrack track(int body, const Frame& frame) const;
  BodyPose pose(int body, const Frame& frame) const;  // of a body of that track

 private:
  void add_bodies(const Frame& frame, MessageWriter& message);

  const RecordingHeader* header_;
  std::vector<Vector3d> start_;
  VectorXd start_q_;
  std::vector<std::uint8_t> tracks_;
  std::vector<float> poses_, boxes_;
  std::vector<std::uint16_t> positions_;
};

// Twelve numbers a contact: point (m), normal, force on body a (N), mu, gap (m), slip (m/s); and
// the two bodies.
void add_contacts(const Frame& frame, MessageWriter& message);

nlohmann::json to_json(const FrameCertificate& certificate);
nlohmann::json to_json(const FrameVerdict& verdict);

// Of the scene as it was run, what the page tells and starts from: friction, dt, solver, tolerance
// and camera, where they are there.
nlohmann::json page_settings(const std::string& scene_json);

}  // namespace tact
