#include <tact/recording/recording_layout.hpp>

#include <algorithm>
#include <charconv>
#include <system_error>

#include <fmt/core.h>

namespace tact::layout {
namespace {

namespace fs = std::filesystem;

constexpr const char* format_name = "tact recording";
constexpr std::int32_t oldest_format = 2;  // that is read
constexpr const char* units = "SI: m, s, kg, N s";

void write_body(const hdf5::Handle& bodies, int number, const RecordedBody& body)
{
  const hdf5::Handle group = hdf5::create_group(bodies, fmt::format("{:05}", number));
  hdf5::write_text_attribute(group, "name", body.name);
  hdf5::write_text_attribute(group, "kind", body.kind);
  hdf5::write_attribute<std::int32_t>(group, "first_vertex", body.first_vertex);
  hdf5::write_attribute<std::int32_t>(group, "vertex_count", body.vertex_count);
  hdf5::write_attribute<std::int32_t>(group, "q_first", body.q_first);
  hdf5::write_attribute<std::int32_t>(group, "q_size", body.q_size);
  hdf5::write_attribute<std::int32_t>(group, "v_first", body.v_first);
  hdf5::write_attribute<std::int32_t>(group, "v_size", body.v_size);
  static_assert(sizeof(Triangle) == 3 * sizeof(std::int32_t));
  hdf5::write_table(group, "triangles", hdf5::native_type<std::int32_t>(),
                    {body.triangles.size(), 3}, body.triangles.data());
  hdf5::write_list<double>(group, "masses", body.masses);
}

RecordedBody read_body(const hdf5::Handle& group)
{
  RecordedBody body;
  body.name = hdf5::read_text_attribute(group, "name");
  body.kind = hdf5::read_text_attribute(group, "kind");
  body.first_vertex = hdf5::read_attribute<std::int32_t>(group, "first_vertex");
  body.vertex_count = hdf5::read_attribute<std::int32_t>(group, "vertex_count");
  body.q_first = hdf5::read_attribute<std::int32_t>(group, "q_first");
  body.q_size = hdf5::read_attribute<std::int32_t>(group, "q_size");
  body.v_first = hdf5::read_attribute<std::int32_t>(group, "v_first");
  body.v_size = hdf5::read_attribute<std::int32_t>(group, "v_size");
  const hdf5::Table triangles(group, "triangles");
  hdf5::require(triangles.shape().columns == 3, "read triangles with three corners");
  body.triangles.resize(triangles.shape().rows);
  triangles.read(hdf5::native_type<std::int32_t>(), body.triangles.data());
  body.masses = hdf5::read_list<double>(group, "masses");
  return body;
}

void write_joints(const hdf5::Handle& file, const std::vector<RecordedJoint>& all)
{
  if (all.empty()) return;
  const hdf5::Handle joints = hdf5::create_group(file, "joints");
  hdf5::write_attribute<std::int32_t>(joints, "count", static_cast<std::int32_t>(all.size()));
  int number = 0;
  for (const RecordedJoint& joint : all) {
    const hdf5::Handle group = hdf5::create_group(joints, fmt::format("{:05}", number++));
    hdf5::write_text_attribute(group, "name", joint.name);
    hdf5::write_text_attribute(group, "kind", joint.kind);
    hdf5::write_attribute<std::int32_t>(group, "body_a", joint.body_a);
    hdf5::write_attribute<std::int32_t>(group, "body_b", joint.body_b);
    hdf5::write_list<double>(group, "at_a", std::span(joint.at_a.data(), 3));
    hdf5::write_list<double>(group, "at_b", std::span(joint.at_b.data(), 3));
    hdf5::write_list<double>(group, "axes", std::span(joint.axes.data(), 9));
    hdf5::write_attribute<double>(group, "length", joint.length);
    hdf5::write_attribute<std::int32_t>(group, "collide", joint.collide ? 1 : 0);
    hdf5::write_attribute<std::int32_t>(group, "rope", joint.rope ? 1 : 0);
    hdf5::write_attribute<double>(group, "low", joint.low);
    hdf5::write_attribute<double>(group, "high", joint.high);
  }
}

RecordedJoint read_joint(const hdf5::Handle& group)
{
  RecordedJoint joint;
  joint.name = hdf5::read_text_attribute(group, "name");
  joint.kind = hdf5::read_text_attribute(group, "kind");
  joint.body_a = hdf5::read_attribute<std::int32_t>(group, "body_a");
  joint.body_b = hdf5::read_attribute<std::int32_t>(group, "body_b");
  const std::vector<double> at_a = hdf5::read_list<double>(group, "at_a");
  const std::vector<double> at_b = hdf5::read_list<double>(group, "at_b");
  const std::vector<double> axes = hdf5::read_list<double>(group, "axes");
  hdf5::require(at_a.size() == 3 && at_b.size() == 3 && axes.size() == 9,
                "read the frame of a joint");
  joint.at_a = Vector3d(at_a[0], at_a[1], at_a[2]);
  joint.at_b = Vector3d(at_b[0], at_b[1], at_b[2]);
  joint.axes = Eigen::Map<const Matrix3d>(axes.data());
  joint.length = hdf5::read_attribute<double>(group, "length");
  joint.collide = hdf5::read_attribute<std::int32_t>(group, "collide") != 0;
  if (!hdf5::has_attribute(group, "rope")) return joint;  // written before there were ranges
  joint.rope = hdf5::read_attribute<std::int32_t>(group, "rope") != 0;
  joint.low = hdf5::read_attribute<double>(group, "low");
  joint.high = hdf5::read_attribute<double>(group, "high");
  return joint;
}

std::vector<RecordedJoint> read_joints(const hdf5::Handle& file)
{
  std::vector<RecordedJoint> all;
  if (!hdf5::exists(file, "joints")) return all;
  const hdf5::Handle joints = hdf5::open_group(file, "joints");
  const auto count = hdf5::read_attribute<std::int32_t>(joints, "count");
  for (int number = 0; number < count; ++number)
    all.push_back(read_joint(hdf5::open_group(joints, fmt::format("{:05}", number))));
  return all;
}

// A file of another program, or of a later tact, is told apart from a damaged one.
int read_format(const hdf5::Handle& file)
{
  std::string name;
  std::int32_t version = 0;
  try {
    name = hdf5::read_text_attribute(file, "format");
    version = hdf5::read_attribute<std::int32_t>(file, "format_version");
  } catch (const hdf5::Failure&) {
    throw Error("found an HDF5 file of another kind, expected a recording of tact");
  }
  if (name != format_name)
    throw Error("found an HDF5 file of another kind, expected a recording of tact");
  if (version < oldest_format || version > recording_format)
    throw Error(fmt::format("found recording format {}, expected {} or {}; {} tact wrote it",
                            version, oldest_format, recording_format,
                            version > recording_format ? "a newer" : "an older"));
  return version;
}

void write_header(const hdf5::Handle& file, const RecordingHeader& header, bool finished)
{
  hdf5::write_text_attribute(file, "format", format_name);
  hdf5::write_attribute<std::int32_t>(file, "format_version", recording_format);
  hdf5::write_text_attribute(file, "tact_version", header.version);
  hdf5::write_text_attribute(file, "scene", header.scene);
  hdf5::write_text_attribute(file, "units", units);
  hdf5::write_attribute<std::uint64_t>(file, "seed", header.seed);
  hdf5::write_attribute<double>(file, "dt", header.dt);
  hdf5::write_list<double>(file, "gravity", std::span(header.gravity.data(), 3));
  hdf5::write_attribute<double>(file, "contact_distance", header.contact_distance);
  hdf5::write_text_attribute(file, "friction", header.friction);
  if (header.tolerance) hdf5::write_attribute<double>(file, "tolerance", *header.tolerance);
  hdf5::write_attribute<std::int32_t>(file, "finished", finished ? 1 : 0);
  hdf5::write_long_text(file, "scene_json", header.scene_json);
  const hdf5::Handle bodies = hdf5::create_group(file, "bodies");
  hdf5::write_attribute<std::int32_t>(bodies, "count",
                                      static_cast<std::int32_t>(header.bodies.size()));
  int number = 0;
  for (const RecordedBody& body : header.bodies) write_body(bodies, number++, body);
  write_joints(file, header.joints);
}

Vector3d read_gravity(const hdf5::Handle& file)
{
  const std::vector<double> g = hdf5::read_list<double>(file, "gravity");
  hdf5::require(g.size() == 3, "read gravity as a vector");
  return {g[0], g[1], g[2]};
}

RecordingHeader read_header(const hdf5::Handle& file)
{
  RecordingHeader header;
  header.format = read_format(file);
  header.version = hdf5::read_text_attribute(file, "tact_version");
  header.scene = hdf5::read_text_attribute(file, "scene");
  header.seed = hdf5::read_attribute<std::uint64_t>(file, "seed");
  header.dt = hdf5::read_attribute<double>(file, "dt");
  header.gravity = read_gravity(file);
  header.contact_distance = hdf5::read_attribute<double>(file, "contact_distance");
  header.friction = hdf5::read_text_attribute(file, "friction");
  if (hdf5::has_attribute(file, "tolerance"))
    header.tolerance = hdf5::read_attribute<double>(file, "tolerance");
  header.scene_json = hdf5::read_long_text(file, "scene_json");
  const hdf5::Handle bodies = hdf5::open_group(file, "bodies");
  const auto count = hdf5::read_attribute<std::int32_t>(bodies, "count");
  for (int number = 0; number < count; ++number)
    header.bodies.push_back(read_body(hdf5::open_group(bodies, fmt::format("{:05}", number))));
  header.joints = read_joints(file);
  validate(header);
  return header;
}

void write_index(const hdf5::Handle& file, const FrameIndex& index)
{
  hdf5::write_list<double>(file, "t", index.times);
  hdf5::write_list<std::int64_t>(file, "step", index.steps);
  hdf5::create_group(file, "frames");
}

FrameIndex read_index(const hdf5::Handle& file, bool finished)
{
  FrameIndex index;
  index.times = hdf5::read_list<double>(file, "t");
  index.steps = hdf5::read_list<std::int64_t>(file, "step");
  if (finished)
    index.segments.assign(index.times.size(), 0);
  else
    index.segments = hdf5::read_list<std::int32_t>(file, "segment");
  hdf5::require(
      index.steps.size() == index.times.size() && index.segments.size() == index.times.size(),
      "find a time, a step and a segment for every frame");
  return index;
}

}  // namespace

fs::path recording_file(const fs::path& folder)
{
  return folder / "recording.h5";
}

fs::path segment_folder(const fs::path& folder)
{
  return folder / "segments";
}

fs::path segment_file(const fs::path& folder, int segment)
{
  return segment_folder(folder) / fmt::format("{:05}.h5", segment);
}

std::vector<int> segments_in(const fs::path& folder)
{
  std::vector<int> numbers;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(segment_folder(folder), error)) {
    if (entry.path().extension() != ".h5") continue;
    const std::string stem = entry.path().stem().string();
    int number = 0;
    const char* end = stem.data() + stem.size();
    if (const auto read = std::from_chars(stem.data(), end, number);
        read.ec == std::errc() && read.ptr == end && number >= 0)
      numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

void FrameIndex::add(double t, std::int64_t step, int segment)
{
  times.push_back(t);
  steps.push_back(step);
  segments.push_back(segment);
}

void FrameIndex::keep(int count)
{
  times.resize(count);
  steps.resize(count);
  segments.resize(count);
}

void write_finished(const hdf5::Handle& file, const RecordingHeader& header,
                    const FrameIndex& index)
{
  write_header(file, header, true);
  write_index(file, index);
}

void write_linked(const hdf5::Handle& file, const RecordingHeader& header, const FrameIndex& index)
{
  write_header(file, header, false);
  write_index(file, index);
  hdf5::write_list<std::int32_t>(file, "segment", index.segments);
  for (int k = 0; k < index.size(); ++k) {
    const fs::path target = segment_file("", index.segments[k]);  // relative to recording.h5
    hdf5::link_to_file(file, frame_group(k), target.string(), frame_group(k));
  }
}

Contents open_contents(const fs::path& file)
{
  const hdf5::Quiet quiet;
  try {
    Contents contents;
    contents.file = hdf5::open_to_read(file);
    contents.header = read_header(contents.file);
    contents.finished = hdf5::read_attribute<std::int32_t>(contents.file, "finished") != 0;
    contents.index = read_index(contents.file, contents.finished);
    return contents;
  } catch (const hdf5::Failure& failure) {
    throw Error(fmt::format("{}: damaged or no recording: {}", file.string(), failure.what()));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", file.string(), error.what()));
  }
}

std::string frame_group(int k)
{
  return fmt::format("/frames/{:08}", k);
}

}  // namespace tact::layout
