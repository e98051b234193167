// What a run leaves behind: the bodies once, and every recorded frame. Plain data in SI units that
// knows no simulator, and its reader. docs/recording.md describes the file.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tact/core/types.hpp>
#include <tact/geometry/tri_mesh.hpp>

namespace tact {

inline constexpr std::array<std::string_view, 4> recorded_kinds{"rigid", "cloth", "soft",
                                                                "obstacle"};

// A body's part of the vertices and of the state. The bodies' vertices follow one another without
// gaps, in the order of the bodies, and so do their entries of q and v.
struct RecordedBody {
  std::string name;
  std::string kind;  // one of recorded_kinds
  int first_vertex = 0;
  int vertex_count = 0;
  std::vector<Triangle> triangles;  // corners are numbers within the body, from 0
  int q_first = 0;
  int q_size = 0;
  int v_first = 0;
  int v_size = 0;
};

struct RecordingHeader {
  std::string scene = {};    // its name
  std::string version = {};  // of tact
  std::uint64_t seed = 0;
  double dt = 0.0;  // s, of a step; frames may lie several steps apart
  std::vector<RecordedBody> bodies = {};
  std::string scene_json = {};  // the scene as it was run, every default filled in

  int vertex_count() const;
  int q_size() const;
  int v_size() const;
};

// Throws Error unless the bodies' parts follow one another, every triangle names vertices of its
// body, names differ, kinds are known and dt > 0.
void validate(const RecordingHeader& header);

struct RecordedContact {
  int body_a = 0;
  int body_b = -1;                     // -1: the world
  Vector3d point = Vector3d::Zero();   // m
  Vector3d normal = Vector3d::Zero();  // unit, from b to a
  double gap = 0.0;                    // m, at the end of the step
  double mu = 0.0;                     // coefficient of friction
  double normal_impulse = 0.0;         // N s, on a along the normal, in the step of the frame
  Vector3d friction_impulse = Vector3d::Zero();  // N s, on a, in world axes

  bool operator==(const RecordedContact&) const = default;
};

// How good the frame is, measured on its result.
struct FrameCertificate {
  double clearance = 0.0;       // m, least distance between surfaces
  double residual = 0.0;        // of the contact problem, the shared measure
  double cone_violation = 0.0;  // N s
  double momentum_error = 0.0;  // relative
  int passes = 0;               // of constraint manifold refinement
  int halvings = 0;             // of the step

  bool operator==(const FrameCertificate&) const = default;
};

struct Frame {
  std::int64_t step = 0;
  double t = 0.0;                       // s
  std::vector<Vector3d> vertices = {};  // m, of all bodies
  VectorXd q = {};
  VectorXd v = {};
  std::vector<RecordedContact> contacts = {};
  FrameCertificate certificate = {};
};

// The frames of a recording that were committed, of a finished run or one under way. A run that
// goes on is not seen: open the recording again for its newer frames. One thread at a time.
class Recording {
 public:
  // `path` is the folder of a run or the recording.h5 in it. Throws Error when there is none, or
  // when it is damaged, foreign or of a newer format.
  static Recording open(const std::filesystem::path& path);

  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;
  ~Recording();

  const std::filesystem::path& file() const;
  const RecordingHeader& header() const;
  int frame_count() const;
  const std::vector<double>& times() const;        // s, one a frame, ascending
  const std::vector<std::int64_t>& steps() const;  // one a frame
  bool finished() const;                           // written to its end, in one file

  // Frames are numbered from 0; Error for a number that is not there or a frame that is damaged.
  Frame frame(int k) const;
  std::vector<Vector3d> vertices(int k) const;  // this part alone, quicker
  std::vector<RecordedContact> contacts(int k) const;

 private:
  struct Impl;
  explicit Recording(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tact
