#include <tact/recording/recording.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <system_error>

#include <fmt/core.h>

#include <tact/core/error.hpp>
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

// The file that `path` means: itself, or the recording in the folder.
fs::path find_recording(const fs::path& path)
{
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw Error(fmt::format("{}: no such folder", path.string()));
  if (!fs::is_directory(status)) return path;
  const fs::path file = layout::recording_file(path);
  if (!fs::exists(file, error))
    throw Error(fmt::format("{}: holds no recording (expected {} in it); `tact run` makes one",
                            path.string(), file.filename().string()));
  return file;
}

}  // namespace

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

struct Recording::Impl {
  fs::path path;
  layout::Contents contents;

  // Calls read(group of frame k) and says whose fault a failure is.
  template <class Read>
  auto read_frame(int k, const Read& read) const
  {
    const layout::FrameIndex& index = contents.index;
    if (k < 0 || k >= index.size())
      throw Error(
          fmt::format("{}: found frame {}, expected 0 to {}", path.string(), k, index.size() - 1));
    const hdf5::Quiet quiet;
    try {
      return read(hdf5::open_group(contents.file, layout::frame_group(k)));
    } catch (const hdf5::Failure& failure) {
      const std::string segment =
          contents.finished
              ? ""
              : fmt::format(" (of {})", layout::segment_file("", index.segments[k]).string());
      throw Error(fmt::format("{}: frame {}{} is damaged or missing: {}", path.string(), k, segment,
                              failure.what()));
    }
  }
};

Recording::Recording(std::unique_ptr<Impl> impl) : impl_(std::move(impl))
{
}
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;
Recording::~Recording() = default;

Recording Recording::open(const fs::path& path)
{
  auto impl = std::make_unique<Impl>();
  impl->path = find_recording(path);
  impl->contents = layout::open_contents(impl->path);
  return Recording(std::move(impl));
}

const fs::path& Recording::file() const
{
  return impl_->path;
}

const RecordingHeader& Recording::header() const
{
  return impl_->contents.header;
}

int Recording::frame_count() const
{
  return impl_->contents.index.size();
}

const std::vector<double>& Recording::times() const
{
  return impl_->contents.index.times;
}

const std::vector<std::int64_t>& Recording::steps() const
{
  return impl_->contents.index.steps;
}

bool Recording::finished() const
{
  return impl_->contents.finished;
}

Frame Recording::frame(int k) const
{
  return impl_->read_frame(
      k, [this](const auto& group) { return layout::read_frame(group, impl_->contents.header); });
}

std::vector<Vector3d> Recording::vertices(int k) const
{
  return impl_->read_frame(k, [this](const auto& group) {
    return layout::read_vertices(group, impl_->contents.header.vertex_count());
  });
}

std::vector<RecordedContact> Recording::contacts(int k) const
{
  return impl_->read_frame(k, [](const auto& group) { return layout::read_contacts(group); });
}

}  // namespace tact
