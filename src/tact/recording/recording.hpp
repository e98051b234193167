// What a run leaves behind: the bodies once, and every recorded frame. Plain data in SI units that
// knows no simulator, and its reader. docs/recording.md describes the file.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
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
  // kg, one for each three entries of v, 0 where these are an angular velocity: the momentum of the
  // body is their sum of mass times velocity. Empty for an obstacle.
  std::vector<double> masses = {};

  double mass() const;  // kg
};

// A joint between two bodies (-1: the world). Where it was at the start, frame 0, in the world: its
// place on either side, and its axes, which were those of both sides. What it keeps of them is told
// by its kind (joints/joint.hpp).
struct RecordedJoint {
  std::string name;
  std::string kind;
  int body_a = -1, body_b = -1;
  Vector3d at_a = Vector3d::Zero(), at_b = Vector3d::Zero();  // m
  Matrix3d axes = Matrix3d::Identity();                       // columns
  double length = 0.0;                                        // m
  bool collide = false;                                       // else the two bodies may overlap
  bool rope = false;  // of a distance: its points may come nearer
  // The ends of its range, m or rad: 0 is where it is at the start.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// Of what is written. Format 2, which is read as well, has no tolerance and no accounts, and
// another scale of body_momentum_error.
inline constexpr int recording_format = 3;

struct RecordingHeader {
  int format = recording_format;
  std::string scene = {};    // its name
  std::string version = {};  // of tact
  std::uint64_t seed = 0;
  double dt = 0.0;                       // s, of a step; frames may lie several steps apart
  Vector3d gravity = Vector3d::Zero();   // m/s^2
  double contact_distance = 0.0;         // m: what contacts are held at; gaps are less this
  std::string friction = "disc";         // or "pyramid": the friction law
  std::optional<double> tolerance = {};  // m/s: asked of solvers; none where it is not recorded
  std::vector<RecordedBody> bodies = {};
  std::vector<RecordedJoint> joints = {};
  std::string scene_json = {};  // the scene as it was run, every default filled in

  int vertex_count() const;
  int q_size() const;
  int v_size() const;
  // Whether a joint joins the two so that they may overlap.
  bool may_overlap(int body_a, int body_b) const;
};

// Throws Error unless the bodies' parts follow one another, every triangle names vertices of its
// body, names differ, kinds and the friction law are known, dt > 0, and masses are one a node.
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

  // What it takes to judge the contact anew. It joins two points, each a weighted sum of vertices
  // (numbered through all bodies, -1 behind the last): those of a have positive weights that sum to
  // 1, those of b negative ones. The normal and two tangents are its frame.
  std::array<int, 4> vertices{-1, -1, -1, -1};
  std::array<double, 4> weights{};
  Vector3d tangent = Vector3d::Zero();   // the first; the other is normal x tangent
  Vector3d velocity = Vector3d::Zero();  // m/s: u of the contact law, in the frame
  double response = 0.0;                 // 1/kg: w of the natural map

  // On a, in world axes (N s), and in the frame of the contact.
  Vector3d impulse() const { return normal_impulse * normal + friction_impulse; }
  Vector3d impulse_in_frame() const
  {
    return {normal_impulse, tangent.dot(friction_impulse),
            normal.cross(tangent).dot(friction_impulse)};
  }

  bool operator==(const RecordedContact&) const = default;
};

// The linear momentum of a body over a step, N s:
//   after = before + mass x gravity x dt + contact impulses + other + left
// where `after` follows from v. `other` is the impulse of all else that acts on the body from
// without, by the equations of motion: springs, pins, damping, wind, constant forces. `left` is
// what the solver left unbalanced.
struct MomentumBalance {
  Vector3d before = Vector3d::Zero();
  Vector3d other = Vector3d::Zero();
  Vector3d left = Vector3d::Zero();
  // kg: what the judge of answers divides by, for the component of the body: its masses, and what
  // drags at its nodes or holds them to the world in a step. 0 where it is not recorded.
  double mass = 0.0;

  bool operator==(const MomentumBalance&) const = default;
};

// What a joint does to its side b in the step of the frame, and the opposite to its side a; and how
// far it is open at the end.
struct RecordedReaction {
  Vector3d force = Vector3d::Zero();   // N s
  Vector3d torque = Vector3d::Zero();  // N m s, about the point
  Vector3d point = Vector3d::Zero();   // m
  double gap = 0.0;                    // m
  double turn = 0.0;                   // rad
  // What of it a motor, dry friction and an end of its range give along or about its motion: N s or
  // N m s. 0 where it is not recorded.
  double motor = 0.0, friction = 0.0, limit = 0.0;

  bool operator==(const RecordedReaction&) const = default;
};

// How good the frame is, measured on its result. docs/verify.md gives the formulas.
struct FrameCertificate {
  double clearance = 0.0;            // m, least distance between surfaces
  double residual = 0.0;             // m/s: of the contact problem, the larger of the next two
  double natural = 0.0;              // m/s: of the contact law, root mean square
  double momentum = 0.0;             // m/s: of the momentum of all nodes, root mean square
  double natural_max = 0.0;          // m/s: of the contact law, worst contact
  double cone_violation = 0.0;       // N s
  double bilateral = 0.0;            // m/s: of joints; 0 where it is not recorded
  double momentum_error = 0.0;       // relative, of the momentum of all nodes
  double body_momentum_error = 0.0;  // relative, of the worst body: MomentumCheck::error()
  int passes = 0;                    // of constraint manifold refinement
  int halvings = 0;                  // of the step
  int cut = 0;                       // steps or halves of one that the last resort had to slow down
  int unconverged = 0;               // solves that missed their tolerance
  int contacts = 0;                  // of the contact problem
  int active = 0;                    // of these, those that push or should

  bool operator==(const FrameCertificate&) const = default;
};

// What steps had to put up with, added up: the steps since the frame before, or those of a run.
struct StepAccount {
  std::int64_t steps = 0;
  std::int64_t solves = 0;       // of contact problems
  std::int64_t unconverged = 0;  // of those: above the tolerance
  std::int64_t cut_steps = 0;    // that the last resort had to end
  std::int64_t halvings = 0;
  std::int64_t islands_max = 0;          // of contacts, in a step
  std::int64_t island_contacts_max = 0;  // of the largest island
  std::int64_t first_missed = 0;         // the first step with a miss: unconverged or cut; 0: none
  double first_missed_t = 0.0;           // s, at its end
  double missed_residual = 0.0;          // m/s: the worst of solves that are above the tolerance
  double momentum_loss_max = 0.0;        // of a step, over the momentum of what touches
  double energy_gain_max = 0.0;          // J, of a step
  double clearance_min = std::numeric_limits<double>::infinity();  // m; no step, no clearance

  bool missed() const { return unconverged > 0 || cut_steps > 0; }
  void add(const StepAccount& later);
  bool operator==(const StepAccount&) const = default;
};

struct Frame {
  std::int64_t step = 0;
  double t = 0.0;  // s
  // s: of the step that led here or, where it was halved, of its last part. Contacts and momentum
  // are of this part. 0: none did, the frame is the start.
  double dt = 0.0;
  std::vector<Vector3d> vertices = {};  // m, of all bodies
  VectorXd q = {};
  VectorXd v = {};
  std::vector<RecordedContact> contacts = {};  // all that push, or that should and do not
  std::vector<MomentumBalance> momentum = {};  // one a body, or none
  std::vector<RecordedReaction> joints = {};   // one a joint, or none
  FrameCertificate certificate = {};
  StepAccount account = {};  // of the steps since the frame before; none where it is not recorded
};

// N s: the sum of mass times velocity, of a body's masses and its entries of v.
Vector3d linear_momentum(std::span<const double> masses, const Eigen::Ref<const VectorXd>& v);

// The balance of a body, added up anew.
struct MomentumCheck {
  Vector3d left = Vector3d::Zero();  // N s: after - before - mass x gravity x dt - contacts - other
  // N s: the lengths of these terms, each contact and each mass for itself, since what cancels is
  // no scale; and 1e-9 m/s of its mass, since a body at rest on which nothing acts has round-off
  // for momentum.
  double scale = 0.0;

  double error() const { return scale > 0.0 ? left.norm() / scale : 0.0; }
};

// Of each body; zero for obstacles and for frames without balances.
std::vector<MomentumCheck> check_momentum(const RecordingHeader& header, const Frame& frame);

namespace layout {
struct FrameIndex;
}

// The frames of a recording that were committed, of a finished run or one under way. A run that
// goes on is not seen: open the recording again for its newer frames. One thread at a time. The
// file is read in a process of its own (reader_process), which a damaged one may crash: Error then.
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
  friend class RecordingWriter;  // goes on where a former one ended
  const layout::FrameIndex& index() const;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tact
