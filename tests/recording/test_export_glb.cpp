// The animation of a GLB file, evaluated as a viewer does, puts every vertex where it was recorded.
#include <array>
#include <cstring>

#include <doctest/doctest.h>
#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include <files/temporary_folder.hpp>
#include <recording/frames.hpp>
#include <tact/recording/exports.hpp>

using namespace tact;
using Json = nlohmann::json;

namespace {

struct Glb {
  Json json;
  std::string binary;

  // The numbers of an accessor of floats, one row an element.
  std::vector<std::vector<double>> floats(const Json& index) const
  {
    const Json& accessor = json["accessors"][index.get<std::size_t>()];
    const Json& view = json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    const std::size_t width = accessor["type"] == "VEC4" ? 4 : accessor["type"] == "VEC3" ? 3 : 1;
    std::size_t at =
        view["byteOffset"].get<std::size_t>() + accessor["byteOffset"].get<std::size_t>();
    std::vector<std::vector<double>> rows(accessor["count"].get<std::size_t>());
    for (auto& row : rows)
      for (std::size_t i = 0; i < width; ++i, at += sizeof(float)) {
        float x = 0.0f;
        std::memcpy(&x, binary.data() + at, sizeof(x));
        row.push_back(x);
      }
    return rows;
  }
};

Glb parse(const std::string& bytes)
{
  std::array<std::uint32_t, 5> start{};
  std::memcpy(start.data(), bytes.data(), sizeof(start));
  REQUIRE(start[2] == bytes.size());
  const std::size_t json_size = start[3];
  return {Json::parse(bytes.substr(20, json_size)), bytes.substr(20 + json_size + 8)};
}

Vector3d to_vector(const std::vector<double>& row)
{
  return {row[0], row[1], row[2]};
}

// Where the vertices of a node are at a key of the animation.
std::vector<Vector3d> pose(const Glb& glb, std::size_t node, std::size_t key)
{
  const Json& n = glb.json["nodes"][node];
  const Json& primitive = glb.json["meshes"][n["mesh"].get<std::size_t>()]["primitives"][0];
  std::vector<Vector3d> points;
  for (const auto& row : glb.floats(primitive["attributes"]["POSITION"]))
    points.push_back(to_vector(row));
  Vector3d translation = to_vector(n["translation"].get<std::vector<double>>());
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  const Json& animation = glb.json["animations"][0];
  for (const Json& channel : animation["channels"]) {
    if (channel["target"]["node"] != node) continue;
    const Json& sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
    const auto values = glb.floats(sampler["output"]);
    if (channel["target"]["path"] == "translation") translation = to_vector(values[key]);
    if (channel["target"]["path"] == "rotation") {
      const auto& q = values[key];
      rotation = Eigen::Quaterniond(q[3], q[0], q[1], q[2]);
    }
    if (channel["target"]["path"] != "weights") continue;
    const Json& targets = primitive["targets"];
    for (std::size_t t = 0; t < targets.size(); ++t) {
      const double weight = values[key * targets.size() + t][0];
      const auto moves = glb.floats(targets[t]["POSITION"]);
      for (std::size_t i = 0; i < points.size(); ++i) points[i] += weight * to_vector(moves[i]);
    }
  }
  for (Vector3d& p : points) p = rotation * p + translation;
  return points;
}

}  // namespace

TEST_CASE("played back at its keys a GLB shows the recorded vertices")
{
  const TemporaryFolder folder;
  make_recording(folder.path(), sample_header(), 7);
  const Recording recording = Recording::open(folder.path());
  const std::vector<int> frames = select_frames("1::2", 7);
  const auto files = export_format("glb").write(
      {.recording = recording, .frames = frames, .folder = folder.path() / "glb"});
  const Glb glb = parse(bytes_of(files.at(0)));
  const auto& bodies = recording.header().bodies;
  REQUIRE(glb.json["nodes"].size() == bodies.size());
  for (std::size_t key = 0; key < frames.size(); ++key) {
    const std::vector<Vector3d> vertices = recording.vertices(frames[key]);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      CAPTURE(bodies[i].name);
      const std::vector<Vector3d> shown = pose(glb, i, key);
      REQUIRE(shown.size() == static_cast<std::size_t>(bodies[i].vertex_count));
      for (std::size_t j = 0; j < shown.size(); ++j) {
        const Vector3d& expected = vertices[static_cast<std::size_t>(bodies[i].first_vertex) + j];
        // Single precision, coordinates up to 7 m, a few roundings.
        CHECK((shown[j] - expected).norm() < 3e-6);
      }
    }
  }
}

TEST_CASE("in a GLB rigid bodies turn as nodes, soft ones have targets, still ones neither")
{
  const TemporaryFolder folder;
  make_recording(folder.path(), sample_header(), 4);
  const Recording recording = Recording::open(folder.path());
  const auto files = export_format("glb").write(
      {.recording = recording, .frames = {0, 1, 2, 3}, .folder = folder.path() / "glb"});
  const Glb glb = parse(bytes_of(files.at(0)));
  std::vector<std::string> moved;
  for (const Json& channel : glb.json["animations"][0]["channels"])
    moved.push_back(channel["target"]["node"].dump() + " " +
                    channel["target"]["path"].get<std::string>());
  CHECK(moved == std::vector<std::string>{"0 rotation", "0 translation", "1 weights", "2 weights"});
  const std::array<std::size_t, 4> targets{0, 3, 3, 0};
  for (std::size_t i = 0; i < 4; ++i) {
    const Json& primitive = glb.json["meshes"][i]["primitives"][0];
    CHECK((primitive.contains("targets") ? primitive["targets"].size() : 0) == targets[i]);
  }
}
