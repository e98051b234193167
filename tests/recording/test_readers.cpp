// Exported files as independent programs read them: VTU by meshio, GLB by the Khronos validator.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <doctest/doctest.h>

#include <files/temporary_folder.hpp>
#include <recording/frames.hpp>
#include <tact/recording/exports.hpp>

using namespace tact;
namespace fs = std::filesystem;

namespace {

struct Run {
  int code = 0;
  std::string output;
};

Run run(const std::string& command)
{
  Run result;
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe);
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof(buffer), pipe))
    result.output.append(buffer, count);
  result.code = ::pclose(pipe);
  return result;
}

bool have_meshio()
{
  if (run("/usr/bin/python3 -c 'import meshio'").code == 0) return true;
  MESSAGE("skipped: python3-meshio is not installed");
  return false;
}

bool have_validator()
{
  const bool installed = fs::exists(fs::path(TACT_GLTF_VALIDATOR) / "node_modules/gltf-validator");
  if (installed && run("node --version").code == 0) return true;
  MESSAGE("skipped: no glTF validator, run tests/recording/install_validator ",
          TACT_GLTF_VALIDATOR);
  return false;
}

template <class T>
std::vector<T> raw(const fs::path& file)
{
  const std::string bytes = bytes_of(file);
  std::vector<T> entries(bytes.size() / sizeof(T));
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(entries.data()));
  return entries;
}

// What the validator says of the GLB of some frames.
Run validate_glb(const Recording& recording, const std::string& frames, const fs::path& folder)
{
  const auto files =
      export_format("glb").write({.recording = recording,
                                  .frames = select_frames(frames, recording.frame_count()),
                                  .folder = folder});
  REQUIRE(files.size() == 1);
  return run("node " TACT_RECORDING_TESTS "/validate_gltf.mjs " TACT_GLTF_VALIDATOR " " +
             files[0].string());
}

}  // namespace

TEST_CASE("meshio reads from VTU the vertices, velocities, bodies and kinds that were recorded")
{
  if (!have_meshio()) return;
  const TemporaryFolder folder;
  // 20,000 vertices: an array spans more than one compressed block.
  make_recording(folder.path(), sample_header(142), 4);
  const Recording recording = Recording::open(folder.path());
  const auto files = export_format("vtu").write(
      {.recording = recording, .frames = {2}, .folder = folder.path() / "vtu"});
  REQUIRE(files.size() == 2);
  const Run reading = run("/usr/bin/python3 " TACT_RECORDING_TESTS "/read_vtu.py " +
                          files[0].string() + " " + folder.path().string());
  CAPTURE(reading.output);
  REQUIRE(reading.code == 0);

  const std::vector<Vector3d> now = recording.vertices(2), before = recording.vertices(1);
  CHECK(same_bits(raw<Vector3d>(folder.path() / "points"), now));
  const double seconds = recording.times()[2] - recording.times()[1];
  const auto velocity = raw<Vector3d>(folder.path() / "velocity");
  REQUIRE(velocity.size() == now.size());
  const auto vertex_body = raw<int>(folder.path() / "vertex_body");
  REQUIRE(vertex_body.size() == now.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < now.size(); ++i)
    worst = std::max(worst, (velocity[i] - (now[i] - before[i]) / seconds).norm());
  CHECK(worst == 0.0);

  const auto triangles = raw<Triangle>(folder.path() / "triangles");
  const auto triangle_body = raw<int>(folder.path() / "triangle_body");
  const auto triangle_kind = raw<int>(folder.path() / "triangle_kind");
  std::size_t next = 0;
  int number = 0;
  for (const RecordedBody& body : recording.header().bodies) {
    CHECK(vertex_body[static_cast<std::size_t>(body.first_vertex)] == number);
    for (const auto& [a, b, c] : body.triangles) {
      REQUIRE(next < triangles.size());
      const int first = body.first_vertex;
      const bool same = triangles[next] == Triangle{a + first, b + first, c + first} &&
                        triangle_body[next] == number && triangle_kind[next] == number;
      REQUIRE(same);  // in the sample the bodies are of the kinds 0, 1, 2, 3
      ++next;
    }
    ++number;
  }
  CHECK(next == triangles.size());
}

TEST_CASE("the Khronos validator finds nothing wrong with exported GLB files")
{
  if (!have_validator()) return;
  const TemporaryFolder folder;
  make_recording(folder.path(), sample_header(), 6);
  const Recording recording = Recording::open(folder.path());
  for (const std::string frames : {"", "1::2", "3"}) {
    CAPTURE(frames);
    const Run validation = validate_glb(recording, frames, folder.path() / "glb");
    CAPTURE(validation.output);
    CHECK(validation.code == 0);
    CHECK(validation.output.find("\"numErrors\": 0") != std::string::npos);
    const bool animated = validation.output.find("\"animationCount\": 1") != std::string::npos;
    CHECK(animated == (frames != "3"));
    const bool morphed = validation.output.find("\"hasMorphTargets\": true") != std::string::npos;
    CHECK(morphed == (frames != "3"));
  }
}

TEST_CASE("the Khronos validator accepts bodies without triangles and recordings without bodies")
{
  if (!have_validator()) return;
  const TemporaryFolder folder;
  RecordingHeader header = sample_header();
  for (RecordedBody& body : header.bodies)
    if (body.name != "top") body.triangles.clear();
  make_recording(folder.path() / "points", header, 3);
  CHECK(validate_glb(Recording::open(folder.path() / "points"), "", folder.path()).code == 0);
  RecordingWriter writer = RecordingWriter::create(folder.path() / "nothing", {.dt = 1.0});
  writer.append({});
  writer.finish();
  CHECK(validate_glb(Recording::open(folder.path() / "nothing"), "", folder.path()).code == 0);
}
