// Binary glTF 2.0: one file, a node for each body. Bodies that move rigidly are animated nodes;
// those that deform have a morph target for each frame but the first, and weights that fade from
// one to the next, so that between frames vertices move on straight lines. No normals are stored: a
// viewer then shades each triangle flat, which stays right while it deforms.
//
// The number of weights grows with the square of the number of frames, and with it the work of the
// viewer: --frames ::K keeps clips short.
#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <tact/core/error.hpp>
#include <tact/recording/atomic_file.hpp>
#include <tact/recording/body_motion.hpp>
#include <tact/recording/export_formats.hpp>

namespace tact {
namespace {

using Json = nlohmann::ordered_json;

// Numbers of the glTF 2.0 specification.
constexpr int component_uint32 = 5125, component_float = 5126;
constexpr int target_vertices = 34962, target_indices = 34963;
constexpr std::uint32_t magic_glb = 0x46546C67, chunk_json = 0x4E4F534A, chunk_bin = 0x004E4942;
constexpr std::uint64_t header_bytes = 12, chunk_header_bytes = 8;

// Parts of the binary chunk in the order in which they will be written.
class BinaryPlan {
 public:
  // `target` 0 and `stride` 0 mean none.
  int add_view(std::uint64_t bytes, int target = 0, int stride = 0)
  {
    Json view = {{"buffer", 0}, {"byteOffset", bytes_}, {"byteLength", bytes}};
    if (stride) view["byteStride"] = stride;
    if (target) view["target"] = target;
    bytes_ += bytes;
    views_.push_back(std::move(view));
    return static_cast<int>(views_.size()) - 1;
  }

  int add_accessor(int view, std::uint64_t offset, int component, std::size_t count,
                   const char* type)
  {
    accessors_.push_back({{"bufferView", view},
                          {"byteOffset", offset},
                          {"componentType", component},
                          {"count", count},
                          {"type", type}});
    return static_cast<int>(accessors_.size()) - 1;
  }

  int add_array(int component, std::size_t count, const char* type, int width, int target = 0)
  {
    return add_accessor(add_view(4ull * static_cast<std::uint64_t>(width) * count, target), 0,
                        component, count, type);
  }

  template <class Range>
  void set_bounds(int accessor, const Range& low, const Range& high)
  {
    accessors_[static_cast<std::size_t>(accessor)]["min"] = low;
    accessors_[static_cast<std::size_t>(accessor)]["max"] = high;
  }

  std::uint64_t bytes() const { return bytes_; }
  const Json& views() const { return views_; }
  const Json& accessors() const { return accessors_; }

 private:
  std::uint64_t bytes_ = 0;
  Json views_ = Json::array();
  Json accessors_ = Json::array();
};

class GlbWriter {
 public:
  explicit GlbWriter(const ExportJob& job);
  void write(AtomicFile& file) const;

 private:
  bool drawn(std::size_t i) const { return !bodies_[i].triangles.empty(); }
  bool moves(std::size_t i, BodyMotion::Kind how) const
  {
    return drawn(i) && motions_[i].kind == how;
  }
  bool any(BodyMotion::Kind how) const;
  float seconds(std::size_t frame) const;

  void plan_mesh(std::size_t i);
  void plan_animation();
  void plan_rigid(std::size_t i, int times);
  void plan_targets();
  void add_channel(std::size_t i, const char* path, int sampler);
  int add_sampler(int times, int values);
  int material(const RecordedBody& body);
  std::string json_text() const;

  std::string mesh_bytes() const;
  std::string pose_bytes() const;
  void write_weights(AtomicFile& file) const;
  void write_displacements(AtomicFile& file) const;

  const ExportJob& job_;
  const std::vector<RecordedBody>& bodies_;
  std::vector<BodyMotion> motions_;
  BinaryPlan plan_;
  Json nodes_ = Json::array(), meshes_ = Json::array(), materials_ = Json::array();
  Json samplers_ = Json::array(), channels_ = Json::array();
};

GlbWriter::GlbWriter(const ExportJob& job)
    : job_(job), bodies_(job.recording.header().bodies), motions_(read_motions(job))
{
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Vector3d& place = motions_[i].place;
    nodes_.push_back({{"name", bodies_[i].name}});
    if (!drawn(i)) continue;
    nodes_[i]["translation"] = to_float(place);
    plan_mesh(i);
  }
  plan_animation();
}

bool GlbWriter::any(BodyMotion::Kind how) const
{
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    if (moves(i, how)) return true;
  return false;
}

float GlbWriter::seconds(std::size_t frame) const
{
  const std::vector<double>& times = job_.recording.times();
  return static_cast<float>(times[job_.frames[frame]] - times[job_.frames[0]]);
}

int GlbWriter::material(const RecordedBody& body)
{
  for (std::size_t i = 0; i < materials_.size(); ++i)
    if (materials_[i]["name"] == body.kind) return static_cast<int>(i);
  // Linear colours of rigid, cloth, soft and obstacle.
  constexpr std::array<Point3f, 4> colours{
      {{0.15f, 0.33f, 0.60f}, {0.65f, 0.14f, 0.10f}, {0.18f, 0.50f, 0.20f}, {0.45f, 0.45f, 0.45f}}};
  const Point3f& c = colours[static_cast<std::size_t>(kind_number(body))];
  materials_.push_back({{"name", body.kind},
                        {"pbrMetallicRoughness",
                         {{"baseColorFactor", {c[0], c[1], c[2], 1.0}},
                          {"metallicFactor", 0.0},
                          {"roughnessFactor", 0.8}}},
                        {"doubleSided", body.kind == "cloth"}});
  return static_cast<int>(materials_.size()) - 1;
}

void GlbWriter::plan_mesh(std::size_t i)
{
  const RecordedBody& body = bodies_[i];
  const std::vector<Vector3d>& shape = motions_[i].shape;
  const int indices =
      plan_.add_array(component_uint32, 3 * body.triangles.size(), "SCALAR", 1, target_indices);
  const int positions = plan_.add_array(component_float, shape.size(), "VEC3", 3, target_vertices);
  const Aabb box = bounding_box(shape);
  plan_.set_bounds(positions, to_float(box.low), to_float(box.high));
  nodes_[i]["mesh"] = meshes_.size();
  meshes_.push_back({{"name", body.name},
                     {"primitives",
                      {{{"attributes", {{"POSITION", positions}}},
                        {"indices", indices},
                        {"material", material(body)}}}}});
}

int GlbWriter::add_sampler(int times, int values)
{
  samplers_.push_back({{"input", times}, {"output", values}, {"interpolation", "LINEAR"}});
  return static_cast<int>(samplers_.size()) - 1;
}

void GlbWriter::add_channel(std::size_t i, const char* path, int sampler)
{
  channels_.push_back({{"sampler", sampler}, {"target", {{"node", i}, {"path", path}}}});
}

void GlbWriter::plan_rigid(std::size_t i, int times)
{
  const std::size_t frames = job_.frames.size();
  const int rotations = plan_.add_array(component_float, frames, "VEC4", 4);
  const int translations = plan_.add_array(component_float, frames, "VEC3", 3);
  add_channel(i, "rotation", add_sampler(times, rotations));
  add_channel(i, "translation", add_sampler(times, translations));
}

// The displacements of a frame stand together, body after body: in the order in which they are
// read.
void GlbWriter::plan_targets()
{
  for (std::size_t frame = 1; frame < job_.frames.size(); ++frame) {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      if (moves(i, BodyMotion::Kind::deforming))
        bytes += sizeof(Point3f) * motions_[i].shape.size();
    const int view = plan_.add_view(bytes, target_vertices, sizeof(Point3f));
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (!moves(i, BodyMotion::Kind::deforming)) continue;
      const std::size_t count = motions_[i].shape.size();
      const int accessor = plan_.add_accessor(view, offset, component_float, count, "VEC3");
      const FloatBox& box = motions_[i].displacement[frame];
      plan_.set_bounds(accessor, box.low, box.high);
      offset += sizeof(Point3f) * count;
      Json& primitive = meshes_[nodes_[i]["mesh"].get<std::size_t>()]["primitives"][0];
      primitive["targets"].push_back({{"POSITION", accessor}});
    }
  }
}

void GlbWriter::plan_animation()
{
  const bool deforming = any(BodyMotion::Kind::deforming);
  if (!deforming && !any(BodyMotion::Kind::rigid)) return;
  const std::size_t frames = job_.frames.size();
  const int times = plan_.add_array(component_float, frames, "SCALAR", 1);
  plan_.set_bounds(times, std::array{seconds(0)}, std::array{seconds(frames - 1)});
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    if (moves(i, BodyMotion::Kind::rigid)) plan_rigid(i, times);
  if (!deforming) return;
  const int weights = plan_.add_array(component_float, frames * (frames - 1), "SCALAR", 1);
  const int sampler = add_sampler(times, weights);  // the same for all: frame k shows target k
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    if (moves(i, BodyMotion::Kind::deforming)) add_channel(i, "weights", sampler);
  plan_targets();
}

std::string GlbWriter::json_text() const
{
  Json roots = Json::array();
  for (std::size_t i = 0; i < bodies_.size(); ++i) roots.push_back(i);
  const RecordingHeader& header = job_.recording.header();
  Json json = {{"asset", {{"version", "2.0"}, {"generator", "tact " + header.version}}},
               {"scene", 0}};
  json["scenes"] = {{{"name", header.scene}}};
  const auto put = [&json](const char* key, const Json& list) {
    if (!list.empty()) json[key] = list;  // glTF has no empty lists
  };
  if (!roots.empty()) json["scenes"][0]["nodes"] = roots;
  put("nodes", nodes_);
  put("meshes", meshes_);
  put("materials", materials_);
  if (!channels_.empty())
    json["animations"] = {
        {{"name", header.scene}, {"samplers", samplers_}, {"channels", channels_}}};
  put("accessors", plan_.accessors());
  put("bufferViews", plan_.views());
  if (plan_.bytes() > 0) json["buffers"] = {{{"byteLength", plan_.bytes()}}};
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize((text.size() + 3) / 4 * 4, ' ');
  return text;
}

std::string GlbWriter::mesh_bytes() const
{
  std::string bytes;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!drawn(i)) continue;
    for (const Triangle& triangle : bodies_[i].triangles)
      for (const int corner : triangle) append_bytes(bytes, static_cast<std::uint32_t>(corner));
    for (const Vector3d& p : motions_[i].shape) append_bytes(bytes, to_float(p));
  }
  return bytes;
}

std::string GlbWriter::pose_bytes() const
{
  std::string bytes;
  if (channels_.empty()) return bytes;
  for (std::size_t frame = 0; frame < job_.frames.size(); ++frame)
    append_bytes(bytes, seconds(frame));
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!moves(i, BodyMotion::Kind::rigid)) continue;
    for (const RigidFit& pose : motions_[i].poses)  // x, y, z, w in both libraries
      for (const double c : pose.rotation.coeffs()) append_bytes(bytes, static_cast<float>(c));
    for (const RigidFit& pose : motions_[i].poses) append_bytes(bytes, to_float(pose.place));
  }
  return bytes;
}

void GlbWriter::write_weights(AtomicFile& file) const
{
  const std::size_t targets = job_.frames.size() - 1;
  std::vector<float> row(targets, 0.0f);
  for (std::size_t frame = 0; frame <= targets; ++frame) {
    if (frame > 0) row[frame - 1] = 1.0f;
    file.write(std::as_bytes(std::span(row)));
    if (frame > 0) row[frame - 1] = 0.0f;
  }
}

void GlbWriter::write_displacements(AtomicFile& file) const
{
  const std::vector<Vector3d> first = job_.recording.vertices(job_.frames[0]);
  for (std::size_t frame = 1; frame < job_.frames.size(); ++frame) {
    job_.begin_frame(job_.frames[frame]);
    const std::vector<Vector3d> now = job_.recording.vertices(job_.frames[frame]);
    std::string bytes;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (!moves(i, BodyMotion::Kind::deforming)) continue;
      const auto from = part(first, bodies_[i]), to = part(now, bodies_[i]);
      for (std::size_t j = 0; j < from.size(); ++j)
        append_bytes(bytes, displacement(from[j], to[j]));
    }
    file.write(bytes);
  }
}

void GlbWriter::write(AtomicFile& file) const
{
  const std::string json = json_text();
  const std::uint64_t binary = plan_.bytes();
  const std::uint64_t total = header_bytes + chunk_header_bytes + json.size() +
                              (binary > 0 ? chunk_header_bytes + binary : 0);
  if (total > std::numeric_limits<std::uint32_t>::max())
    throw Error(
        fmt::format("glb: {} frames would make a file of {:.1f} GiB, the format holds 4; "
                    "choose fewer, such as --frames ::10",
                    job_.frames.size(), static_cast<double>(total) / (1 << 30)));
  std::string start;
  append_bytes(start, magic_glb);
  append_bytes(start, std::uint32_t{2});
  append_bytes(start, static_cast<std::uint32_t>(total));
  append_bytes(start, static_cast<std::uint32_t>(json.size()));
  append_bytes(start, chunk_json);
  start += json;
  if (binary > 0) {
    append_bytes(start, static_cast<std::uint32_t>(binary));
    append_bytes(start, chunk_bin);
  }
  file.write(start);
  file.write(mesh_bytes());
  file.write(pose_bytes());
  if (!any(BodyMotion::Kind::deforming)) return;
  write_weights(file);
  write_displacements(file);
}

}  // namespace

ExportedFiles export_glb(const ExportJob& job)
{
  const GlbWriter writer(job);
  make_folder(job.folder);
  const std::filesystem::path path = job.folder / "recording.glb";
  AtomicFile file(path);
  writer.write(file);
  file.commit();
  return {path};
}

}  // namespace tact
