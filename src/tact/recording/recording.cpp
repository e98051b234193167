#include <tact/recording/recording.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <system_error>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/recording/byte_archive.hpp>
#include <tact/recording/reader_process.hpp>
#include <tact/recording/recording_layout.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;

// Where the next body's parts of the vertices and of the state begin.
struct Extent {
  int vertices = 0;
  int q = 0;
  int v = 0;
};

Extent extent_of(const RecordingHeader& header)
{
  if (header.bodies.empty()) return {};
  const RecordedBody& last = header.bodies.back();
  return {last.first_vertex + last.vertex_count, last.q_first + last.q_size,
          last.v_first + last.v_size};
}

[[noreturn]] void reject(const RecordedBody& body, const std::string& what)
{
  throw Error(fmt::format("recording: body \"{}\": {}", body.name, what));
}

void validate_parts(const RecordedBody& body, const Extent& start)
{
  if (std::find(recorded_kinds.begin(), recorded_kinds.end(), body.kind) == recorded_kinds.end())
    reject(body, fmt::format("found the kind \"{}\", expected rigid, cloth, soft or obstacle",
                             body.kind));
  if (body.first_vertex != start.vertices || body.q_first != start.q || body.v_first != start.v)
    reject(body, fmt::format("its vertices, q and v begin at {}, {}, {}, expected {}, {}, {}",
                             body.first_vertex, body.q_first, body.v_first, start.vertices, start.q,
                             start.v));
  if (!body.masses.empty() && 3 * body.masses.size() != static_cast<std::size_t>(body.v_size))
    reject(body, fmt::format("found {} masses, expected one for each three of {} velocities",
                             body.masses.size(), body.v_size));
  // Where its place and its axes stand, and one mass for three entries of q as of v.
  const bool rigid = body.kind == "rigid";
  if (rigid ? body.q_size != 7 || body.v_size != 6
            : !body.masses.empty() && body.q_size != body.v_size)
    reject(body, fmt::format("found {} entries of q and {} of v, expected {}", body.q_size,
                             body.v_size, rigid ? "7 and 6" : "as many"));
  constexpr int most = 1 << 28;  // sums of two stay far from overflow
  for (const int size : {body.vertex_count, body.q_size, body.v_size})
    if (size < 0 || size > most - start.vertices || size > most - start.q || size > most - start.v)
      reject(body, fmt::format("found the size {}, expected 0 to {} in all", size, most));
}

void validate_triangles(const RecordedBody& body)
{
  for (const Triangle& triangle : body.triangles)
    for (const int corner : triangle)
      if (corner < 0 || corner >= body.vertex_count)
        reject(body, fmt::format("a triangle names vertex {}, expected 0 to {}", corner,
                                 body.vertex_count - 1));
}

// Bodies and vertices that a contact names must be there; a body of -1 is the world.
void validate_contacts(const std::vector<RecordedContact>& contacts, const RecordingHeader& header)
{
  const int bodies = static_cast<int>(header.bodies.size()), vertices = header.vertex_count();
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const RecordedContact& contact = contacts[c];
    for (const int body : {contact.body_a, contact.body_b})
      if (body < -1 || body >= bodies)
        throw Error(
            fmt::format("contact {} names body {}, expected -1 to {}", c, body, bodies - 1));
    for (const int vertex : contact.vertices)
      if (vertex < -1 || vertex >= vertices)
        throw Error(
            fmt::format("contact {} names vertex {}, expected -1 to {}", c, vertex, vertices - 1));
  }
}

void validate_joints(const RecordingHeader& header)
{
  const int bodies = static_cast<int>(header.bodies.size());
  for (const RecordedJoint& joint : header.joints)
    for (const int body : {joint.body_a, joint.body_b})
      if (body < -1 || body >= bodies)
        throw Error(fmt::format("recording: joint \"{}\" names body {}, expected -1 to {}",
                                joint.name, body, bodies - 1));
}

// The file that `path` means: itself, or the recording in the folder.
fs::path find_recording(const fs::path& path)
{
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw Error(fmt::format("{}: no such folder", path.string()));
  const bool folder = fs::is_directory(status);
  const fs::path file = folder ? layout::recording_file(path) : path;
  if (folder && !fs::exists(file, error))
    throw Error(fmt::format("{}: holds no recording (expected {} in it); `tact run` makes one",
                            path.string(), file.filename().string()));
  if (!fs::is_regular_file(file, error))  // a pipe would keep whoever opens it waiting
    throw Error(fmt::format("{}: found a folder, pipe or device, expected a file", file.string()));
  return file;
}

// Whose fault it is that a frame cannot be read.
std::string damaged_frame(const fs::path& path, int k, bool finished,
                          const layout::FrameIndex& index, std::string_view why)
{
  const std::string segment =
      finished ? "" : fmt::format(" (of {})", layout::segment_file("", index.segments[k]).string());
  return fmt::format("{}: frame {}{} is damaged or missing: {}", path.string(), k, segment, why);
}

}  // namespace

// What crosses from the process that reads. Plain numbers and fixed vectors go as their bytes.
template <>
inline constexpr bool copied_as_bytes<RecordedContact> = true;
template <>
inline constexpr bool copied_as_bytes<MomentumBalance> = true;
template <>
inline constexpr bool copied_as_bytes<RecordedReaction> = true;
template <>
inline constexpr bool copied_as_bytes<Matrix3d> = true;

template <class Archive>
void exchange(Archive& archive, RecordedBody& body)
{
  archive(body.name, body.kind, body.first_vertex, body.vertex_count, body.triangles, body.q_first,
          body.q_size, body.v_first, body.v_size, body.masses);
}

template <class Archive>
void exchange(Archive& archive, RecordedJoint& joint)
{
  archive(joint.name, joint.kind, joint.body_a, joint.body_b, joint.at_a, joint.at_b, joint.axes,
          joint.length, joint.collide, joint.rope, joint.low, joint.high);
}

template <class Archive>
void exchange(Archive& archive, RecordingHeader& header)
{
  archive(header.format, header.scene, header.version, header.seed, header.dt, header.gravity,
          header.contact_distance, header.friction, header.tolerance, header.bodies, header.joints,
          header.scene_json);
}

template <class Archive>
void exchange(Archive& archive, layout::FrameIndex& index)
{
  archive(index.times, index.steps, index.segments);
}

template <class Archive>
void exchange(Archive& archive, Frame& frame)
{
  archive(frame.step, frame.t, frame.dt, frame.vertices, frame.q, frame.v, frame.contacts,
          frame.momentum, frame.joints, frame.certificate, frame.account);
}

double RecordedBody::mass() const
{
  return std::accumulate(masses.begin(), masses.end(), 0.0);
}

int RecordingHeader::vertex_count() const
{
  return extent_of(*this).vertices;
}

int RecordingHeader::q_size() const
{
  return extent_of(*this).q;
}

bool RecordingHeader::may_overlap(int body_a, int body_b) const
{
  return std::any_of(joints.begin(), joints.end(), [&](const RecordedJoint& joint) {
    return !joint.collide && ((joint.body_a == body_a && joint.body_b == body_b) ||
                              (joint.body_a == body_b && joint.body_b == body_a));
  });
}

int RecordingHeader::v_size() const
{
  return extent_of(*this).v;
}

void StepAccount::add(const StepAccount& later)
{
  steps += later.steps;
  solves += later.solves;
  unconverged += later.unconverged;
  cut_steps += later.cut_steps;
  halvings += later.halvings;
  islands_max = std::max(islands_max, later.islands_max);
  island_contacts_max = std::max(island_contacts_max, later.island_contacts_max);
  if (first_missed == 0) {
    first_missed = later.first_missed;
    first_missed_t = later.first_missed_t;
  }
  missed_residual = std::max(missed_residual, later.missed_residual);
  momentum_loss_max = std::max(momentum_loss_max, later.momentum_loss_max);
  energy_gain_max = std::max(energy_gain_max, later.energy_gain_max);
  clearance_min = std::min(clearance_min, later.clearance_min);
}

void validate(const RecordingHeader& header)
{
  validate_joints(header);
  if (!(header.dt > 0.0))
    throw Error(fmt::format("recording: found dt = {} s, expected > 0", header.dt));
  if (header.friction != "disc" && header.friction != "pyramid")
    throw Error(fmt::format("recording: found the friction law \"{}\", expected disc or pyramid",
                            header.friction));
  std::set<std::string_view> names;
  Extent next;
  for (const RecordedBody& body : header.bodies) {
    if (!names.insert(body.name).second) reject(body, "a second body has this name");
    validate_parts(body, next);
    validate_triangles(body);
    next = {next.vertices + body.vertex_count, next.q + body.q_size, next.v + body.v_size};
  }
}

// ---- in the process that reads ------------------------------------------------------------------

namespace {

enum class Part { contents, frame, vertices, contacts };

struct Request {
  Part part = Part::contents;
  int frame = 0;
};

// The file, opened at the first request. Never in the process that asks.
class Served {
 public:
  explicit Served(fs::path path) : path_(std::move(path)) {}

  std::string answer(std::string_view bytes)
  {
    Request request;
    ByteReader reading(bytes);
    reading(request);
    if (!contents_) contents_ = layout::open_contents(path_);
    ByteWriter writer;
    if (request.part == Part::contents)
      writer(contents_->header, contents_->index, contents_->finished);
    else
      read_frame(request, writer);
    return writer.take();
  }

 private:
  void read_frame(const Request& request, ByteWriter& writer) const
  {
    const int k = request.frame;
    const RecordingHeader& header = contents_->header;
    const hdf5::Quiet quiet;
    try {
      const hdf5::Handle group = hdf5::open_group(contents_->file, layout::frame_group(k));
      if (request.part == Part::frame) {
        Frame frame = layout::read_frame(group, header);
        writer(frame);
      } else if (request.part == Part::vertices) {
        std::vector<Vector3d> vertices = layout::read_vertices(group, header.vertex_count());
        writer(vertices);
      } else {
        std::vector<RecordedContact> contacts = layout::read_contacts(group);
        writer(contacts);
      }
    } catch (const hdf5::Failure& failure) {
      throw Error(damaged_frame(path_, k, contents_->finished, contents_->index, failure.what()));
    }
  }

  fs::path path_;
  std::optional<layout::Contents> contents_;
};

}  // namespace

// ---- in the process that asks -------------------------------------------------------------------

struct Recording::Impl {
  explicit Impl(const fs::path& file)
      : path(file), reader([served = std::make_shared<Served>(file)](std::string_view request) {
          return served->answer(request);
        })
  {
    try {
      receive({Part::contents}, header, index, finished);
    } catch (const ReaderDied& death) {
      throw Error(fmt::format("{}: damaged or no recording: {}", path.string(), death.what()));
    }
    validate(header);  // the other process may have sent anything
    if (index.steps.size() != index.times.size() || index.segments.size() != index.times.size())
      throw Error(fmt::format("{}: damaged or no recording", path.string()));
  }

  template <class... T>
  void receive(Request request, T&... values) const
  {
    ByteWriter writer;
    writer(request);
    const std::string answer = reader.ask(writer.take());
    ByteReader reading(answer);
    reading(values...);
  }

  template <class T>
  T read(Part part, int k) const
  {
    if (k < 0 || k >= index.size())
      throw Error(
          fmt::format("{}: found frame {}, expected 0 to {}", path.string(), k, index.size() - 1));
    T value;
    try {
      receive({part, k}, value);
    } catch (const ReaderDied& death) {
      throw Error(damaged_frame(path, k, finished, index, death.what()));
    }
    return value;
  }

  // The sizes of tables once more: the other process may have sent anything.
  void require(bool fits, int k) const
  {
    if (!fits) throw Error(damaged_frame(path, k, finished, index, "its tables have wrong sizes"));
  }
  void require(const std::vector<RecordedContact>& contacts, int k) const
  {
    try {
      validate_contacts(contacts, header);
    } catch (const Error& error) {
      throw Error(damaged_frame(path, k, finished, index, error.what()));
    }
  }

  fs::path path;
  mutable ReaderProcess reader;
  RecordingHeader header;
  layout::FrameIndex index;
  bool finished = false;
};

Recording::Recording(std::unique_ptr<Impl> impl) : impl_(std::move(impl))
{
}
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;
Recording::~Recording() = default;

Recording Recording::open(const fs::path& path)
{
  return Recording(std::make_unique<Impl>(find_recording(path)));
}

const layout::FrameIndex& Recording::index() const
{
  return impl_->index;
}

const fs::path& Recording::file() const
{
  return impl_->path;
}

const RecordingHeader& Recording::header() const
{
  return impl_->header;
}

int Recording::frame_count() const
{
  return impl_->index.size();
}

const std::vector<double>& Recording::times() const
{
  return impl_->index.times;
}

const std::vector<std::int64_t>& Recording::steps() const
{
  return impl_->index.steps;
}

bool Recording::finished() const
{
  return impl_->finished;
}

Frame Recording::frame(int k) const
{
  auto frame = impl_->read<Frame>(Part::frame, k);
  const RecordingHeader& h = impl_->header;
  impl_->require(static_cast<int>(frame.vertices.size()) == h.vertex_count() &&
                     frame.q.size() == h.q_size() && frame.v.size() == h.v_size() &&
                     (frame.momentum.empty() || frame.momentum.size() == h.bodies.size()) &&
                     (frame.joints.empty() || frame.joints.size() == h.joints.size()),
                 k);
  impl_->require(frame.contacts, k);
  return frame;
}

std::vector<Vector3d> Recording::vertices(int k) const
{
  auto vertices = impl_->read<std::vector<Vector3d>>(Part::vertices, k);
  impl_->require(static_cast<int>(vertices.size()) == impl_->header.vertex_count(), k);
  return vertices;
}

std::vector<RecordedContact> Recording::contacts(int k) const
{
  auto contacts = impl_->read<std::vector<RecordedContact>>(Part::contacts, k);
  impl_->require(contacts, k);
  return contacts;
}

}  // namespace tact
